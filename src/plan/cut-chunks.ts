import { type FrameRate, type Frames, frameAt, type Range } from '../time.ts';
import { sameLayers } from './build-spans.ts';
import { PAINTED } from './frame/painted-kinds.ts';
import type { LayerRef, Span } from './model/render-plan.ts';

/** Two GOPs: a chunk starts with a key frame, so a length between multiples of a GOP costs one more. */
const TARGET_SECONDS = 4;
/** A boundary this much before or after the target is near enough to cut at. */
const NEAR_SECONDS = 2;
const SHORTEST_SECONDS = 2;
/** A change of the board alone counts as this much further away than a change of clips. */
const BOARD_SECONDS = 1;

/** A frame where a chunk may end without a clip or the board being seen in two chunks. */
interface Boundary {
  readonly at: Frames;
  /** Whether the board alone changes there, and no clip. */
  readonly isBoard: boolean;
}

/**
 * Cuts the video into chunks of about 4 s, at a change of clips or of the board if one is near.
 *
 * Cuts follow boundaries rather than multiples of 4 s: after an edit the cuts coincide with the old ones again at the
 * next common boundary, so that most chunks keep their keys. Texts have no boundaries here, so that a new subtitle
 * changes only the chunks in which it is seen. Where a clip and the board change within a second, the cut is at the clip: a
 * chunk with a few frames of another clip would open and seek that one too after an edit.
 */
export function cutChunks(spans: readonly Span[], totalFrames: Frames, rate: FrameRate): Range<Frames>[] {
  const target = Math.max(1, frameAt(TARGET_SECONDS, rate));
  const near = frameAt(NEAR_SECONDS, rate);
  const shortest = Math.max(1, frameAt(SHORTEST_SECONDS, rate));
  const distanceOf = ({ at, isBoard }: Boundary, wanted: number): number =>
    Math.abs(at - wanted) + (isBoard ? frameAt(BOARD_SECONDS, rate) : 0);
  const boundaries = boundariesOf(spans);
  const chunks: Range<Frames>[] = [];
  let next = 0;
  for (let start = 0; start < totalFrames; start = chunks.at(-1)!.end) {
    const wanted = (start + target) as Frames;
    while (next < boundaries.length && boundaries[next]!.at < wanted - near) next += 1;
    let best: Boundary | null = null;
    for (let i = next; i < boundaries.length && boundaries[i]!.at <= wanted + near; i += 1) {
      const boundary = boundaries[i]!;
      if (best === null || distanceOf(boundary, wanted) <= distanceOf(best, wanted)) best = boundary;
    }
    // Too short a remainder joins the chunk before it.
    const end = best?.at ?? wanted;
    chunks.push({ start: start as Frames, end: totalFrames - end < shortest ? totalFrames : end });
  }
  return chunks;
}

/** The frames at which a clip or the board changes. */
function boundariesOf(spans: readonly Span[]): Boundary[] {
  const clips = spans.map(({ layers }) => layers.filter(isClip));
  const dividing = spans.map(({ layers }) => layers.filter(divides));
  return spans.flatMap(({ start: at }, i) => {
    if (i === 0 || sameLayers(dividing[i - 1]!, dividing[i]!)) return [];
    return [{ at, isBoard: sameLayers(clips[i - 1]!, clips[i]!) }];
  });
}

function isClip({ kind }: LayerRef): boolean {
  return kind === 'clip';
}

function divides(layer: LayerRef): boolean {
  return layer.kind === 'clip' || PAINTED[layer.kind].dividesChunks;
}
