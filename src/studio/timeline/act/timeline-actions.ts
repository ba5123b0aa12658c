import { computed, signal, untracked } from '@preact/signals';
import { type Frames, secondsOf } from '../../../time.ts';
import type { LaneName } from '../../../timeline/lanes.ts';
import { type Entry, toMicros, withLane, written } from '../../document/entries.ts';
import { LANE_LOOKS } from '../../document/lane-looks.ts';
import { moveEntries, removeEntries, rippleRemove } from '../../document/move-entries.ts';
import { revealAt, unrevealed } from '../../document/reveals.ts';
import { splitAll, splitEntry, whyNotSplit } from '../../document/split-entry.ts';
import { rippleTrim, trimEntry } from '../../document/trim-entry.ts';
import { focusDetails } from '../../keys/move-focus.ts';
import { say } from '../../kit/messages.ts';
import { editTimeline, lastFrame, timeRules } from '../../session/edit-timeline.ts';
import { planned, playhead, project, rate, selection, timelineData, zoom } from '../../session/session.ts';
import { lengthInFrames } from '../../session/transport.ts';
import * as page from '../../texts/en/page.ts';
import * as texts from '../../texts/en/timeline.ts';
import { fitted, showing, zoomedAt } from '../view/time-scale.ts';
import { rippling, roomPx, scale, scrollSeconds, select, selectedRefs } from './timeline-model.ts';

/** The actions of the timeline's buttons and keys. */

/** Whether the list of reveals is open. */
export const orderOpen = signal(false);

export function openOrder(): void {
  orderOpen.value = true;
}

/** Splits the selected entries at the playhead; without a selection, all entries there. */
export function splitHere(): void {
  const at = playhead.value as Frames;
  const refs = selectedRefs.value;
  if (refs.length === 0) {
    editTimeline(texts.splitStep, (data, by) => splitAll(data, at, by));
    return;
  }
  const [first] = refs;
  if (refs.length === 1) {
    const why = whyNotSplit(timelineData.value, first!, at, timeRules.value);
    if (why !== null) {
      say(why);
      return;
    }
  }
  // From back to front, so that the indices before stay valid.
  const order = refs.toSorted((a, b) => b.index - a.index);
  editTimeline(texts.splitStep, (data, by) => order.reduce((split, ref) => splitEntry(split, ref, at, by), data));
}

export function removeSelected(ripple: boolean): boolean {
  const refs = selectedRefs.value;
  if (refs.length === 0) return false;
  const label =
    refs.length === 1 ? page.removeNamed(LANE_LOOKS[refs[0]!.lane].label) : texts.removeEntries(refs.length);
  editTimeline(label, (data, by) => (ripple ? rippleRemove(data, refs, by) : removeEntries(data, refs)));
  selection.value = { kind: 'none' };
  return true;
}

export function nudge(byFrames: number): boolean {
  const refs = selectedRefs.value;
  if (refs.length === 0) return false;
  editTimeline(texts.moveStep, (data, by) => moveEntries(data, refs, byFrames, by));
  return true;
}

/** Trims an edge of the selected entries to the playhead. */
export function trimHere(edge: 'start' | 'end'): boolean {
  const refs = selectedRefs.value;
  if (refs.length === 0) return false;
  const to = playhead.value as Frames;
  const trim = rippling.value ? rippleTrim : trimEntry;
  editTimeline(texts.trimStep, (data, by) => refs.reduce((trimmed, ref) => trim(trimmed, ref, { edge, to }, by), data));
  return true;
}

/**
 * Reveals an item at the playhead: the selected items, those of selected reveals, else the next without a reveal, else the next that is
 * revealed later.
 */
export function revealHere(): void {
  const ids = nextItems();
  if (ids.length === 0) {
    say(texts.nothingLeft);
    return;
  }
  const at = playhead.value as Frames;
  const step = Math.max(1, Math.round(rate.value.num / rate.value.den));
  const label = ids.length === 1 ? texts.revealStep(nameOfItem(ids[0]!)) : texts.revealItems(ids.length);
  editTimeline(label, (data, by) =>
    ids.reduce((changed, id, index) => revealAt(changed, id, (at + index * step) as Frames, by), data),
  );
}

