import { type FrameRate, type Frames, frameAt, type Range } from '../time.ts';
import { sameLayers } from './build-spans.ts';
import { PAINTED } from './frame/painted-kinds.ts';
import type { LayerRef, Span } from './model/render-plan.ts';

/** Two GOPs: a chunk starts with a key frame, so a length between multiples of a GOP costs one more. */
const TARGET_SECONDS = 4;
/** A boundary this much before or after the target is near enough to cut at. */
const NEAR_SECONDS = 2;
const SHORTEST_SECONDS = 2;

/**
 * Cuts the video into chunks of about 4 s, at a change of clips or of the board if one is near.
 *
 * Cuts follow boundaries rather than multiples of 4 s: after an edit the cuts coincide with the old ones again at the
 * next common boundary, so that most chunks keep their keys. Texts have no boundaries here, so that a new subtitle
 * changes only the chunks in which it is seen.
 */
export function cutChunks(spans: readonly Span[], totalFrames: Frames, rate: FrameRate): Range<Frames>[] {
  const target = Math.max(1, frameAt(TARGET_SECONDS, rate));
  const near = frameAt(NEAR_SECONDS, rate);
  const shortest = Math.max(1, frameAt(SHORTEST_SECONDS, rate));
  const boundaries = boundariesOf(spans);
  const chunks: Range<Frames>[] = [];
  let next = 0;
  for (let start = 0; start < totalFrames; start = chunks.at(-1)!.end) {
    const wanted = (start + target) as Frames;
    let best = wanted;
    while (next < boundaries.length && boundaries[next]! < wanted - near) next += 1;
    for (let i = next, distance: number = near; i < boundaries.length && boundaries[i]! <= wanted + near; i += 1) {
      const boundary = boundaries[i]!;
      if (Math.abs(boundary - wanted) > distance) continue;
      distance = Math.abs(boundary - wanted);
      best = boundary;
    }
    // Too short a remainder joins the chunk before it.
    if (totalFrames - best < shortest) best = totalFrames;
    chunks.push({ start: start as Frames, end: best });
  }
  return chunks;
}

/** The frames at which a clip or the board changes. */
function boundariesOf(spans: readonly Span[]): Frames[] {
  const dividing = spans.map(({ layers }) => layers.filter(divides));
  return spans.filter((_, i) => i > 0 && !sameLayers(dividing[i - 1]!, dividing[i]!)).map(({ start }) => start);
}

function divides({ kind }: LayerRef): boolean {
  return kind === 'clip' || PAINTED[kind].dividesChunks;
}
