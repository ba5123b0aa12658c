import { type Frames, frameAt, type Range, type Seconds } from '../../time.ts';
import { LANES, type LaneName } from '../../timeline/lanes.ts';
import * as texts from '../texts/en/document.ts';
import {
  type Entry,
  type EntryIndex,
  entryAt,
  frameSlot,
  playsSource,
  type TimeRules,
  toMicros,
  trimOf,
  withLane,
  written,
  writtenSlot,
} from './entries.ts';
import { DRAWN_LANES } from './lane-looks.ts';
import type { TimelineData } from './project.ts';
import { splitEntry } from './split-entry.ts';

/** Why pauses cannot be removed from an entry; null if they can. */
export function whyNoPauses(timeline: TimelineData, ref: EntryIndex, rules: TimeRules): string | null {
  const entry = entryAt(timeline, ref);
  if (entry === undefined || !playsSource(ref, entry, rules)) return texts.nothingToHear;
  return entry.loop ? texts.loopHasPauses : null;
}

/** The timeline frames that are completely inside parts of an entry's source, limited to its slot. */
export function framesOfSource(entry: Entry, parts: readonly Range<Seconds>[], rules: TimeRules): Range<Frames>[] {
  const slot = frameSlot(entry, rules);
  const from = trimOf(entry, rules)?.start ?? 0;
  const framesASecond = rules.rate.num / rules.rate.den / (entry.speed ?? 1);
  const place = (at: Seconds) => slot.start + (at - from) * framesASecond;
  return parts.flatMap(({ start, end }) => {
    const first = Math.max(slot.start, Math.ceil(place(start) - ALMOST)) as Frames;
    const last = Math.min(slot.end, Math.floor(place(end) + ALMOST)) as Frames;
    return last > first ? [{ start: first, end: last }] : [];
  });
}

/** The ranges in order; those that touch are one. A pause may go on in the next clip. */
export function joinedCuts(ranges: readonly Range<Frames>[]): Range<Frames>[] {
  const joined: Range<Frames>[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || range.start > last.end) joined.push(range);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) as Frames };
  }
  return joined;
}

/** Tolerance for a whole frame in floating point. */
const ALMOST = 1e-6;

/**
 * Removes time from all lanes. Sources are cut, so that sound stays with its picture, reveal or word. Music, loops, stills and texts
 * get shorter. Entries within a cut are removed; a reveal moves to the cut.
 *
 * @param cuts in order, without contact between them.
 */
export function cutTime(timeline: TimelineData, cuts: readonly Range<Frames>[], rules: TimeRules): TimelineData {
  return DRAWN_LANES.reduce((left, lane) => {
    const entries = timeline[lane] as readonly Entry[];
    const next = entries.flatMap((entry) => cutEntry(lane, entry, cuts, rules));
    const isSame = next.length === entries.length && next.every((entry, index) => entry === entries[index]);
    return isSame ? left : withLane(left, lane, next);
  }, timeline);
}

/** The entries within a cut, which are removed with it. */
export function lostIn(timeline: TimelineData, cuts: readonly Range<Frames>[], rules: TimeRules): EntryIndex[] {
  return DRAWN_LANES.flatMap((lane) =>
    (timeline[lane] as readonly Entry[]).flatMap((entry, index) =>
      cutEntry(lane, entry, cuts, rules).length === 0 ? [{ lane, index }] : [],
    ),
  );
}

function cutEntry(lane: LaneName, entry: Entry, cuts: readonly Range<Frames>[], rules: TimeRules): readonly Entry[] {
  const slot = frameSlot(entry, rules);
  const after = (frame: number) => movedBack(frame, cuts);
  if (LANES[lane].time === 'moment') return [movedMoment(entry, slot.start, after, rules)];
  if (after(slot.end) === slot.end) return [entry];
  const [start, end] = [after(slot.start), after(slot.end)];
  if (start === end) return [];
  const isCutThrough = cuts.some((cut) => cut.start < slot.end && cut.end > slot.start);
  const plays = playsSource({ lane, index: 0 }, entry, rules) && !entry.loop && entry.role !== 'music';
  if (isCutThrough && plays) return partsOf(lane, entry, cuts, rules);
  return [
    {
      ...withMovedWords(withMovedLevels(entry, slot.start, after, rules), after, rules),
      ...writtenSlot({ start, end }, rules.rate),
    },
  ];
}

