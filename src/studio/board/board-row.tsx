import { computed, effect, type ReadonlySignal, useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { RawItem, RawRow } from '../../timeline/document-schemas.ts';
import { boardScroller, dragItem, hotRow, inAir, isLifted, lifted } from '../carry/item-drag.ts';
import { ItemPicture } from '../carry/item-picture.tsx';
import { changeRow, itemsOf, moveRow, removeRow } from '../document/board-commands.ts';
import { isItemSelected, type Selection } from '../document/selection.ts';
import { takesText } from '../keys/keys.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { edgeScroll, startDrag } from '../kit/drag-session.ts';
import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu, MenuItem } from '../kit/menu.tsx';
import { opensMenu } from '../kit/open-menu.ts';
import { useTyped } from '../kit/use-typed.ts';
import {
  beginGesture,
  edit,
  type RunningGesture,
  renaming,
  selection,
  startRenaming,
  tierList,
} from '../session/session.ts';
import * as texts from '../texts/en/board.ts';

/** A row of the board: its label, items and actions. */
export function BoardRow({ row, at }: { readonly row: RawRow; readonly at: number }) {
  const label = row.label ?? row.id;
  const hot = hotRow.value === row.id;
  return (
    <div
      class={`brow ${hot ? 'hot' : ''}`}
      data-row={row.id}
      style={{ '--t': row.color ?? '#c9c5d3' }}
      onContextMenu={(event) => {
        // A text field in use keeps the browser's own menu.
        if (document.activeElement !== event.target || !takesText(event.target))
          opensMenu({ kind: 'row', id: row.id })(event);
      }}
    >
      <RowLabel row={row} />
      <Cells rowId={row.id} label={texts.row(label)} />
      <RowMenu row={row} at={at} />
    </div>
  );
}

/** The cards of a row, in order. Cards next to a moving one slide. */
export function Cells({ rowId, label }: { readonly rowId: string | null; readonly label: string }) {
  const list = useRef<HTMLUListElement>(null);
  const items = useMemo(() => itemsIn(rowId), [rowId]).value;
  useSliding(list, items.map(({ id }) => id).join('\n'));
  return (
    <ul
      ref={list}
      class="cells"
      {...(items.length > 0 && { role: 'listbox', 'aria-multiselectable': true })}
      aria-label={label}
    >
      {items.map((item) => (
        <BoardTile key={item.id} item={item} rowId={rowId} />
      ))}
    </ul>
  );
}

/** The items of a row. The list changes only if one of them does, so moves elsewhere do not render this row. */
function itemsIn(rowId: string | null): ReadonlySignal<readonly RawItem[]> {
  let last: readonly RawItem[] = [];
  return computed(() => {
    const next = itemsOf(tierList.value, rowId);
    if (next.length !== last.length || next.some((item, i) => item !== last[i])) last = next;
    return last;
  });
}

const SLIDE = { duration: 160, easing: 'cubic-bezier(.2,.8,.2,1)' };
/** Rows with more cards are not measured, and only the first that move are animated: more would cost too much. */
const MAX_MEASURED = 200;
const MAX_SLIDING = 24;

function useSliding(list: { readonly current: HTMLElement | null }, order: string): void {
  const before = useRef<ReadonlyMap<string, DOMRect>>(new Map());
  // Cards slide only during a drag. Their positions are measured at its start, before anything moves.
  useEffect(
    () =>
      effect(() => {
        before.current = isLifted.value ? measured(list.current) : new Map();
      }),
    [list],
  );
  useLayoutEffect(() => {
    if (!isLifted.peek()) return;
    // Measure all cards before moving any, since each measurement after a move would force a layout.
    const next = measured(list.current);
    let sliding = 0;
    for (const tile of tilesIn(list.current)) {
      const [from, to] = [before.current.get(tile.dataset.item!), next.get(tile.dataset.item!)];
      if (from === undefined || to === undefined) continue;
      const [x, y] = [from.left - to.left, from.top - to.top];
      if (Math.abs(x) + Math.abs(y) <= 1) continue;
      tile.animate([{ transform: `translate(${x}px, ${y}px)` }, {}], SLIDE);
      sliding += 1;
      if (sliding === MAX_SLIDING) break;
    }
    before.current = next;
  }, [list, order]);
}

function tilesIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.tile') ?? [])];
}

/** The positions of a row's cards, by item; empty if the animation would not be visible. */
function measured(list: HTMLElement | null): ReadonlyMap<string, DOMRect> {
  const tiles = tilesIn(list);
  const { top = 0, bottom = 0 } = list?.getBoundingClientRect() ?? {};
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches || bottom < 0 || top > innerHeight;
  if (isStill || tiles.length > MAX_MEASURED) return new Map();
  return new Map(tiles.map((tile) => [tile.dataset.item!, tile.getBoundingClientRect()]));
}

/** The label is edited in place. A change is one step. */
function RowLabel({ row }: { readonly row: RawRow }) {
  const label = row.label ?? row.id;
  const before = useRef(label);
  const typed = useTyped(
    label,
    (text) => {
      if (text.trim() === label) return;
      edit(texts.renameRow, (draft) =>
        changeRow(draft, row.id, (each) => {
          each.label = text.trim();
        }),
      );
    },
    { asTyped: true },
  );
  return (
    <textarea
      class={`lab ${label.length > 3 ? 'long' : ''}`}
      aria-label={texts.rowLabel(label)}
      rows={1}
      maxLength={200}
      {...typed}
      onFocus={(event) => {
        before.current = label;
        selection.value = { kind: 'row', id: row.id };
        event.currentTarget.select();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        if (event.key === 'Escape') event.currentTarget.value = before.current;
        event.preventDefault();
        // Enter moves on to the next label. Without one, and after Escape, the focus goes to the handle of the row.
        const own = event.currentTarget.closest('.brow');
        const next = event.key === 'Enter' ? own?.nextElementSibling?.querySelector<HTMLElement>('.lab') : null;
        (next ?? own?.querySelector<HTMLElement>('.grip'))?.focus();
      }}
    />
  );
}