function nextItems(): readonly string[] {
  const chosen = selection.value;
  if (chosen.kind === 'items') return chosen.ids;
  if (chosen.kind === 'entries') {
    const tiles = selectedRefs.value.filter(({ lane }) => lane === 'tier_tiles');
    if (tiles.length > 0) return tiles.map(({ index }) => timelineData.value.tier_tiles[index]!.tier_item_id);
  }
  const [waiting] = unrevealed(timelineData.value, project.value.tier_list);
  if (waiting !== undefined) return [waiting];
  const now = secondsOf(playhead.value as Frames, rate.value);
  const later = timelineData.value.tier_tiles
    .filter(({ position }) => position > now)
    .toSorted((a, b) => a.position - b.position);
  return later.slice(0, 1).map((tile) => tile.tier_item_id);
}

export function nameOfItem(id: string): string {
  return project.value.tier_list.items.find((item) => item.id === id)?.name ?? id;
}

/** Zooms around a position of the canvas, by default around the playhead. */
export function zoomBy(factor: number, x?: number): void {
  const around = x ?? playheadX() ?? roomPx.value.width / 2;
  setScale(zoomedAt(scale.value, around, factor));
}

function playheadX(): number | null {
  const x = (secondsOf(playhead.value as Frames, rate.value) - scale.value.from) * scale.value.pxPerSecond;
  return x >= 0 && x <= roomPx.value.width ? x : null;
}

export function zoomToFit(): void {
  setScale(fitted(secondsOf(framesToFit(), rate.value), roomPx.value.width));
}

/** The end of the last entry, or of the video where "auto" makes a part of it. */
export function framesToFit(): Frames {
  return Math.max(lastFrame.value, lengthInFrames()) as Frames;
}

export function setScale(next: { readonly from: number; readonly pxPerSecond: number }): void {
  zoom.value = next.pxPerSecond;
  scrollSeconds.value = next.from;
}

/** Scrolls just enough to show a frame. */
export function keepInSight(frame: number): void {
  const { width } = roomPx.value;
  if (width === 0) return;
  scrollSeconds.value = showing(
    untracked(() => scale.value),
    secondsOf(frame as Frames, rate.value),
    width,
  ).from;
}

/** Adds an entry to a lane at the playhead. A text is selected for editing. */
export function addHere(lane: LaneName): void {
  const { label, adds } = LANE_LOOKS[lane];
  if (adds === null) return;
  const start = written(playhead.value, rate.value);
  const entries = timelineData.value[lane] as readonly Entry[];
  const room = adds.alone === true ? roomAlone(entries, start) : adds.seconds;
  if (room === 0) {
    say(texts.alreadyHere(label));
    return;
  }
  const entry = { ...(adds.text !== undefined && { text: adds.text }), start };
  const duration = toMicros(Math.min(adds.seconds, room));
  editTimeline(page.addNamed(label), (data) => withLane(data, lane, [...entries, { ...entry, duration }]));
  // A read-only project is not changed, and during a recording the edit waits for its end.
  if (timelineData.value[lane].length <= entries.length) return;
  select([{ lane, index: entries.length }]);
  if (adds.text !== undefined) focusDetails('[data-field="text"] textarea');
}

/** Seconds from a time until the next entry; 0 if one is already there. */
function roomAlone(entries: readonly Entry[], at: number): number {
  const slots = entries.map(({ start = 0, duration = 0 }) => ({ from: start, to: start + duration }));
  if (slots.some(({ from, to }) => from <= at && at < to)) return 0;
  return Math.min(...slots.filter(({ from }) => from > at).map(({ from }) => from - at));
}

const NO_ISSUES: ReadonlyMap<string, 'error' | 'warning'> = new Map();

/** Warnings and errors, by the JSON Pointer of their entry. */
export const issueKinds = computed(() => {
  const found = new Map<string, 'error' | 'warning'>();
  const { warnings, errors } = planned.value;
  for (const [kind, list] of [
    ['warning', warnings],
    ['error', errors],
  ] as const) {
    for (const { path } of list) {
      const entry = /^\/timeline_data\/\w+\/\d+/.exec(path)?.[0];
      if (entry !== undefined) found.set(entry, kind);
    }
  }
  return found.size === 0 ? NO_ISSUES : found;
});
