import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import {
  dropByKeys,
  hotRow,
  liftByKeys,
  lifted,
  moveByKeys,
  nudgeItem,
  POOL,
  placeOfItem,
  sendToRow,
  takenWith,
} from '../carry/item-drag.ts';
import { addRow, itemsIn, itemsOf, removeItems } from '../document/board-commands.ts';
import { EMPTY_PROJECT } from '../document/project.ts';
import { isItemSelected, NOTHING } from '../document/selection.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu } from '../kit/menu.tsx';
import { useTyped } from '../kit/use-typed.ts';
import { edit, project, selection, startRenaming, tierList } from '../session/session.ts';
import * as texts from '../texts/en/board.ts';
import * as page from '../texts/en/page.ts';
import { BoardRow, Cells } from './board-row.tsx';

const RowLines = shownLater(async () => (await import('./row-lines.tsx')).RowLines);

/** The rows, and the pool below them. */
export function Board() {
  const { rows, items, title } = tierList.value;
  const pool = itemsOf(tierList.value, null);
  const root = useRef<HTMLElement>(null);
  useRovingFocus(root);
  useMeasuredHeight(root);
  const typed = useTyped(
    title ?? '',
    (text) =>
      edit(texts.renameProject, (draft) => {
        draft.tier_list.title = text.trim();
      }),
    { asTyped: true },
  );
  return (
    <section
      ref={root}
      class="board"
      aria-label={page.board}
      onKeyDown={boardKeys}
      onClick={tapRow}
      style={{ '--rows': rows.length, '--below': pool.length === 0 ? '116px' : '218px' }}
    >
      <div class="bh">
        <input
          class="btitle"
          aria-label={texts.title}
          {...typed}
          placeholder={texts.title}
          maxLength={200}
          onKeyDown={(event) => event.key === 'Enter' && focusSoon('.bh .bt')}
          // Nobody keeps the first title.
          onClick={({ currentTarget }) =>
            currentTarget.value === EMPTY_PROJECT.tier_list.title && currentTarget.select()
          }
        />
        <span class="q wide-only">{pool.length > 0 && pool.length < items.length && <Hint rows={rows.length} />}</span>
        <button
          type="button"
          class="bt"
          onClick={() => {
            edit(texts.addRow, (draft) => void addRow(draft));
            focusSoon('.brow:last-child .lab');
          }}
        >
          <Icon name="plus" />
          {texts.newRow}
        </button>
        <Menu
          class="bt plain"
          label={texts.rowSets}
          button={
            <>
              {texts.rows}
              <Icon name="down" />
            </>
          }
        >
          <RowLines />
        </Menu>
      </div>
      <div class="board-rows">
        {rows.map((row, at) => (
          <BoardRow key={row.id} row={row} at={at} />
        ))}
      </div>
      <div class={`pool ${pool.length === 0 ? 'none' : ''} ${hotRow.value === POOL ? 'hot' : ''}`} data-row="">
        <span class="pool-word">
          {pool.length === 0 ? (
            <>
              <b>{texts.notRanked}</b> {items.length === 0 ? texts.dropHere : texts.allRanked}
            </>
          ) : (
            <>
              <b>{texts.notRankedCount(pool.length)}</b>
              {pool.length === items.length && (
                <>
                  {' '}
                  <Hint rows={rows.length} />
                </>
              )}
            </>
          )}
        </span>
        <Cells rowId={null} label={texts.notRanked} />
      </div>
    </section>
  );
}

function Hint({ rows }: { readonly rows: number }) {
  return (
    <>
      <span class="by-mouse">{texts.rankByMouse(Math.min(9, Math.max(1, rows)))}</span>
      <span class="by-touch">{texts.rankByTouch}</span>
    </>
  );
}

/** Passes the board's height to the style sheet: cards are as large as the height allows for all rows. */
function useMeasuredHeight(root: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const board = root.current!;
    const setHeight = (px: number) => {
      // Behind the preview it has no height, and keeps the last one.
      if (px > 0) board.style.setProperty('--board-px', `${Math.round(px)}px`);
    };
    const { paddingTop, paddingBottom } = getComputedStyle(board);
    setHeight(board.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom));
    const watching = new ResizeObserver(([entry]) => setHeight(entry!.contentRect.height));
    watching.observe(board);
    return () => watching.disconnect();
  }, [root]);
}

