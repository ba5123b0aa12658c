import type { StreamTrack } from '../api/streams-api.ts';
import type { StreamedPlan } from './stream-cuts.ts';

/** Long enough that no plan has two parts with the same prefix. */
const KEY_DIGITS = 12;

type Named = Pick<StreamedPlan, 'chunks' | 'audio'>;

/**
 * A segment's name has its number and the key of the chunk or sound that it is cut from. After a replan for a new
 * engine version, other bytes have other names, so a name can be cached permanently. (R18)
 */
export function segmentName(plan: Named, track: StreamTrack, index: number): string {
  return `${index}-${keyOf(plan, track, index).slice(0, KEY_DIGITS)}.m4s`;
}

/** The name of the initialization segment follows from the first segment. */
export function initName(plan: Named, track: StreamTrack): string {
  return `init-${keyOf(plan, track, 0).slice(0, KEY_DIGITS)}.mp4`;
}

/** The number of the segment with this name; null if this stream has no such name. */
export function readSegmentName(plan: Named, track: StreamTrack, name: string): number | 'init' | null {
  if (name === initName(plan, track)) return 'init';
  const index = Number(/^(0|[1-9]\d{0,5})-/.exec(name)?.[1] ?? Number.NaN);
  return index < plan.chunks.length && name === segmentName(plan, track, index) ? index : null;
}

function keyOf({ chunks, audio }: Named, track: StreamTrack, index: number): string {
  return track === 'audio' ? audio.key : chunks[index]!.key;
}
