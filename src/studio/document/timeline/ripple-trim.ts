import type { Frames } from '../../../time.ts';
import { DRAWN_LANES } from '../lanes.ts';
import type { TimelineData } from '../project.ts';
import { type Entry, type EntryIndex, sameRef, withLane } from './entries.ts';
import { startingAt } from './move-entries.ts';
import { slotOf, type TimeRules } from './slot.ts';
import { trimEntry } from './trim-entry.ts';

/**
 * Trims an edge and shifts all lanes by the time that is added or removed. Later entries keep their distance from the edge. An entry
 * whose start is trimmed keeps its start time.
 */
export function rippleTrim(
  timeline: TimelineData,
  ref: EntryIndex,
  trim: { readonly edge: 'start' | 'end'; readonly to: Frames },
  rules: TimeRules,
): TimelineData {
  const trimmed = trimEntry(timeline, ref, trim, rules);
  if (trimmed === timeline) return timeline;
  const before = slotOf(timeline, ref, rules);
  const after = slotOf(trimmed, ref, rules);
  // A longer entry pushes later entries, at either edge. A shorter one pulls those that start after the removed part.
  const by = trim.edge === 'end' ? after.end - before.end : before.start - after.start;
  const from = trim.edge === 'end' ? before.end : Math.max(before.start, after.start);
  return DRAWN_LANES.reduce((left, lane) => {
    const entries = trimmed[lane] as readonly Entry[];
    const shifted = entries.map((entry, index) => {
      const each = { lane, index };
      if (sameRef(each, ref)) return trim.edge === 'start' ? startingAt(entry, before.start, rules) : entry;
      const { start } = slotOf(trimmed, each, rules);
      return start >= from ? startingAt(entry, start + by, rules) : entry;
    });
    return shifted.every((entry, index) => entry === entries[index]) ? left : withLane(left, lane, shifted);
  }, trimmed);
}
