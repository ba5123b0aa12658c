import { computed } from '@preact/signals';
import { type Frames, secondsOf } from '../../time.ts';
import { type Entry, type EntryIndex, frameSlot, slotOf } from '../document/entries.ts';
import {
  currentCourse,
  heldFrames,
  type RevealCourse,
  shortenedBy,
  verdictOf,
  withVerdict,
} from '../document/reveal-course.ts';
import { spreadReveals } from '../document/reveals.ts';
import { say } from '../kit/messages.ts';
import * as texts from '../texts/en/page.ts';
import { editTimeline, lastFrame, reveals, timeRules } from './edit-timeline.ts';
import { playhead, project, rate, selection, timelineData } from './session.ts';

/** The only selected entry is a spotlight: its verdict can be moved. (C55) */
export interface HeldReveal {
  readonly ref: EntryIndex;
  readonly tile: Entry;
  readonly course: RevealCourse;
  /** Output frames of the tile and of the verdict. */
  readonly at: number;
  readonly verdict: number;
}

export const heldReveal = computed<HeldReveal | null>(() => {
  const chosen = selection.value;
  if (chosen.kind !== 'entries' || chosen.refs.length !== 1 || chosen.refs[0]!.lane !== 'tier_tiles') return null;
  const { lane, id } = chosen.refs[0]!;
  const { courses, usualHold } = reveals.value;
  const planned = courses.byTile.get(id);
  const index = timelineData.value.tier_tiles.findIndex((tile) => tile.id === id);
  if (index === -1 || planned === undefined || planned.asked === null) return null;
  const tile: Entry = timelineData.value.tier_tiles[index]!;
  const course = currentCourse(planned, tile, timeRules.value, usualHold);
  const at = frameSlot(tile, timeRules.value).start;
  return { ref: { lane, index }, tile, course, at, verdict: at + verdictOf(course) };
});

/** Moves the verdict of the selected spotlight to the playhead. @returns whether there is one. */
export function verdictHere(): boolean {
  const reveal = heldReveal.value;
  if (reveal === null) return false;
  const { ref, course, at } = reveal;
  editTimeline(texts.moveVerdict, (data, rules) => withVerdict(data, ref, playhead.value - at, { course, rules }));
  return true;
}

/** How many seconds the card is held up. */
export function heldSeconds({ course }: HeldReveal): number {
  return secondsOf(heldFrames(course, rate.value) as Frames, rate.value);
}

/** "Verdict at 12.4 s, card held up for 3.1 s", and what the plan has changed. */
export function verdictWords(reveal: HeldReveal): string {
  const { course, verdict } = reveal;
  const said = texts.verdict(inSeconds(verdict), inSeconds(heldFrames(course, rate.value)));
  if (course.style !== 'spotlight') return texts.verdictPops(said);
  const by = shortenedBy(course);
  return by === 0 ? said : texts.verdictShortened(said, inSeconds(by));
}

function inSeconds(frames: number): string {
  return texts.seconds(Math.round(secondsOf(frames as Frames, rate.value) * 100) / 100);
}

/** Spreads all reveals evenly over the time in which the board is visible, or over the whole video if it never is. */
export function spreadEvenly(): void {
  const blocks = (timelineData.value.tier_blocks ?? []).map((_, index) =>
    slotOf(timelineData.value, { lane: 'tier_blocks', index }, timeRules.value),
  );
  const start = blocks.reduce(
    (min, slot) => Math.min(min, slot.start),
    blocks.length === 0 ? 0 : Number.MAX_SAFE_INTEGER,
  );
  const end = blocks.reduce((max, slot) => Math.max(max, slot.end), 0) || lastFrame.value;
  if (end <= start) {
    say(texts.noTimeToSpread);
    return;
  }
  const over = { start: start as Frames, end: end as Frames };
  editTimeline(texts.spreadReveals, (data, by) => spreadReveals(data, project.value.tier_list, over, by));
}
