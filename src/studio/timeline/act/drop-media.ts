import type { Frames } from '../../../time.ts';
import type { CarriedFile, Drop, DropTarget } from '../../carry/drop-target.ts';
import { written } from '../../document/entries.ts';
import { laneFor } from '../../document/lane-looks.ts';
import { keepLocked } from '../../document/lane-switches.ts';
import { defaultLength, type Landing, placeMedia } from '../../document/media-commands.ts';
import { type MediaEntry, mediaOf, type TimelineData } from '../../document/project.ts';
import { revealAt } from '../../document/reveals.ts';
import type { Point } from '../../kit/drag-session.ts';
import { say } from '../../kit/messages.ts';
import { putTimeline, timeRules } from '../../session/edit-timeline.ts';
import { decided, edit, playhead, project, type Recipe, rate, selection } from '../../session/session.ts';
import * as page from '../../texts/en/page.ts';
import * as texts from '../../texts/en/timeline.ts';
import { timeLabel } from '../view/time-scale.ts';
import { layoutTimeline, RULER_PX } from '../view/timeline-layout.ts';
import { frameUnder, held } from './entry-drag.ts';
import { heldAt, isDragging, scrollTop } from './timeline-model.ts';

/** The lane and time at a point of the window, before a drop changes the lanes; null if it is outside the timeline. */
export function landingAt({ x, y }: Point, frames: number, event: { readonly altKey: boolean }): Landing | null {
  const rect = document.querySelector('.tl-canvas')?.getBoundingClientRect();
  if (rect === undefined || x < rect.left || x >= rect.right || y < rect.top || y >= rect.bottom) return null;
  const data = decided.value.timeline_data;
  const down = y - rect.top - RULER_PX + scrollTop.value;
  const under = layoutTimeline(data, timeRules.value).boxes.find(
    ({ top, height }) => down >= top && down < top + height,
  );
  const at = frameUnder(x - rect.left);
  const by = held([0, frames], at, { data, except: [] }, event);
  return { over: under?.line.lane ?? null, start: written(Math.max(0, by), rate.value) };
}

/** The timeline as a drop target for files. */
export const TIMELINE_TARGET: DropTarget = { over: dropAt, leave: leaveTimeline };

/** The edit that a drop of a project's file would make; null if none. */
function dropAt(at: Point, carried: CarriedFile, event: PointerEvent): Drop | null {
  const entry = mediaOf(decided.value, carried.field);
  isRefused = false;
  const drop = entry === undefined ? null : dropOf(at, { ...carried, entry }, event);
  isDragging.value = drop !== null;
  if (drop === null) heldAt.value = null;
  return drop;
}

interface Carried extends CarriedFile {
  readonly entry: MediaEntry;
}

function dropOf(at: Point, { field, entry, itemId }: Carried, event: PointerEvent): Drop | null {
  const { num, den } = rate.value;
  const landing = landingAt(at, Math.round((defaultLength(entry) * num) / den), event);
  if (landing === null) return null;
  // A picture becomes a reveal, unless it is dropped on the clips.
  const isPicture = entry.kind === 'still' || entry.kind === 'animation' || entry.kind === 'drawing';
  if (isPicture && itemId !== null && landing.over !== 'videos') {
    const moment = landingAt(at, 0, event)!;
    isRefused = isRevealLocked(itemId, moment.start);
    return { label: texts.revealStep(entry.name), recipe: (draft) => reveal(draft, itemId, moment.start) };
  }
  const lane = laneFor(entry.kind, isPicture ? 'videos' : landing.over);
  if (lane === null) return null;
  return {
    label: page.addNamed(entry.name),
    recipe: (draft) => void placeMedia(draft, field, entry, { lane, start: landing.start }),
  };
}

function reveal(draft: Parameters<Recipe>[0], itemId: string, seconds: number): void {
  putTimeline(draft, decided.value.timeline_data, revealed(itemId, seconds));
}

function revealed(itemId: string, seconds: number): TimelineData {
  const { num, den } = rate.value;
  return revealAt(decided.value.timeline_data, itemId, Math.round((seconds * num) / den) as Frames, timeRules.value);
}

/** Whether the drop would change a locked entry, and is therefore refused. */
let isRefused = false;

function isRevealLocked(itemId: string, seconds: number): boolean {
  const after = revealed(itemId, seconds);
  return keepLocked(decided.value.timeline_data, after, decided.value.studio.lanes) !== after;
}

/** The drag has ended, by a drop or a cancel. */
function leaveTimeline(): void {
  if (isRefused) say(page.lockedEntries);
  isRefused = false;
  endDrop();
}

/** Clears the drop indicators. */
export function endDrop(): void {
  isDragging.value = false;
  heldAt.value = null;
}

/** By keyboard: adds the selected file, or the picture of the selected item, at the playhead. */
export function putSelectedHere(): boolean {
  const chosen = selection.value;
  const items = project.value.tier_list.items;
  const field =
    chosen.kind === 'media'
      ? chosen.field
      : chosen.kind === 'items'
        ? items.find(({ id }) => id === chosen.ids[0])?.file_field
        : undefined;
  const entry = field === undefined ? undefined : mediaOf(project.value, field);
  if (field === undefined || entry === undefined) return false;
  const lane = laneFor(entry.kind, 'videos');
  if (lane === null) {
    say(texts.notAClip(entry.name));
    return true;
  }
  const start = written(playhead.value, rate.value);
  edit(page.addNamed(entry.name), (draft) => void placeMedia(draft, field, entry, { lane, start }));
  say(texts.onTimeline(entry.name, timeLabel(start, true)));
  return true;
}