/** One card is in the tab order: the one that had the focus last, or the first. Arrow keys move on from there. */
function useRovingFocus(root: { readonly current: HTMLElement | null }): void {
  const last = useRef<string | null>(null);
  useLayoutEffect(() => {
    const tiles = [...(root.current?.querySelectorAll<HTMLElement>('.tile') ?? [])];
    const entry = tiles.find((tile) => tile.dataset.item === last.current) ?? tiles[0];
    for (const tile of tiles) if (tile.tabIndex !== -1 && tile !== entry) tile.tabIndex = -1;
    if (entry !== undefined) entry.tabIndex = 0;
  });
  useEffect(() => {
    const remember = (event: FocusEvent) => {
      const tile = (event.target as Element).closest<HTMLElement>('.tile');
      if (tile === null) return;
      const before = root.current?.querySelector<HTMLElement>('.tile[tabindex="0"]');
      if (before !== null && before !== undefined) before.tabIndex = -1;
      tile.tabIndex = 0;
      last.current = tile.dataset.item!;
    };
    const element = root.current;
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, [root]);
}

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

/** Keys of the focused card. Keys that it does not handle go to the rest of the page. */
function boardKeys(event: KeyboardEvent): void {
  const tile = (event.target as Element).closest<HTMLElement>('.tile');
  const id = tile?.dataset.item;
  if (id === undefined || !act(event, id)) return;
  event.preventDefault();
  event.stopPropagation();
}

function act(event: KeyboardEvent, id: string): boolean {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  const held = lifted.value?.by === 'keys';
  const command = ctrlKey || metaKey;
  if (ARROWS.includes(key)) {
    if (held) moveByKeys(key);
    else if (altKey) nudgeItem(id, key);
    else return focusBeside(id, key, shiftKey);
    return refocus(id);
  }
  if (key === 'Enter' && !command) {
    if (held) dropByKeys(true);
    else liftByKeys(id);
    return refocus(id);
  }
  if (key === 'Escape' && held) {
    dropByKeys(false);
    return refocus(id);
  }
  if (key === 'Escape') {
    selection.value = NOTHING;
    return true;
  }
  if (held || altKey) return false;
  if (key === 'F2' && shiftKey) {
    startRenaming(id);
    return true;
  }
  if (command && key === 'a') {
    selection.value = { kind: 'items', ids: project.value.tier_list.items.map((item) => item.id) };
    return true;
  }
  if (command) return false;
  if (/^[0-9]$/.test(key)) {
    const row = key === '0' ? null : project.value.tier_list.rows[Number(key) - 1]?.id;
    if (row === undefined) return false;
    if (!isItemSelected(selection.value, id)) selection.value = { kind: 'items', ids: [id] };
    const next = rank(id, row);
    // The next card has not moved, so it can take the focus at once: the next key may come soon.
    if (next !== null) document.getElementById(`tile-${next}`)?.focus();
    return refocus(next ?? id);
  }
  if (key === ' ') {
    const before = selection.value.kind === 'items' ? selection.value.ids : [];
    selection.value = {
      kind: 'items',
      ids: before.includes(id) ? before.filter((each) => each !== id) : [...before, id],
    };
    return true;
  }
  if (key === 'Delete' || key === 'Backspace') {
    const ids = takenWith(id);
    const next = besides(ids);
    edit(texts.removeItems(ids.length), (draft) => removeItems(draft, ids));
    if (next === null) focusSoon('.tile[tabindex="0"]', '.bh .bt', '.first .bt');
    return next === null || refocus(next);
  }
  return false;
}

/**
 * Moves a card, and those selected with it, into a row. If it was in the pool, the next pool card is selected, so that one digit or tap
 * each ranks them all.
 */
function rank(id: string, row: string | null): string | null {
  const next = row === null || placeOfItem(id).row !== null ? null : besides(takenWith(id));
  sendToRow(id, row);
  if (next !== null) selection.value = { kind: 'items', ids: [next] };
  return next;
}

/** Touch only: a tap on a card, then on the free area of a row, ranks the card there. With a mouse, users drag. */
function tapRow(event: MouseEvent): void {
  const target = event.target as Element;
  const row = target.closest<HTMLElement>('[data-row]')?.dataset.row;
  const [id] = selection.value.kind === 'items' ? selection.value.ids : [];
  const isTap = (event as PointerEvent).pointerType === 'touch';
  if (!isTap || row === undefined || id === undefined || target.closest('.tile, button, input, textarea')) return;
  if ((placeOfItem(id).row ?? '') !== row) rank(id, row === '' ? null : row);
}

/** The card after these in their row, else the one before; null if there is none. */
function besides(ids: readonly string[]): string | null {
  const beside = itemsIn(project.value, placeOfItem(ids[0]!).row).map((item) => item.id);
  const from = beside.indexOf(ids[0]!);
  const after = beside.slice(from).find((each) => !ids.includes(each));
  return after ?? beside.slice(0, from).findLast((each) => !ids.includes(each)) ?? null;
}

/** Moves the focus to the card beside, above or below. With Shift, that card is added to the selection. */
function focusBeside(id: string, key: string, choose: boolean): boolean {
  const rows = [...project.value.tier_list.rows.map((row) => row.id), null].map((row) => itemsIn(project.value, row));
  const line = rows.findIndex((items) => items.some((item) => item.id === id));
  const at = rows[line]?.findIndex((item) => item.id === id) ?? 0;
  const filled = rows.map((_, i) => i).filter((i) => rows[i]!.length > 0);
  const above = filled.filter((i) => i < line).at(-1);
  const below = filled.find((i) => i > line);
  const next =
    key === 'ArrowLeft'
      ? rows[line]?.[at - 1]
      : key === 'ArrowRight'
        ? rows[line]?.[at + 1]
        : atOrLast(rows[(key === 'ArrowUp' ? above : below) ?? -1], at);
  if (next === undefined) return true;
  const before = choose && selection.value.kind === 'items' ? [...selection.value.ids, id] : [];
  selection.value = { kind: 'items', ids: [...new Set([...before, next.id])] };
  document.getElementById(`tile-${next.id}`)?.focus();
  return true;
}

function atOrLast<T>(list: readonly T[] | undefined, at: number): T | undefined {
  return list?.[Math.min(at, list.length - 1)];
}

/** A card in another row is another element: focus it after the next render. */
function refocus(id: string): boolean {
  requestAnimationFrame(() => document.getElementById(`tile-${id}`)?.focus());
  return true;
}
