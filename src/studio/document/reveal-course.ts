import type { BoardEvent } from '../../plan/model/board-scene.ts';
import { SECONDS } from '../../plan/reveal/course.ts';
import { type FrameRate, type Frames, frameAt } from '../../time.ts';
import { MAX_HOLD_SECONDS } from '../../timeline/limits.ts';
import {
  type Entry,
  type EntryIndex,
  entryAt,
  frameSlot,
  type TimeRules,
  toMicros,
  withEntry,
  written,
} from './entries.ts';
import type { TimelineData } from './project.ts';

/** The plan's timing of a tile. Frames are relative to the tile, so that they stay valid while it is dragged. (R26) */
export interface RevealCourse {
  readonly style: BoardEvent['style'];
  /** Later than 0 if the stage or the item was not free. */
  readonly starts: number;
  readonly verdict: number;
  readonly takeOff: number;
  readonly lands: number;
  /** The verdict that a spotlight requests; null if the tile is not a spotlight. */
  readonly asked: number | null;
}

/** The courses of all tiles, by entry id. */
export interface RevealCourses {
  readonly byTile: ReadonlyMap<string, RevealCourse>;
  /** The longest time from a tile to its landing. */
  readonly longest: number;
}

export const NO_COURSES: RevealCourses = { byTile: new Map(), longest: 0 };

/** The planned reveals, and the default hold. */
export interface PlannedReveals {
  readonly courses: RevealCourses;
  readonly usualHold: number | undefined;
}

export const NOT_PLANNED: PlannedReveals = { courses: NO_COURSES, usualHold: undefined };

/** The length of a spotlight's entrance. */
export function entranceFrames(rate: FrameRate): Frames {
  return frameAt(SECONDS.spotlight.entrance, rate);
}

/** The course with the tile's changes since it was planned. A drag is visible at once; the next plan decides whether it fits. */
export function currentCourse(
  planned: RevealCourse,
  tile: Entry,
  { rate }: TimeRules,
  usualHold = DEFAULT_HOLD_SECONDS,
): RevealCourse {
  if (planned.asked === null) return planned;
  const asked =
    tile.stamp_at === undefined
      ? planned.starts + frameAt(SECONDS.spotlight.entrance + (tile.hold ?? usualHold), rate)
      : frameAt(tile.stamp_at, rate) - frameAt(tile.position ?? 0, rate);
  const by = Math.max(asked, planned.starts + entranceFrames(rate)) - planned.asked;
  if (by === 0) return planned;
  const { verdict, takeOff, lands } = planned;
  return { ...planned, asked: planned.asked + by, verdict: verdict + by, takeOff: takeOff + by, lands: lands + by };
}

/** The hold if neither the tile nor the settings have one. (C55) */
const DEFAULT_HOLD_SECONDS = 0.9;

/** The verdict of a spotlight: as planned, or as requested if the card pops in for lack of time. */
export function verdictOf({ style, verdict, asked }: RevealCourse): number {
  return style === 'spotlight' ? verdict : (asked ?? verdict);
}

/** How many frames the card is held up before its verdict. */
export function heldFrames(course: RevealCourse, rate: FrameRate): number {
  return verdictOf(course) - course.starts - entranceFrames(rate);
}

/** How many frames the plan has removed from the hold. */
export function shortenedBy({ style, asked, verdict }: RevealCourse): number {
  return style === 'spotlight' && asked !== null ? Math.max(0, asked - verdict) : 0;
}

/**
 * Sets the verdict of a spotlight to a frame relative to the tile. A tile with a `stamp_at` keeps that field, any other gets a `hold`.
 * (C55)
 */
export function withVerdict(
  timeline: TimelineData,
  ref: EntryIndex,
  to: number,
  { course, rules }: { readonly course: RevealCourse; readonly rules: TimeRules },
): TimelineData {
  const { rate } = rules;
  const tile = entryAt(timeline, ref)!;
  const min = course.starts + entranceFrames(rate);
  const max = course.starts + frameAt(SECONDS.spotlight.entrance + MAX_HOLD_SECONDS, rate);
  const verdict = Math.min(Math.max(to, min), max);
  if (tile.stamp_at !== undefined) {
    return withEntry(timeline, ref, { ...tile, stamp_at: written(frameSlot(tile, rules).start + verdict, rate) });
  }
  const hold = toMicros(written(verdict - course.starts, rate) - SECONDS.spotlight.entrance);
  return withEntry(timeline, ref, { ...tile, hold: Math.min(Math.max(0, hold), MAX_HOLD_SECONDS) });
}
