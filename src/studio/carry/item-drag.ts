import { batch, computed, signal } from '@preact/signals';
import { itemsIn, type Place, placeItems, rowOfItem } from '../document/board-commands.ts';
import type { Project } from '../document/project.ts';
import { isItemSelected } from '../document/selection.ts';
import { edgeScroll, type Point, startDrag } from '../kit/drag-session.ts';
import { announce } from '../kit/messages.ts';
import { openMenu } from '../kit/open-menu.ts';
import { beginGesture, edit, project, type RunningGesture, selection } from '../session/session.ts';
import * as texts from '../texts/en/board.ts';
import { dropUnder, leaveTargets } from './drop-target.ts';

/** Items during a move, and where they would land. */
interface Lifted {
  readonly ids: readonly string[];
  readonly place: Place;
  /** `pointer` shows a ghost; with keys the items themselves move. */
  readonly by: 'pointer' | 'keys';
}

export const lifted = signal<Lifted | null>(null);
/** Whether items are being moved. */
export const isLifted = computed(() => lifted.value !== null);
export const POOL = '';
/** The row (or the pool) under a pointer drag; null if there is none. */
export const hotRow = computed(() => (lifted.value?.by === 'pointer' ? (lifted.value.place.row ?? POOL) : null));
/** Ids of the items being moved. */
export const inAir = computed<ReadonlySet<string>>(() => new Set(lifted.value?.ids));
/** Positions the ghost. Not a signal, since it moves with every display frame. */
let ghostAt: ((at: Point) => void) | null = null;

export function onGhostMove(listener: ((at: Point) => void) | null): void {
  ghostAt = listener;
}

export function moveGhost(at: Point): void {
  ghostAt?.(at);
}

/** The file of an item that is dragged from the media: panels other than the board may accept it. */
interface ItemFile {
  readonly field: string;
  /** The drag has started. */
  start(): void;
}

/** The items that move with this one: the whole selection, if it is part of it. */
export function takenWith(id: string): readonly string[] {
  const chosen = selection.value;
  if (chosen.kind !== 'items' || !isItemSelected(chosen, id)) return [id];
  // In board order, not in the order of selection.
  const all = [...project.value.tier_list.rows.map((row) => row.id), null].flatMap((row) =>
    itemsIn(project.value, row),
  );
  return all.map((item) => item.id).filter((each) => chosen.ids.includes(each));
}

export function placeOfItem(id: string): Place {
  const row = rowOfItem(project.value, id)?.id ?? null;
  return { row, index: itemsIn(project.value, row).findIndex((item) => item.id === id) };
}

function moveLabel(ids: readonly string[]): string {
  if (ids.length > 1) return texts.moveItems(ids.length);
  const item = project.value.tier_list.items.find(({ id }) => id === ids[0]);
  return texts.moveItem(item?.name ?? ids[0]!);
}

/** Tracks a pointer from a press on an item, on the board or in the media. */
export function dragItem(event: PointerEvent, id: string, file: ItemFile | null = null): void {
  let gesture: RunningGesture | null = null;
  let last: Place | null = null;
  const board = document.querySelector<HTMLElement>('.board');
  const ids = takenWith(id);
  const label = moveLabel(ids);
  startDrag(event, {
    scroll: edgeScroll(boardScroller()),
    start() {
      if (board === null && file === null) return false;
      file?.start();
      // Deferred: rendering its inspector takes as long as starting the drag, and both at once would cause a visible stall.
      setTimeout(() => {
        if (!isItemSelected(selection.value, id)) selection.value = { kind: 'items', ids };
      });
      gesture = beginGesture();
      last = placeOfItem(id);
      lifted.value = { ids, place: last, by: 'pointer' };
      return true;
    },
    move(at, moved) {
      follow(at, moved);
      // Last, because a measurement after it would force a layout.
      moveGhost(at);
    },
    press(at) {
      if (!isItemSelected(selection.value, id)) selection.value = { kind: 'items', ids };
      openMenu({ kind: 'item', id }, at);
    },
    end() {
      lifted.value = null;
      gesture?.end();
      if (file !== null) leaveTargets();
    },
    cancel() {
      lifted.value = null;
      gesture?.cancel();
      if (file !== null) leaveTargets();
    },
  });

  function follow(at: Point, moved: PointerEvent): void {
    const other = file === null ? null : dropUnder(at, { field: file.field, itemId: id }, moved);
    if (other !== null) {
      last = null;
      gesture?.change(other.label, other.recipe);
      return;
    }
    const place = placeUnder(at, ids);
    // The pointer has left the other panel and is not over the board.
    if (place === null && last === null) gesture?.change(label, () => {});
    if (place === null || (place.row === last?.row && place.index === last.index)) return;
    last = place;
    batch(() => {
      gesture?.change(label, (draft) => placeItems(draft, ids, place));
      lifted.value = { ids, place, by: 'pointer' };
    });
  }
}

