import type { BoardEvent } from '../../../plan/board-scene.ts';
import { SECONDS } from '../../../plan/reveal/course.ts';
import { type FrameRate, type Frames, frameAt } from '../../../time.ts';
import { MOST_HOLD_SECONDS } from '../../../timeline/limits.ts';
import type { TimelineData } from '../project.ts';
import { type Entry, type EntryRef, entryAt, withEntry } from './entries.ts';
import { frameSlot, type TimeRules, toMicros, written } from './slot.ts';

/** What the plan makes of a tile. All frames count from the tile's own frame, so that they hold while the tile is dragged. (R26) */
export interface RevealCourse {
  readonly style: BoardEvent['style'];
  /** Later than 0 where the stage or the item was not free. */
  readonly starts: number;
  readonly verdict: number;
  readonly takeOff: number;
  readonly lands: number;
  /** The verdict that a spotlight asks for; null: the tile is no spotlight. */
  readonly asked: number | null;
}

/** The courses of all tiles, by the ids of their entries. */
export interface RevealCourses {
  readonly byTile: ReadonlyMap<string, RevealCourse>;
  /** From the frame of a tile to its landing, at most. */
  readonly longest: number;
}

export const NO_COURSES: RevealCourses = { byTile: new Map(), longest: 0 };

/** Reveals as they are planned, and how long a card is held up where its tile does not say. */
export interface PlannedReveals {
  readonly courses: RevealCourses;
  readonly usualHold: number | undefined;
}

export const NOT_PLANNED: PlannedReveals = { courses: NO_COURSES, usualHold: undefined };

/** How long a card takes to come up. */
export function entranceFrames(rate: FrameRate): Frames {
  return frameAt(SECONDS.spotlight.entrance, rate);
}

/** The course with what the tile asks for since it was planned: a drag is seen at once, the next plan says whether it fits. */
export function currentCourse(
  planned: RevealCourse,
  tile: Entry,
  { rate }: TimeRules,
  usualHold = USUAL_HOLD_SECONDS,
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

/** What holds where neither the tile nor the settings say how long a card is held up. (C55) */
const USUAL_HOLD_SECONDS = 0.9;

/** Where the verdict of a spotlight is: as planned, or, where the card pops in for want of room, as the tile asks for it. */
export function verdictOf({ style, verdict, asked }: RevealCourse): number {
  return style === 'spotlight' ? verdict : (asked ?? verdict);
}

/** For how many frames the card is held up before its verdict. */
export function heldFrames(course: RevealCourse, rate: FrameRate): number {
  return verdictOf(course) - course.starts - entranceFrames(rate);
}

/** By how many frames the plan has shortened the hold. */
export function shortenedBy({ style, asked, verdict }: RevealCourse): number {
  return style === 'spotlight' && asked !== null ? Math.max(0, asked - verdict) : 0;
}

/**
 * A spotlight with its verdict at another frame, counted from the tile's own. A tile that has a `stamp_at` keeps that field, every
 * other gets a `hold`. (C55)
 */
export function withVerdict(
  timeline: TimelineData,
  ref: EntryRef,
  to: number,
  { course, rules }: { readonly course: RevealCourse; readonly rules: TimeRules },
): TimelineData {
  const { rate } = rules;
  const tile = entryAt(timeline, ref)!;
  const least = course.starts + entranceFrames(rate);
  const most = course.starts + frameAt(SECONDS.spotlight.entrance + MOST_HOLD_SECONDS, rate);
  const verdict = Math.min(Math.max(to, least), most);
  if (tile.stamp_at !== undefined) {
    return withEntry(timeline, ref, { ...tile, stamp_at: written(frameSlot(tile, rules).start + verdict, rate) });
  }
  const hold = toMicros(written(verdict - course.starts, rate) - SECONDS.spotlight.entrance);
  return withEntry(timeline, ref, { ...tile, hold: Math.min(Math.max(0, hold), MOST_HOLD_SECONDS) });
}
