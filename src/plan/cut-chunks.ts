import { type FrameRate, type Frames, frameAt, type Range } from '../time.ts';
import type { Span } from './layers/span.ts';

const TARGET_SECONDS = 10;
/** A span boundary this much before or after the target is near enough to cut at. */
const NEAR_SECONDS = 4;
const SHORTEST_SECONDS = 2;

/**
 * Cuts the video into chunks of about 10 s, on span boundaries if one is near.
 *
 * Cuts follow boundaries rather than multiples of 10 s, and a long span is divided evenly up to its own end: after an
 * edit the cuts coincide with the old ones again at the next common boundary, so that most chunks keep their keys.
 */
export function cutChunks(spans: readonly Span[], totalFrames: Frames, rate: FrameRate): Range<Frames>[] {
  const target = Math.max(1, frameAt(TARGET_SECONDS, rate));
  const near = frameAt(NEAR_SECONDS, rate);
  const shortest = Math.max(1, frameAt(SHORTEST_SECONDS, rate));
  const boundaries = spans.map(({ end }) => end);
  const chunks: Range<Frames>[] = [];
  let next = 0;
  const cutAt = (end: number): void => {
    chunks.push({ start: (chunks.at(-1)?.end ?? 0) as Frames, end: end as Frames });
  };
  for (let start = 0; start < totalFrames; start = chunks.at(-1)!.end) {
    while (next < boundaries.length && boundaries[next]! < start + target - near) next += 1;
    let best = boundaries[next] ?? totalFrames;
    for (let i = next + 1; i < boundaries.length && boundaries[i]! <= start + target + near; i += 1) {
      const boundary = boundaries[i]!;
      if (Math.abs(boundary - start - target) < Math.abs(best - start - target)) best = boundary as Frames;
    }
    // Too short a remainder joins the chunk before it.
    if (totalFrames - best < shortest) best = totalFrames;
    const parts = Math.max(1, Math.round((best - start) / target));
    for (let part = 1; part <= parts; part += 1) cutAt(start + Math.round(((best - start) * part) / parts));
  }
  return chunks;
}