/** The position of a frame after the cuts; for a frame within a cut, the position of the cut. */
function movedBack(frame: number, cuts: readonly Range<Frames>[]): number {
  let gone = 0;
  for (const { start, end } of cuts) {
    if (start >= frame) break;
    gone += Math.min(frame, end) - start;
  }
  return frame - gone;
}

type Moved = (frame: number) => number;

function movedMoment(tile: Entry, at: Frames, after: Moved, { rate }: TimeRules): Entry {
  const stamp = tile.stamp_at === undefined ? null : frameAt(tile.stamp_at, rate);
  const isMoved = after(at) !== at || (stamp !== null && after(stamp) !== stamp);
  if (!isMoved) return tile;
  return {
    ...tile,
    position: written(after(at), rate),
    ...(stamp !== null && { stamp_at: written(after(stamp), rate) }),
  };
}

/** The remaining parts of an entry that plays a source. Entrance and exit stay at the outer ends. */
function partsOf(lane: LaneName, entry: Entry, cuts: readonly Range<Frames>[], rules: TimeRules): Entry[] {
  const edges = cuts.flatMap(({ start, end }) => [start, end]);
  // From back to front, so that the first entry keeps its index.
  const alone = edges
    .toReversed()
    .reduce(
      (split, at) => splitEntry(split, { lane, index: 0 }, at, rules),
      withLane({} as TimelineData, lane, [entry]),
    );
  const parts = alone[lane] as readonly Entry[];
  const isGone = (part: Entry) => {
    const slot = frameSlot(part, rules);
    return cuts.some((cut) => cut.start <= slot.start && slot.end <= cut.end);
  };
  const kept = parts.filter((part) => !isGone(part));
  return kept.map((part, index) => {
    const { start, end } = frameSlot(part, rules);
    // The others get ids when they are written. (C14)
    const { id: _, ...unnamed } = part;
    return {
      ...unnamed,
      ...(index === 0 && picked(entry, ['id', 'fade_in', 'enter', 'transition'])),
      ...(index === kept.length - 1 && picked(entry, ['fade_out', 'exit'])),
      ...writtenSlot({ start: movedBack(start, cuts), end: movedBack(end, cuts) }, rules.rate),
    };
  });
}

function picked(entry: Entry, names: readonly (keyof Entry)[]): Entry {
  return Object.fromEntries(names.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])));
}

/** Volume points stay with their sound; of two at the same time the later one counts. (C80) */
function withMovedLevels(entry: Entry, start: Frames, after: Moved, { rate }: TimeRules): Entry {
  const { volume_points: points } = entry;
  if (points === undefined) return entry;
  const moved = points.map(({ at, volume }) => {
    const frame = start + (at * rate.num) / rate.den;
    return { at: toMicros(((after(frame) - after(start)) * rate.den) / rate.num), volume };
  });
  return { ...entry, volume_points: moved.filter(({ at }, index) => at !== moved[index + 1]?.at) };
}

/** Moves the words along, so that each is highlighted when it is said. (C43) */
function withMovedWords(entry: Entry, after: Moved, { rate }: TimeRules): Entry {
  if (entry.words === undefined) return entry;
  const at = (seconds: Seconds) => toMicros((after((seconds * rate.num) / rate.den) * rate.den) / rate.num);
  const words = entry.words.map(({ end, ...word }) => {
    return { ...word, start: at(word.start), ...(end !== undefined && { end: at(end) }) };
  });
  return { ...entry, words };
}
