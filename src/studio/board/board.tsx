import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { hotRow, POOL } from '../carry/item-drag.ts';
import { addRow, itemsOf } from '../document/board-commands.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu } from '../kit/menu.tsx';
import { useTyped } from '../kit/use-typed.ts';
import { edit, tierList } from '../session/session.ts';
import * as texts from '../texts/en/board.ts';
import * as page from '../texts/en/page.ts';
import { boardKeys, tapRow } from './board-keys.ts';
import { BoardRow, Cells } from './board-row.tsx';

const RowLines = shownLater(async () => (await import('./row-lines.tsx')).RowLines);

/** The rows, and the pool below them. */
export function Board() {
  const { rows, items, title } = tierList.value;
  const pool = itemsOf(tierList.value, null);
  const root = useRef<HTMLElement>(null);
  useRovingFocus(root);
  useMeasuredHeight(root);
  const typed = useTyped(title ?? '', (text) =>
    edit(texts.renameProject, (draft) => {
      draft.tier_list.title = text.trim();
    }),
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
