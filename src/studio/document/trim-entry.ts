import { type Frames, type Range, secondsOf } from '../../time.ts';
import {
  type Entry,
  type EntryIndex,
  entryAt,
  playsSource,
  sameRef,
  slotOf,
  type TimeRules,
  toMicros,
  trimOf,
  withEntry,
  withLane,
  written,
  writtenSlot,
} from './entries.ts';
import { DRAWN_LANES } from './lane-looks.ts';
import { startingAt } from './move-entries.ts';
import type { TimelineData } from './project.ts';
import { withMovedStart } from './volume-points.ts';

/** The range of an entry's edge in a trim. */
function trimLimits(timeline: TimelineData, ref: EntryIndex, edge: 'start' | 'end', rules: TimeRules): Range<Frames> {
  const entry = entryAt(timeline, ref)!;
  const { start, end } = slotOf(timeline, ref, rules);
  const source = playsSource(ref, entry, rules) && !entry.loop ? (rules.sourceLength(entry.file_field!) ?? null) : null;
  const speed = entry.speed ?? 1;
  if (edge === 'start') {
    // The source limits the start, in whole frames.
    const room = source === null ? start : Math.floor(framesOf((entry.trim_start ?? 0) / speed, rules) + 1e-6);
    return { start: Math.max(0, start - room) as Frames, end: (end - 1) as Frames };
  }
  if (source === null) return { start: (start + 1) as Frames, end: Number.MAX_SAFE_INTEGER as Frames };
  const left = Math.max(1, Math.floor(framesOf((source - (entry.trim_start ?? 0)) / speed, rules) + 1e-6));
  return { start: (start + 1) as Frames, end: Math.max(end, start + left) as Frames };
}

/** Drags an edge of an entry to a frame, within the limits. The frames between show the same as before. */
export function trimEntry(
  timeline: TimelineData,
  ref: EntryIndex,
  { edge, to }: { readonly edge: 'start' | 'end'; readonly to: Frames },
  rules: TimeRules,
): TimelineData {
  const entry = entryAt(timeline, ref);
  if (entry === undefined || entry.position !== undefined) return timeline;
  const limits = trimLimits(timeline, ref, edge, rules);
  const at = Math.min(Math.max(to, limits.start), limits.end) as Frames;
  const slot = slotOf(timeline, ref, rules);
  if (at === slot[edge]) return timeline;
  const trimmed: Entry = { ...entry, ...writtenSlot({ ...slot, [edge]: at }, rules.rate) };
  if (playsSource(ref, entry, rules)) {
    if (edge === 'start') Object.assign(trimmed, { trim_start: shiftedIn(entry, at - slot.start, rules) });
    else Object.assign(trimmed, reachingOut(entry, at - slot.start, rules));
  }
  const moved = edge === 'start' ? ((at - slot.start) * rules.rate.den) / rules.rate.num : 0;
  return withEntry(timeline, ref, withFittingFades(withMovedStart(trimmed, moved, rules.volumeAs)));
}

function shiftedIn(entry: Entry, byFrames: number, rules: TimeRules): number {
  const by = (byFrames < 0 ? -1 : 1) * secondsOf(Math.abs(byFrames) as Frames, rules.rate) * (entry.speed ?? 1);
  return Math.max(0, toMicros((entry.trim_start ?? 0) + by));
}

/** Moves the out-point with the edge if needed; otherwise the last frame would freeze. */
function reachingOut(entry: Entry, lengthFrames: number, rules: TimeRules): Entry {
  const trim = trimOf(entry, rules);
  if (trim === null || entry.trim_end === undefined || entry.trim_end === 0 || entry.loop) return {};
  const wanted = trim.start + written(lengthFrames, rules.rate) * (entry.speed ?? 1);
  if (wanted <= trim.end) return {};
  const length = rules.sourceLength(entry.file_field!)!;
  if (wanted >= length - 1e-6) return { trim_end: 0 };
  return { trim_end: toMicros(rules.trimEndAs === 'cut' ? length - wanted : wanted) };
}

/** Shortens the fades to fit, as the engine does. */
function withFittingFades(entry: Entry): Entry {
  const { fade_in: fadeIn = 0, fade_out: fadeOut = 0, duration = 0 } = entry;
  if (fadeIn + fadeOut <= duration) return entry;
  const first = Math.min(fadeIn, duration);
  return {
    ...entry,
    ...(fadeIn > 0 && { fade_in: toMicros(first) }),
    ...(fadeOut > 0 && { fade_out: toMicros(Math.max(0, duration - first)) }),
  };
}

function framesOf(seconds: number, { rate }: TimeRules): number {
  return (seconds * rate.num) / rate.den;
}

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
