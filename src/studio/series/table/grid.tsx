import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isBlank, type TableColumn } from '../../document/episode-table.ts';
import { at, type Cell, cornersOf, movedBy } from '../../document/table-range.ts';
import { keyName, runKey, takesText } from '../../keys/keys.ts';
import { readOnly } from '../../session/session.ts';
import * as texts from '../../texts/en/table.ts';
import { clearSelected, copyCells, fillSelected, insertAbove, pasteCells, removeSelected } from './grid-commands.ts';
import { cellId, GridRow, RowNumber, widthOf } from './grid-row.tsx';
import { columns, editing, faultsOf, page, range, select, size, table } from './open-rows.ts';

/** The height of a line, also in `table.css`. */
const LINE_PX = 34;
/** Lines that are rendered above and below those in view, and lines by which the window moves. */
const [SPARE, STEP] = [8, 4];

/** The widths of the number of a row and of its state; `table.css` has the second one, too. */
const [NUMBER_PX, STATE_PX] = [48, 150];

/** The widths of the number of a row and of its cells, and that of a whole line. The state takes what is left. Nothing is measured. */
function widthsOf(all: readonly TableColumn[]): { readonly '--widths': string; readonly '--row-px': string } {
  const cells = all.map(widthOf);
  const row = [NUMBER_PX, ...cells, STATE_PX].reduce((sum, width) => sum + width, 0);
  const columns = [NUMBER_PX, ...cells].map((width) => `${width}px`).join(' ');
  return { '--widths': columns, '--row-px': `${row}px` };
}

