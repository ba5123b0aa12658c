import type { Frames } from '../../../time.ts';
import { DRAWN_LANES } from '../lanes.ts';
import type { TimelineData } from '../project.ts';
import { type Entry, type EntryRef, sameRef, withLane } from './entries.ts';
import { startingAt } from './move-entries.ts';
import { slotOf, type TimeRules } from './slot.ts';
import { trimEntry } from './trim-entry.ts';

/**
 * An edge dragged, and the time that is won or lost goes through all lanes: what comes after stays as far from the edge as it was,
 * and an entry whose beginning is cut still begins where it began.
 */
export function rippleTrim(
  timeline: TimelineData,
  ref: EntryRef,
  trim: { readonly edge: 'start' | 'end'; readonly to: Frames },
  rules: TimeRules,
): TimelineData {
  const trimmed = trimEntry(timeline, ref, trim, rules);
  if (trimmed === timeline) return timeline;
  const before = slotOf(timeline, ref, rules);
  const after = slotOf(trimmed, ref, rules);
  // What is longer at its beginning or at its end pushes; what is shorter pulls what began behind the part that is gone.
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
