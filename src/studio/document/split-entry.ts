import { kenBurns } from '../../plan/place/place-motion.ts';
import {
  type Frames,
  microsAt,
  type Seconds,
  secondsOf,
  secondsOfMicros,
  sourceElapsed,
  speedMillionths,
} from '../../time.ts';
import { LANES, type LaneName, SPAN_LANES } from '../../timeline/lanes.ts';
import * as texts from '../texts/en/document.ts';
import {
  type Entry,
  type EntryIndex,
  entryAt,
  playsSource,
  slotOf,
  type TimeRules,
  toMicros,
  withLane,
  writtenSlot,
} from './entries.ts';
import type { TimelineData } from './project.ts';
import { withCutEnd, withMovedStart } from './volume-points.ts';

/** Lanes whose entries have an entrance and an exit by default, even next to each other. (C60) */
const ENTER_EXIT_LANES: ReadonlySet<LaneName> = new Set(['titles']);

/** Why an entry cannot be split at a frame; null if it can. */
export function whyNotSplit(timeline: TimelineData, ref: EntryIndex, at: Frames, rules: TimeRules): string | null {
  const entry = entryAt(timeline, ref);
  if (entry === undefined) return texts.nothingToSplit;
  if (LANES[ref.lane].time === 'moment') return texts.revealNotSplit;
  if (entry.loop) return texts.loopNotSplit;
  const { start, end } = slotOf(timeline, ref, rules);
  return start < at && at < end ? null : texts.playheadElsewhere;
}

/**
 * Splits an entry at a frame; the second part follows the first in its lane. Every frame shows the same source time, to the
 * microsecond, and the same motion. Fades, entrance and exit stay at the outer ends.
 */
export function splitEntry(timeline: TimelineData, ref: EntryIndex, at: Frames, rules: TimeRules): TimelineData {
  if (whyNotSplit(timeline, ref, at, rules) !== null) return timeline;
  const entry = entryAt(timeline, ref)!;
  const { rate } = rules;
  const { start, end } = slotOf(timeline, ref, rules);
  const { fade_in: fadeIn, fade_out: fadeOut, transition, ...plain } = entry;
  const begins = { ...fade('fade_in', fadeIn), ...(transition !== undefined && { transition }) };
  const stays = (way: 'enter' | 'exit'): Entry =>
    entry[way] !== undefined || ENTER_EXIT_LANES.has(ref.lane) ? { [way]: 'none' } : {};
  const name = entry.id ?? rules.sourceHash?.(entry.file_field ?? '') ?? '';
  const ending = withMotionBeyond(plain, name, { after: secondsOf((end - at) as Frames, rate) });
  const before = secondsOf((at - start) as Frames, rate);
  const head = withCutEnd(ending, before, rules.volumeAs);
  const first: Entry = { ...head, ...begins, ...stays('exit'), ...writtenSlot({ start, end: at }, rate) };
  const rest = withMovedStart(withMotionBeyond(plain, name, { before }), before, rules.volumeAs);
  const ends = { ...fade('fade_out', fadeOut), ...stays('enter') };
  const second: Entry = { ...rest, ...ends, ...writtenSlot({ start: at, end }, rate) };
  if (playsSource(ref, entry, rules)) {
    const into = sourceElapsed((at - start) as Frames, rate, speedMillionths(entry.speed ?? 1));
    Object.assign(second, { trim_start: secondsOfMicros(microsAt(entry.trim_start ?? 0) + into) });
  }
  // Two entries with the same id are an error. (C14)
  if (entry.id !== undefined) Object.assign(second, { id: freeName(entry.id, timeline, ref) });
  const entries = (timeline[ref.lane] as readonly Entry[]).toSpliced(ref.index, 1, first, second);
  return withLane(timeline, ref.lane, entries);
}

/** Splits every entry at a frame, in all lanes. */
export function splitAll(timeline: TimelineData, at: Frames, rules: TimeRules): TimelineData {
  let split = timeline;
  for (const lane of SPAN_LANES) {
    for (let index = timeline[lane].length - 1; index >= 0; index -= 1) {
      split = splitEntry(split, { lane, index }, at, rules);
    }
  }
  return split;
}

function fade(name: 'fade_in' | 'fade_out', seconds: number | undefined): Entry {
  return seconds === undefined ? {} : { [name]: seconds };
}

function freeName(id: string, timeline: TimelineData, { lane }: EntryIndex): string {
  const taken = new Set((timeline[lane] as readonly Entry[]).map((entry) => entry.id));
  const stem = id.replace(/ \d+$/, '');
  let number = 2;
  while (taken.has(`${stem} ${number}`)) number += 1;
  return `${stem} ${number}`;
}

type Motion = NonNullable<Entry['motion']>;

/** How many seconds a motion starts before an entry, or ends after it. */
interface Beyond {
  readonly before?: Seconds;
  readonly after?: Seconds;
}

/** A part of an entry that moves as the whole does. (C59) @param name of the whole, which seeds `ken_burns`. */
function withMotionBeyond(entry: Entry, name: string, beyond: Beyond): Entry {
  const { motion, presets } = entry;
  const places = Object.entries((presets ?? {}) as Record<string, { motion?: Motion | undefined }>);
  return {
    ...entry,
    ...(motion !== undefined && { motion: longer(motion, name, beyond) }),
    ...(places.some(([, place]) => place.motion !== undefined) && {
      presets: Object.fromEntries(
        places.map(([preset, place]) => [
          preset,
          place.motion === undefined ? place : { ...place, motion: longer(place.motion, name, beyond) },
        ]),
      ),
    }),
  };
}

function longer(motion: Motion, name: string, beyond: Beyond): Motion {
  const given: Exclude<Motion, string> = motion === 'ken_burns' ? kenBurns(name) : motion;
  const sum = (side: keyof Beyond) => toMicros((given[side] ?? 0) + (beyond[side] ?? 0));
  const [before, after] = [sum('before'), sum('after')];
  return { ...given, ...(before > 0 && { before }), ...(after > 0 && { after }) };
}
