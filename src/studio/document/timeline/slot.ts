import {
  type FrameRate,
  type Frames,
  frameAt,
  frameRange,
  type Range,
  type Seconds,
  secondsOf,
} from '../../../time.ts';
import type { TrimEndReading, VolumeUnit } from '../../../timeline/export-request.ts';
import { LANES, SPAN_LANES } from '../../../timeline/lanes.ts';
import type { TimelineData } from '../project.ts';
import { type Entry, type EntryRef, entryAt, type SourceLength } from './entries.ts';

/** What times and volumes of entries are read by. */
export interface TimeRules {
  readonly rate: FrameRate;
  readonly trimEndAs: TrimEndReading;
  readonly sourceLength: SourceLength;
  /** The hash of a file's content; null where no file has been looked into. */
  readonly sourceHash?: (field: string) => string | null;
  /** What numbers of volumes are; gains if absent. */
  readonly volumeAs?: VolumeUnit;
}

/** What is drawn where nobody can say how long an entry without a duration lasts: no file has been looked into. */
const UNKNOWN_SECONDS = 5;

/** Where on the timeline an entry stands, in seconds as they were sent. A reveal is a moment. */
function secondsSlot(entry: Entry, rules: TimeRules): Range<Seconds> {
  if (entry.position !== undefined) return { start: entry.position, end: entry.position };
  const start = entry.start ?? 0;
  if (entry.duration !== undefined) return { start, end: start + entry.duration };
  const window = sourceWindow(entry, rules);
  return { start, end: start + (window === null ? UNKNOWN_SECONDS : (window.end - window.start) / (entry.speed ?? 1)) };
}

const slots = new WeakMap<Entry, { readonly rules: TimeRules; readonly slot: Range<Frames> }>();

/**
 * The frames an entry covers, as the planner rounds them. (R2, R3) Kept by the (immutable) entry: of thousands, a drag changes one.
 */
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

/** The part of the source an entry may play, in source seconds; null where the source has no length. (C16) */
export function sourceWindow(entry: Entry, { trimEndAs, sourceLength }: TimeRules): Range<Seconds> | null {
  const length = entry.file_field === undefined ? null : sourceLength(entry.file_field);
  if (length === null) return null;
  const trimEnd = entry.trim_end === undefined || entry.trim_end === 0 ? null : entry.trim_end;
  const wanted = trimEnd === null ? length : trimEndAs === 'cut' ? length - trimEnd : trimEnd;
  const start = entry.trim_start ?? 0;
  return { start, end: Math.max(start, Math.min(wanted, length)) };
}

/** Whether an entry plays a source from its window on, so that its beginning is a place in the source. */
export function playsSource(ref: EntryRef, entry: Entry, { sourceLength }: TimeRules): boolean {
  return LANES[ref.lane].hasSound && entry.file_field !== undefined && sourceLength(entry.file_field) !== null;
}

/** Where a frame begins, in seconds as they are written into documents: to the microsecond, which every rate survives. */
export function written(frame: number, rate: FrameRate): Seconds {
  return toMicros(secondsOf(frame as Frames, rate));
}

/** Seconds without the dust that floats leave behind. */
export function toMicros(seconds: Seconds): Seconds {
  return Math.round(seconds * 1_000_000) / 1_000_000;
}

/** Start and length that make an entry cover exactly these frames. */
export function writtenSlot({ start, end }: Range<number>, rate: FrameRate): { start: Seconds; duration: Seconds } {
  const from = written(start, rate);
  return { start: from, duration: toMicros(written(end, rate) - from) };
}

/** The slot of an entry that is there. */
export function slotOf(timeline: TimelineData, ref: EntryRef, rules: TimeRules): Range<Frames> {
  const entry = entryAt(timeline, ref);
  if (entry === undefined) throw new Error(`there is no ${ref.lane}/${ref.index}`);
  return frameSlot(entry, rules);
}

/** The frame behind the last one of any entry: how long the video is. (C24) */
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

/** What is found out about a lane, kept for as long as the (immutable) lane and the rules are the same. */
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
