import { overlaps } from '../../../time.ts';
import type { TimelineData } from '../../document/project.ts';
import { type Entry, type EntryIndex, withLane } from '../../document/timeline/entries.ts';
import { slotOf, type TimeRules } from '../../document/timeline/slot.ts';
import { layered } from './tracks.ts';

/**
 * Moves an entry to a line of its lane: in front of overlapping entries further back, behind those on that line or further in front.
 * Entries that do not overlap it are ignored. (R6)
 */
export function restacked(timeline: TimelineData, ref: EntryIndex, layer: number, rules: TimeRules): TimelineData {
  const entries = timeline[ref.lane] as readonly Entry[];
  const own = slotOf(timeline, ref, rules);
  const others = entries.toSpliced(ref.index, 1);
  let [after, before] = [0, others.length];
  for (const [at, line] of layered(others, rules).entries()) {
    for (const other of line) {
      if (!overlaps(own, other)) continue;
      if (at < layer) after = Math.max(after, other.index + 1);
      else before = Math.min(before, other.index);
    }
  }
  const place = Math.max(after, Math.min(before, ref.index));
  return place === ref.index ? timeline : withLane(timeline, ref.lane, others.toSpliced(place, 0, entries[ref.index]!));
}
