import { computed, signal } from '@preact/signals';
import { type Entry, type EntryIndex, entryAt, sameRef } from '../../document/entries.ts';
import { DRAWN_LANES } from '../../document/lane-looks.ts';
import type { Project, TimelineData } from '../../document/project.ts';
import {
  type EntryRef,
  entriesSelection,
  type Selection,
  selectedEntries,
  toggledEntries,
} from '../../document/selection.ts';
import { announce } from '../../kit/messages.ts';
import { isPhone } from '../../kit/phone.ts';
import { timeRules } from '../../session/edit-timeline.ts';
import { captionsOf, pausesOf, selection, tierList, timelineData, zoom } from '../../session/session.ts';
import * as texts from '../../texts/en/timeline.ts';
import type { TimeScale } from '../view/time-scale.ts';
import {
  type EntryBox,
  entryBoxes,
  FINGER,
  layoutTimeline,
  MOUSE,
  oneLane,
  type Reach,
  RULER_PX,
  spokenLines,
  tallLines,
} from '../view/timeline-layout.ts';

export const allLines = computed(() => layoutTimeline(timelineData.value, timeRules.value));
/** The lane that a phone shows, as a `laneKey`, and whether it shows the timeline. */
export const phoneLane = signal<string>('tier_tiles');
export const phoneOpen = signal(false);
/** The visible lines. */
export const timelineLayout = computed(() => {
  if (isPhone.value) return oneLane(allLines.value, phoneLane.value);
  const reviewed = pausesOf.value;
  if (reviewed === null) return captionsOf.value === null ? allLines.value : spokenLines(allLines.value);
  const ids = new Set(reviewed.map(({ lane, id }) => `${lane} ${id}`));
  return tallLines(allLines.value, (ref) => ids.has(`${ref.lane} ${entryAt(timelineData.value, ref)?.id}`));
});
/** The time at the left edge, in seconds. */
export const scrollSeconds = signal(0);
/** The vertical scroll offset of the lines. */
export const scrollTop = signal(0);
/** The area of the entries, in CSS pixels. */
export const roomPx = signal({ width: 0, height: 0 });
export const scale = computed<TimeScale>(() => ({ from: scrollSeconds.value, pxPerSecond: zoom.value }));

/** Whether a drag is running. The height of the lines is fixed meanwhile, so that they do not jump under the pointer. */
export const isDragging = signal(false);
let linesBefore = 0;
/** The height of the lines. */
export const linesPx = computed(() => {
  if (!isDragging.value) linesBefore = timelineLayout.value.height + RULER_PX;
  return linesBefore;
});
/** Whether a trim or a removal moves later entries. */
export const rippling = signal(false);
/** The frame that a drag snaps to, if any. */
export const heldAt = signal<number | null>(null);

/** The selected entries by index, in lane order. */
export const selectedRefs = computed<readonly EntryIndex[]>(() => refsOf(selection.value, timelineData.value));

export function isSelected(ref: EntryIndex): boolean {
  return selectedRefs.value.some((other) => sameRef(other, ref));
}

/** The box of an entry on the canvas; null if it is not visible. */
export function boxOf(ref: EntryIndex): EntryBox | null {
  const line = timelineLayout.value.boxes.find(
    ({ line }) => line.lane === ref.lane && line.placed.some(({ index }) => index === ref.index),
  );
  if (line === undefined) return null;
  const seen = entryBoxes(line, scale.value, roomPx.value.width, timeRules.value);
  return seen.find((box) => box.ref.index === ref.index) ?? null;
}

/** The precision of a pointer. */
export function reachOf({ pointerType }: PointerEvent): Reach {
  return pointerType === 'touch' ? FINGER : MOUSE;
}

function refsOf(of: Selection, data: TimelineData): EntryIndex[] {
  if (of.kind !== 'entries') return [];
  return of.refs.flatMap((named) => placeOf(named, data) ?? []);
}

/** The index of an entry by its id; null if it is gone. */
function placeOf({ lane, id }: EntryRef, data: TimelineData = timelineData.value): EntryIndex | null {
  if (!DRAWN_LANES.includes(lane as EntryIndex['lane'])) return null;
  const index = data[lane as EntryIndex['lane']]?.findIndex((entry) => entry.id === id) ?? -1;
  return index === -1 ? null : { lane: lane as EntryIndex['lane'], index };
}

/** The id of an entry by its index. */
export function entryRefOf(ref: EntryIndex, data: TimelineData = timelineData.value): EntryRef {
  return { lane: ref.lane, id: entryAt(data, ref)!.id! };
}

/** Selects entries; `add` toggles them in the current selection. */
export function select(refs: readonly EntryIndex[], add = false): void {
  const named = refs.map((ref) => entryRefOf(ref));
  selectNamed(add ? toggledEntries(selectedEntries(selection.value), named) : named);
}

/** Selects entries. Announces their number if there are several; a single one is read by its name. */
export function selectNamed(refs: readonly EntryRef[]): void {
  selection.value = entriesSelection(refs);
  if (refs.length > 1) announce(texts.entriesSelected(refs.length));
}

/** Selects every entry that has a line. */
export function selectAll(): void {
  selectNamed(DRAWN_LANES.flatMap((lane) => timelineData.value[lane].map(({ id }) => ({ lane, id }))));
}

/** The current entry of the keyboard, while the list of entries has the focus. */
export const focusedEntry = signal<EntryIndex | null>(null);

/** The item of a tile, and the row in which it appears or to which it moves. (C44) */
export function revealedItem(
  { tier_item_id: itemId = '', to_row: moved }: Entry,
  tier_list: TierList = tierList.value,
) {
  let index = itemIndexes.get(tier_list);
  if (index === undefined) {
    const { items, rows } = tier_list;
    index = {
      items: new Map(items.map((item) => [item.id, item])),
      rows: new Map(rows.toReversed().flatMap((row) => (row.item_ids ?? []).map((id) => [id, row] as const))),
    };
    itemIndexes.set(tier_list, index);
  }
  const row = moved === undefined ? index.rows.get(itemId) : tier_list.rows.find(({ id }) => id === moved);
  return { item: index.items.get(itemId), row };
}

type TierList = Project['tier_list'];

/** Cached by (immutable) tier list, since hundreds of reveals look up their item in one drawing. */
const itemIndexes = new WeakMap<
  TierList,
  {
    readonly items: ReadonlyMap<string, TierList['items'][number]>;
    readonly rows: ReadonlyMap<string, TierList['rows'][number]>;
  }
>();
