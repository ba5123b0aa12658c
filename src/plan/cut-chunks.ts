import { type FrameRate, type Frames, frameAt, type Range } from '../time.ts';
import { sameLayers } from './build-spans.ts';
import { PAINTED } from './frame/painted-kinds.ts';
import type { LayerRef, Span } from './model/render-plan.ts';

/** Two GOPs: a chunk starts with a key frame, so a length between multiples of a GOP costs one more. */
const TARGET_SECONDS = 4;
/** A boundary this much before or after the target is near enough to cut at. */
const NEAR_SECONDS = 2;
const SHORTEST_SECONDS = 2;

/** A frame where a chunk may end without a clip or the board being seen in two chunks. */
interface Boundary {
  readonly at: Frames;
  /** Whether a clip changes there, not the board alone. */
  readonly isClip: boolean;
}

/**
 * Cuts the video into chunks of about 4 s, at a change of clips or of the board if one is near.
 *
 * Cuts follow boundaries rather than multiples of 4 s: after an edit the cuts coincide with the old ones again at the
 * next common boundary, so that most chunks keep their keys. Texts have no boundaries here, so that a new subtitle
 * changes only the chunks in which it is seen. A clip's change is taken before the board's: a chunk that has the end of one
 * clip and the start of the next opens and seeks both after an edit.
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
    while (next < boundaries.length && boundaries[next]!.at < wanted - near) next += 1;
    let best: Boundary | null = null;
    for (let i = next; i < boundaries.length && boundaries[i]!.at <= wanted + near; i += 1) {
      if (best === null || isBetter(boundaries[i]!, best, wanted)) best = boundaries[i]!;
    }
    // Too short a remainder joins the chunk before it.
    const end = best?.at ?? wanted;
    chunks.push({ start: start as Frames, end: totalFrames - end < shortest ? totalFrames : end });
  }
  return chunks;
}

/** Whether `one`, which comes after `other`, is the better place for a cut. */
function isBetter(one: Boundary, other: Boundary, wanted: Frames): boolean {
  if (one.isClip !== other.isClip) return one.isClip;
  return Math.abs(one.at - wanted) <= Math.abs(other.at - wanted);
}

/** The frames at which a clip or the board changes. */
function boundariesOf(spans: readonly Span[]): Boundary[] {
  const clips = spans.map(({ layers }) => layers.filter(isClip));
  const dividing = spans.map(({ layers }) => layers.filter(divides));
  return spans.flatMap(({ start: at }, i) => {
    if (i === 0 || sameLayers(dividing[i - 1]!, dividing[i]!)) return [];
    return [{ at, isClip: !sameLayers(clips[i - 1]!, clips[i]!) }];
  });
}

function isClip({ kind }: LayerRef): boolean {
  return kind === 'clip';
}

function divides(layer: LayerRef): boolean {
  return layer.kind === 'clip' || PAINTED[layer.kind].dividesChunks;
}
