import { firstIndex } from '../../../collections.ts';
import type { Frames } from '../../../time.ts';
import { type Entry, type EntryIndex, frameSlot, type TimeRules } from '../../document/entries.ts';
import { DRAWN_LANES } from '../../document/lane-looks.ts';
import type { TimelineData } from '../../document/project.ts';

/** Snap distance. */
export const SNAP_PX = 8;

/** Frames to snap to: edges, reveals, the playhead, the start; ascending, without duplicates. */
export function snapPlaces(
  timeline: TimelineData,
  rules: TimeRules,
  { except, playhead }: { readonly except: readonly EntryIndex[]; readonly playhead: Frames | null },
): Frames[] {
  const places = new Set<number>([0]);
  if (playhead !== null) places.add(playhead);
  for (const lane of DRAWN_LANES) {
    const left = new Set(except.filter((ref) => ref.lane === lane).map(({ index }) => index));
    timeline[lane].forEach((entry, index) => {
      if (left.has(index)) return;
      const { start, end } = frameSlot(entry as Entry, rules);
      places.add(start);
      places.add(end);
    });
  }
  return [...places].sort((a, b) => a - b) as Frames[];
}

/** The movement after snapping, and the frame that it snaps to, if any. */
interface Snapped {
  readonly by: number;
  readonly at: Frames | null;
}

/**
 * How far to move edges that are dragged by `by` frames: to the nearest snap frame of any edge, else to a whole second, else exactly
 * `by`.
 */
export function snapped(
  edges: readonly number[],
  by: number,
  places: readonly Frames[],
  { framePx, framesASecond }: { readonly framePx: number; readonly framesASecond: number },
): Snapped {
  let best: Snapped = { by, at: null };
  let nearest = SNAP_PX / framePx;
  const consider = (edge: number, place: number): void => {
    const distance = Math.abs(place - (edge + by));
    if (distance > nearest || (distance === nearest && best.at !== null)) return;
    nearest = distance;
    best = { by: place - edge, at: place as Frames };
  };
  for (const edge of edges) for (const place of around(places, edge + by)) consider(edge, place);
  if (best.at !== null) return best;
  for (const edge of edges) consider(edge, Math.round(Math.round((edge + by) / framesASecond) * framesASecond));
  return best;
}

/** The snap frames just before and after. */
function around(places: readonly Frames[], at: number): Frames[] {
  const next = firstIndex(places.length, (index) => places[index]! >= at);
  return places.slice(Math.max(0, next - 1), next + 1);
}
