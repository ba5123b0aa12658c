import { firstIndex } from '../../../collections/first-index.ts';
import type { Frames } from '../../../time.ts';
import { DRAWN_LANES } from '../../document/lanes.ts';
import type { TimelineData } from '../../document/project.ts';
import type { Entry, EntryRef } from '../../document/timeline/entries.ts';
import { frameSlot, type TimeRules } from '../../document/timeline/slot.ts';

/** How near something must come to be held. */
export const SNAP_PX = 8;

/** Frames that things like to stand at: edges, reveals, the playhead, the beginning; ascending, each once. */
export function snapPlaces(
  timeline: TimelineData,
  rules: TimeRules,
  { except, playhead }: { readonly except: readonly EntryRef[]; readonly playhead: Frames | null },
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

/** Where something dragged comes to stand, and the place that holds it there, if any. */
interface Snapped {
  readonly by: number;
  readonly at: Frames | null;
}

/**
 * How far to move what has these edges, if it is dragged by `by` frames: as far as that, or to where one of its edges meets the nearest
 * place; failing that, to a whole second.
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

/** The places just before and just after. */
function around(places: readonly Frames[], at: number): Frames[] {
  const next = firstIndex(places.length, (index) => places[index]! >= at);
  return places.slice(Math.max(0, next - 1), next + 1);
}