/** The table as a grid with the keys of a spreadsheet. Only the lines in view are rendered. */
export function Grid() {
  const grid = useRef<HTMLDivElement>(null);
  const first = useSignal(0);
  const { rows } = table.value;
  const { active } = range.value;
  const corners = cornersOf(range.value);
  const count = size.value.rows;
  const from = Math.max(0, first.value - SPARE);
  const to = Math.min(count, first.value + page.value + SPARE + STEP);
  const shown = Array.from({ length: to - from }, (_, index) => from + index);
  // The focus names the active cell, so it stays in the document.
  if (active.row < from || active.row >= to) shown.push(active.row);

  useEffect(() => {
    const element = grid.current!;
    const measure = () => {
      page.value = Math.max(1, Math.floor((element.clientHeight - LINE_PX) / LINE_PX));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      editing.value = null;
    };
  }, []);
  useLayoutEffect(() => showCell(grid.current!, active), [active.row, active.column]);
  useEffect(() => {
    // After an edit the keys move on.
    if (editing.value === null && document.activeElement === document.body) grid.current?.focus();
  }, [editing.value]);

  return (
    <div
      ref={grid}
      class="tb-grid"
      role="grid"
      tabIndex={0}
      aria-label={texts.grid}
      aria-multiselectable="true"
      aria-readonly={readOnly.value}
      aria-rowcount={count + 1}
      aria-colcount={columns.value.length + 2}
      aria-activedescendant={cellId(active.row, active.column)}
      style={widthsOf(columns.value)}
      onScroll={({ currentTarget }) => {
        const line = Math.floor(currentTarget.scrollTop / LINE_PX);
        first.value = line - (line % STEP);
      }}
      onKeyDown={onKeys}
      onCopy={(event) => copy(event)}
      onCut={(event) => {
        if (copy(event) && !readOnly.value) clearSelected(texts.cut);
      }}
      onPaste={(event) => {
        if (takesText(event.target) || event.clipboardData === null) return;
        event.preventDefault();
        event.stopPropagation();
        if (!readOnly.value) pasteCells(event.clipboardData.getData('text/plain'));
      }}
      onPointerDown={onPress}
      onPointerMove={onDrag}
      onDblClick={({ target }) => {
        const cell = cellAt(target);
        if (cell !== null) startEditing(cell, null);
      }}
    >
      <div class="tb-line tb-head" role="row" aria-rowindex={1}>
        <span role="columnheader" aria-colindex={1}>
          <span class="unseen">{texts.rowNumber}</span>
        </span>
        {columns.value.map(({ field, label }, index) => (
          <span key={field?.name ?? ''} role="columnheader" aria-colindex={index + 2} title={field?.help ?? label}>
            {label}
            {field?.required && <i aria-hidden="true"> *</i>}
          </span>
        ))}
        <span role="columnheader" aria-colindex={columns.value.length + 2}>
          {texts.stateColumn}
        </span>
      </div>
      <div class="tb-body" role="rowgroup" style={{ height: `${count * LINE_PX}px` }}>
        {/* One part that stays at the edge: a browser composes each such part on its own, and every line had one. */}
        <div class="tb-numbers" aria-hidden="true">
          {shown.map((index) => (
            <span
              key={index}
              class="tb-number"
              data-cell={`${index} -1`}
              data-active={index === active.row}
              style={{ insetBlockStart: `${index * LINE_PX}px` }}
            >
              <RowNumber index={index} isNew={index >= rows.length} />
            </span>
          ))}
        </div>
        {shown.map((index) => {
          const row = rows[index];
          const isIn = index >= corners.top && index <= corners.bottom;
          const open = editing.value;
          return (
            <GridRow
              key={row?.id ?? 0}
              index={index}
              row={row}
              columns={columns.value}
              faults={row === undefined || isBlank(row) ? null : faultsOf(row)}
              files={table.value.files}
              left={isIn ? corners.left : -1}
              right={isIn ? corners.right : -1}
              active={index === active.row ? active.column : -1}
              editing={open !== null && open.cell.row === index ? open : null}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls a cell into view, beside the sticky head and number. */
function showCell(grid: HTMLElement, { row, column }: Cell): void {
  const top = row * LINE_PX;
  const room = grid.clientHeight - LINE_PX;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + LINE_PX > grid.scrollTop + room) grid.scrollTop = top + LINE_PX - room;
  const heads = grid.querySelectorAll<HTMLElement>('.tb-head > span');
  const [number, head] = [heads[0]!, heads[column + 1]];
  if (head === undefined) return;
  const left = head.offsetLeft - number.offsetWidth;
  if (left < grid.scrollLeft) grid.scrollLeft = left;
  else if (head.offsetLeft + head.offsetWidth > grid.scrollLeft + grid.clientWidth) {
    grid.scrollLeft = head.offsetLeft + head.offsetWidth - grid.clientWidth;
  }
}

function startEditing(cell: Cell, text: string | null): void {
  if (readOnly.value) return;
  select(at(cell.row, cell.column));
  editing.value = { cell, text };
}

function onKeys(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.target !== event.currentTarget) return;
  const name = keyName(event);
  const isEdit = name === 'f2' || (name === 'enter' && !event.repeat);
  const next = isEdit ? null : movedBy(range.value, name, size.value);
  if (next !== null) {
    event.preventDefault();
    event.stopPropagation();
    select(next);
    return;
  }
  const changes: Record<string, () => void> = {
    delete: clearSelected,
    backspace: clearSelected,
    'ctrl+d': fillSelected,
    'ctrl+-': removeSelected,
    'ctrl++': insertAbove,
    f2: () => startEditing(range.value.active, null),
    enter: () => startEditing(range.value.active, null),
  };
  if (readOnly.value) return;
  // A letter that is typed begins an edit, and so does a key of an input method. Space plays the row.
  const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isLetter || name === 'process') {
    event.stopPropagation();
    if (isLetter) event.preventDefault();
    // Letters may come faster than the control in the cell.
    const typed = (editing.value?.text ?? '') + (isLetter ? event.key : '');
    startEditing(range.value.active, typed);
    return;
  }
  runKey(event, changes);
}

function copy(event: ClipboardEvent): boolean {
  if (takesText(event.target)) return false;
  event.preventDefault();
  event.stopPropagation();
  const text = copyCells();
  if (text !== null) event.clipboardData?.setData('text/plain', text);
  return text !== null;
}

/** The cell of an element; null: it is in none. */
function cellAt(target: EventTarget | null): Cell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
  if (cell === null || takesText(target)) return null;
  const [row, column] = cell.dataset.cell!.split(' ').map(Number);
  return { row: row!, column: column! };
}

function onPress(event: PointerEvent): void {
  if (event.button !== 0) return;
  const cell = cellAt(event.target);
  if (cell === null) return;
  const isRow = cell.column < 0;
  const last = size.value.columns - 1;
  const { anchor } = range.value;
  const from = event.shiftKey
    ? { row: anchor.row, column: isRow ? 0 : anchor.column }
    : { row: cell.row, column: Math.max(0, cell.column) };
  select({ anchor: from, active: { row: cell.row, column: isRow ? last : cell.column } });
}

function onDrag(event: PointerEvent): void {
  if ((event.buttons & 1) === 0 || event.pointerType === 'touch' || editing.value !== null) return;
  const cell = cellAt(event.target);
  const { anchor, active } = range.value;
  if (cell === null || cell.column < 0 || (cell.row === active.row && cell.column === active.column)) return;
  select({ anchor, active: cell });
}