const ROW_COLORS = ['#ff7f85', '#ffb873', '#fbe27a', '#8ee59c', '#7fc4ff', '#b7a3ff', '#f59ad1', '#c9c5d3'];

function RowMenu({ row, at }: { readonly row: RawRow; readonly at: number }) {
  const label = row.label ?? row.id;
  const recolor = (color: string) =>
    edit(texts.recolourRow, (draft) =>
      changeRow(draft, row.id, (each) => {
        each.color = color;
      }),
    );
  const move = (to: number) => edit(texts.moveRow, (draft) => moveRow(draft, row.id, to));
  return (
    <div class="rowt">
      <Menu
        class="ib grip"
        label={texts.rowMenu(label)}
        button={<Icon name="more" />}
        onPointerDown={(event) => dragRow(event, row.id)}
      >
        <div class="swatches" role="group" aria-label={texts.rowColour}>
          {ROW_COLORS.map((color) => (
            <button
              key={color}
              type="button"
              class="swatch"
              style={{ '--t': color }}
              aria-label={texts.colour(color)}
              aria-pressed={row.color?.toLowerCase() === color}
              onClick={() => recolor(color)}
            />
          ))}
          <input
            type="color"
            aria-label={texts.anotherColour}
            title={texts.anotherColour}
            value={row.color ?? '#c9c5d3'}
            onChange={(event) => recolor(event.currentTarget.value)}
          />
        </div>
        <MenuItem onClick={() => move(at - 1)} disabled={at === 0}>
          <Icon name="up" />
          {texts.moveUp}
        </MenuItem>
        <MenuItem onClick={() => move(at + 1)} disabled={at === tierList.value.rows.length - 1}>
          <Icon name="down" />
          {texts.moveDown}
        </MenuItem>
        <MenuItem
          onClick={() => {
            edit(texts.removeRowOf(label), (draft) => removeRow(draft, row.id));
            focusSoon(`.brow:nth-child(${at + 1}) .grip`, '.brow:last-child .grip', '.bh .bt');
          }}
        >
          <Icon name="trash" />
          {texts.removeRow}
        </MenuItem>
      </Menu>
    </div>
  );
}

/** Moves a row by its handle. */
function dragRow(event: PointerEvent, id: string): void {
  let gesture: RunningGesture | null = null;
  const scroller = boardScroller();
  startDrag(event, {
    scroll: edgeScroll(scroller),
    start() {
      // Only now, since a click on the handle opens its menu, and the chosen command must not wait for the end of a gesture.
      gesture = beginGesture();
      return true;
    },
    move({ y }) {
      const rows = [...document.querySelectorAll<HTMLElement>('.brow')].filter((each) => each.dataset.row !== id);
      const to = rows.filter((each) => {
        const { top, height } = each.getBoundingClientRect();
        return top + height / 2 < y;
      }).length;
      gesture?.change(texts.moveRow, (draft) => moveRow(draft, id, to));
    },
    end: () => gesture?.end(),
    cancel: () => gesture?.cancel(),
  });
}

const NameField = shownLater(async () => (await import('./name-field.tsx')).NameField);

interface TileProps {
  readonly item: RawItem;
  /** The row that it is in. */
  readonly rowId: string | null;
}

/** A card. Of five hundred, only changed ones are rendered again. */
function BoardTile({ item, rowId }: TileProps) {
  const chosen = useComputed(() => isItemSelected(selection.value, item.id)).value;
  const held = useComputed(() => (inAir.value.has(item.id) ? (lifted.value?.by ?? null) : null)).value;
  const isRenamed = useComputed(() => renaming.value === item.id).value;
  const name = item.name ?? item.id;
  return (
    <li
      role="option"
      id={`tile-${item.id}`}
      data-item={item.id}
      class={`tile ${chosen ? 'sel' : ''} ${held === null ? '' : held === 'keys' ? 'held' : 'slot'}`}
      aria-selected={chosen}
      aria-label={name}
      tabIndex={-1}
      onPointerDown={(event) => dragItem(event, item.id)}
      onDblClick={() => startRenaming(item.id)}
      onContextMenu={(event) => {
        if (!isItemSelected(selection.value, item.id)) selection.value = { kind: 'items', ids: [item.id] };
        opensMenu({ kind: 'item', id: item.id })(event);
      }}
      onClick={(event) => {
        const beside = itemsOf(tierList.value, rowId).map(({ id }) => id);
        selection.value = chosenBy(event, item.id, beside);
      }}
    >
      <ItemPicture item={item} />
      {isRenamed ? <NameField item={item} /> : <span aria-hidden="true">{name}</span>}
    </li>
  );
}

/** A click selects one card, with Control toggles it, with Shift selects a range. */
function chosenBy(event: MouseEvent, id: string, beside: readonly string[]): Selection {
  const before = selection.value.kind === 'items' ? selection.value.ids : [];
  if (event.ctrlKey || event.metaKey) {
    return { kind: 'items', ids: before.includes(id) ? before.filter((each) => each !== id) : [...before, id] };
  }
  const from = beside.indexOf(before.at(-1) ?? '');
  const to = beside.indexOf(id);
  if (event.shiftKey && from >= 0) {
    const stretch = beside.slice(Math.min(from, to), Math.max(from, to) + 1);
    return { kind: 'items', ids: [...new Set([...before, ...stretch])] };
  }
  return { kind: 'items', ids: [id] };
}
