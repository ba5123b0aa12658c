import { type FrameRate, type Frames, frameAt, frameRange, type Range, type Seconds, secondsOf } from '../../time.ts';
import type { TrimEndReading, VolumeUnit } from '../../timeline/choices.ts';
import { LANES, type LaneEntry, type LaneName, SPAN_LANES } from '../../timeline/lanes.ts';
import type { TimelineData } from './project.ts';

/** An entry by its index, as in its JSON Pointer. */
export interface EntryIndex {
  readonly lane: LaneName;
  readonly index: number;
}

/** An entry of any lane. The lane decides which fields it has. */
export type Entry = { readonly [F in keyof AnyEntry]?: AnyEntry[F] | undefined };
type AnyEntry = UnionToIntersection<LaneEntry<LaneName>>;
type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The length of a file in seconds; null for stills and for files that are not probed yet. */
type SourceLength = (fileField: string) => Seconds | null;

/** The entry at an index; undefined if there is none. */
export function entryAt(timeline: TimelineData, { lane, index }: EntryIndex): Entry | undefined {
  return timeline[lane][index] as Entry | undefined;
}

/** The timeline with one lane replaced. */
export function withLane(timeline: TimelineData, lane: LaneName, entries: readonly Entry[]): TimelineData {
  return { ...timeline, [lane]: entries };
}

/** The timeline with one entry replaced. */
export function withEntry(timeline: TimelineData, { lane, index }: EntryIndex, entry: Entry): TimelineData {
  return withLane(timeline, lane, (timeline[lane] as readonly Entry[]).with(index, entry));
}

/** The JSON Pointer of an entry, as in warnings and errors. */
export function pathOf({ lane, index }: EntryIndex): string {
  return `/timeline_data/${lane}/${index}`;
}

export function sameRef(a: EntryIndex | null, b: EntryIndex | null): boolean {
  return a !== null && b !== null && a.lane === b.lane && a.index === b.index;
}

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
  const trim = trimOf(entry, rules);
  return { start, end: start + (trim === null ? UNKNOWN_SECONDS : (trim.end - trim.start) / (entry.speed ?? 1)) };
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
export function trimOf(entry: Entry, { trimEndAs, sourceLength }: TimeRules): Range<Seconds> | null {
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

/** Rounds to milliseconds: finer than any frame, and readable. */
export function tidySeconds(seconds: number): number {
  return Math.max(0.001, Math.round(seconds * 1000) / 1000);
}

interface Slot {
  readonly start?: number | undefined;
  readonly duration?: number | undefined;
}

/** The end of the last entry; 0 if there is none. */
export function lastEnd(entries: readonly Slot[]): number {
  return entries.reduce((end, { start = 0, duration = 0 }) => Math.max(end, tidySeconds(start + duration)), 0);
}
