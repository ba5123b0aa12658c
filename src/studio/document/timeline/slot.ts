import {
  type FrameRate,
  type Frames,
  frameAt,
  frameRange,
  type Range,
  type Seconds,
  secondsOf,
} from '../../../time.ts';
import type { TrimEndReading, VolumeUnit } from '../../../timeline/choices.ts';
import { LANES, SPAN_LANES } from '../../../timeline/lanes.ts';
import type { TimelineData } from '../project.ts';
import { type Entry, type EntryIndex, entryAt, type SourceLength } from './entries.ts';

/** How the times and volumes of entries are read. */
export interface TimeRules {
  readonly rate: FrameRate;
  readonly trimEndAs: TrimEndReading;
  readonly sourceLength: SourceLength;
  /** The content hash of a file; null if it is not probed. */
  readonly sourceHash?: (field: string) => string | null;
  /** The unit of volumes; gain by default. */
  readonly volumeAs?: VolumeUnit;
}

/** The drawn length of an entry without a duration whose file is not probed. */
const UNKNOWN_SECONDS = 5;

/** The slot of an entry in seconds, as sent. A reveal has no length. */
function secondsSlot(entry: Entry, rules: TimeRules): Range<Seconds> {
  if (entry.position !== undefined) return { start: entry.position, end: entry.position };
  const start = entry.start ?? 0;
  if (entry.duration !== undefined) return { start, end: start + entry.duration };
  const window = sourceWindow(entry, rules);
  return { start, end: start + (window === null ? UNKNOWN_SECONDS : (window.end - window.start) / (entry.speed ?? 1)) };
}

const slots = new WeakMap<Entry, { readonly rules: TimeRules; readonly slot: Range<Frames> }>();

/** The frames of an entry, rounded as the planner does. (R2, R3) Cached by (immutable) entry, since a drag changes one of thousands. */
export function frameSlot(entry: Entry, rules: TimeRules): Range<Frames> {
  const known = slots.get(entry);
  if (known?.rules === rules) return known.slot;
  const slot = roundedSlot(entry, rules);
  slots.set(entry, { rules, slot });
  return slot;
}

function roundedSlot(entry: Entry, rules: TimeRules): Range<Frames> {
  const { start, end } = secondsSlot(entry, rules);
  if (entry.position === undefined) return frameRange(start, end, rules.rate);
  const at = frameAt(start, rules.rate);
  return { start: at, end: at };
}

/** The part of the source that an entry may play, in source seconds; null if the source has no length. (C16) */
export function sourceWindow(entry: Entry, { trimEndAs, sourceLength }: TimeRules): Range<Seconds> | null {
  const length = entry.file_field === undefined ? null : sourceLength(entry.file_field);
  if (length === null) return null;
  const trimEnd = entry.trim_end === undefined || entry.trim_end === 0 ? null : entry.trim_end;
  const wanted = trimEnd === null ? length : trimEndAs === 'cut' ? length - trimEnd : trimEnd;
  const start = entry.trim_start ?? 0;
  return { start, end: Math.max(start, Math.min(wanted, length)) };
}

/** Whether an entry plays a source from its in-point, so that its start is a time in the source. */
export function playsSource(ref: EntryIndex, entry: Entry, { sourceLength }: TimeRules): boolean {
  return LANES[ref.lane].hasSound && entry.file_field !== undefined && sourceLength(entry.file_field) !== null;
}

/** The start of a frame in seconds, as written into documents: microseconds are exact enough for every rate. */
export function written(frame: number, rate: FrameRate): Seconds {
  return toMicros(secondsOf(frame as Frames, rate));
}

/** Rounds to microseconds, which removes floating-point noise. */
export function toMicros(seconds: Seconds): Seconds {
  return Math.round(seconds * 1_000_000) / 1_000_000;
}

/** The start and duration that cover exactly these frames. */
export function writtenSlot({ start, end }: Range<number>, rate: FrameRate): { start: Seconds; duration: Seconds } {
  const from = written(start, rate);
  return { start: from, duration: toMicros(written(end, rate) - from) };
}

/** The slot of an existing entry. */
export function slotOf(timeline: TimelineData, ref: EntryIndex, rules: TimeRules): Range<Frames> {
  const entry = entryAt(timeline, ref);
  if (entry === undefined) throw new Error(`there is no ${ref.lane}/${ref.index}`);
  return frameSlot(entry, rules);
}

/** The frame after the last one of any entry: the length of the video. (C24) */
export function lastFrameOf(timeline: TimelineData, rules: TimeRules): Frames {
  let last = 0;
  for (const lane of SPAN_LANES) {
    last = Math.max(last, lastIn(timeline[lane] as readonly Entry[], rules));
  }
  return last as Frames;
}

const lastIn = ofLane((entries, rules) =>
  entries.reduce((last, entry) => Math.max(last, frameSlot(entry, rules).end), 0),
);

/** Caches a result for as long as the (immutable) lane and the rules are the same. */
export function ofLane<T>(make: (entries: readonly Entry[], rules: TimeRules) => T): typeof make {
  const kept = new WeakMap<readonly Entry[], { readonly rules: TimeRules; readonly made: T }>();
  return (entries, rules) => {
    const known = kept.get(entries);
    if (known?.rules === rules) return known.made;
    const made = make(entries, rules);
    kept.set(entries, { rules, made });
    return made;
  };
}