/** The scroller of the rows: their list, or the page around it on a phone. */
export function boardScroller(): Element | null {
  const rows = document.querySelector('.board-rows');
  return rows !== null && getComputedStyle(rows).overflowY === 'visible' ? document.querySelector('.centre') : rows;
}

/** The place under a point. All tiles have the same size, so only the rows are measured. */
function placeUnder({ x, y }: Point, ids: readonly string[]): Place | null {
  for (const element of document.querySelectorAll<HTMLElement>('[data-row]')) {
    const rect = element.getBoundingClientRect();
    if (y < rect.top - 3 || y > rect.bottom + 3 || x < rect.left - 40 || x > rect.right + 40) continue;
    const row = element.dataset.row === '' ? null : element.dataset.row!;
    const cells = element.querySelector<HTMLElement>('.cells')!;
    const { left, top, width } = cells.getBoundingClientRect();
    const step = Number.parseFloat(getComputedStyle(cells).getPropertyValue('--tile')) + GAP_PX;
    const columns = Math.max(1, Math.floor((width - PAD_PX * 2 + GAP_PX) / step));
    const column = Math.max(0, Math.min(columns, Math.floor((x - left - PAD_PX) / step)));
    const line = Math.max(0, Math.floor((y - top - PAD_PX + cells.scrollTop) / step));
    const shown = itemsIn(project.value, row).map((item) => item.id);
    const at = Math.min(line * columns + Math.min(column, columns), shown.length);
    // Items that are being moved do not count.
    const before = shown.slice(0, at).filter((id) => !ids.includes(id)).length;
    return { row, index: before };
  }
  return null;
}

/** As in the style sheet. */
const GAP_PX = 5;
const PAD_PX = 5;

let keyGesture: RunningGesture | null = null;

/** Starts to move items with the arrow keys. */
export function liftByKeys(id: string): void {
  const ids = takenWith(id);
  keyGesture = beginGesture();
  lifted.value = { ids, place: placeOfItem(ids[0]!), by: 'keys' };
  announce(texts.lifted(placeWords(project.value, placeOfItem(ids[0]!))));
}

export function moveByKeys(key: string): void {
  const held = lifted.value;
  if (held === null) return;
  const place = neighbour(held.place, key, held.ids);
  keyGesture?.change(moveLabel(held.ids), (draft) => placeItems(draft, held.ids, place));
  lifted.value = { ...held, place };
  announce(placeWords(project.value, place));
}

export function dropByKeys(keep: boolean): void {
  if (keep) keyGesture?.end();
  else keyGesture?.cancel();
  keyGesture = null;
  lifted.value = null;
  announce(keep ? texts.dropped : texts.backInPlace);
}

/** Moves an item one place in one step, with Alt and an arrow key. */
export function nudgeItem(id: string, key: string): void {
  const ids = takenWith(id);
  const place = neighbour(placeOfItem(ids[0]!), key, ids);
  edit(moveLabel(ids), (draft) => placeItems(draft, ids, place));
  announce(placeWords(project.value, place));
}

/** Moves an item to the end of a row; null is the pool. */
export function sendToRow(id: string, row: string | null): void {
  const ids = takenWith(id);
  const place = { row, index: itemsIn(project.value, row).length };
  edit(moveLabel(ids), (draft) => placeItems(draft, ids, place));
  announce(placeWords(project.value, placeOfItem(ids[0]!)));
}

/** The next place in a direction; the pool is below the last row. */
function neighbour({ row, index }: Place, key: string, ids: readonly string[]): Place {
  const places = [...project.value.tier_list.rows.map((each) => each.id), null];
  const at = places.indexOf(row);
  const room = (where: string | null) => itemsIn(project.value, where).filter(({ id }) => !ids.includes(id)).length;
  if (key === 'ArrowLeft') return { row, index: Math.max(0, index - 1) };
  if (key === 'ArrowRight') return { row, index: Math.min(room(row), index + 1) };
  const next = places[Math.max(0, Math.min(places.length - 1, at + (key === 'ArrowUp' ? -1 : 1)))]!;
  return next === row ? { row, index } : { row: next, index: Math.min(index, room(next)) };
}

/** "Row A, place 2 of 3." */
function placeWords(project: Project, { row, index }: Place): string {
  const label = project.tier_list.rows.find(({ id }) => id === row)?.label;
  const where = row === null ? texts.notRanked : texts.row(label ?? row);
  return texts.place(where, index + 1, itemsIn(project, row).length);
}
