import type { StreamTrack } from '../streams-api.ts';
import type { StreamedPlan } from './stream-cuts.ts';

/** Enough of a key that no plan has two parts with the same beginning. */
const KEY_DIGITS = 12;

type Named = Pick<StreamedPlan, 'chunks' | 'audio'>;

/**
 * A segment is named by its number and by the key of what it is cut from: planned anew, as for a new engine, an export has
 * other names for other bytes, and a name may be kept for ever. (R18)
 */
export function segmentName(plan: Named, track: StreamTrack, index: number): string {
  return `${index}-${keyOf(plan, track, index).slice(0, KEY_DIGITS)}.m4s`;
}

/** What comes before the segments follows from the first of them. */
export function initName(plan: Named, track: StreamTrack): string {
  return `init-${keyOf(plan, track, 0).slice(0, KEY_DIGITS)}.mp4`;
}

/** The number of the segment that a name stands for; null where it is no name of this stream's. */
export function readSegmentName(plan: Named, track: StreamTrack, name: string): number | 'init' | null {
  if (name === initName(plan, track)) return 'init';
  const index = Number(/^(0|[1-9]\d{0,5})-/.exec(name)?.[1] ?? Number.NaN);
  return index < plan.chunks.length && name === segmentName(plan, track, index) ? index : null;
}

function keyOf({ chunks, audio }: Named, track: StreamTrack, index: number): string {
  return track === 'audio' ? audio.key : chunks[index]!.key;
}
