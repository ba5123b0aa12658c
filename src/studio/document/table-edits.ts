import { MAX_TABLE_ROWS, type TableColumn, textAt, valueAt, valueFrom, withValue } from './episode-table.ts';
import type { EpisodeRow, EpisodeTable } from './project.ts';
import { type Cell, cornersOf, type TableRange } from './table-range.ts';

/** Edits of a table. Each returns a new one, in which rows that did not change are the same objects. */

type Columns = readonly TableColumn[];

/** The id of the next row. An id of a removed row is not given again: the last batch may name it. */
function nextId({ rows, next = 1 }: EpisodeTable): number {
  return rows.reduce((most, { id }) => Math.max(most, id + 1), next);
}

/** Inserts rows with new ids, as many as fit. */
function withRows(table: EpisodeTable, before: number, rows: readonly Omit<EpisodeRow, 'id'>[]): EpisodeTable {
  const fits = rows.slice(0, Math.max(0, MAX_TABLE_ROWS - table.rows.length));
  if (fits.length === 0) return table;
  const first = nextId(table);
  const added = fits.map(({ video, values }, index) => ({ id: first + index, video, values }));
  return { ...table, rows: table.rows.toSpliced(before, 0, ...added), next: first + added.length };
}

/** Adds rows below the last one, as many as fit. */
export function addRows(table: EpisodeTable, rows: readonly Omit<EpisodeRow, 'id'>[]): EpisodeTable {
  return withRows(table, table.rows.length, rows);
}

/** Inserts empty rows, as many as fit. */
export function insertRows(table: EpisodeTable, before: number, count: number): EpisodeTable {
  const blank = Array.from({ length: Math.min(count, MAX_TABLE_ROWS) }, () => ({ video: '', values: {} }));
  return withRows(table, before, blank);
}

export function removeRows(table: EpisodeTable, range: TableRange): EpisodeTable {
  const { top, bottom } = cornersOf(range);
  const rows = table.rows.filter((_, index) => index < top || index > bottom);
  return rows.length === table.rows.length ? table : { ...table, rows, next: nextId(table) };
}

/** The selected cells as texts. */
export function textsIn({ rows }: EpisodeTable, columns: Columns, range: TableRange): readonly (readonly string[])[] {
  const { top, bottom, left, right } = cornersOf(range);
  return rows.slice(top, bottom + 1).map((row) => columns.slice(left, right + 1).map((column) => textAt(row, column)));
}

/** What was pasted: the table, the range that it fills, and the cells of the text that found no place. */
interface Pasted {
  readonly table: EpisodeTable;
  readonly range: TableRange;
  readonly left: number;
}

/**
 * Puts texts into cells, from the first of a range on. Rows are added below if they are needed. A range that is larger is filled again and
 * again, as in a spreadsheet.
 */
export function pasteTexts(
  table: EpisodeTable,
  columns: Columns,
  range: TableRange,
  texts: readonly (readonly string[])[],
): Pasted {
  const { top, left, bottom, right } = cornersOf(range);
  const high = texts.length;
  const wide = Math.max(0, ...texts.map((line) => line.length));
  if (high === 0 || wide === 0) return { table, range, left: 0 };
  const times = (selected: number, given: number) => (selected % given === 0 ? selected : given);
  const wantedRows = times(bottom - top + 1, high);
  const wantedColumns = times(right - left + 1, wide);
  const inRows = Math.min(wantedRows, MAX_TABLE_ROWS - top);
  const inColumns = Math.min(wantedColumns, columns.length - left);
  const lacking = top + inRows - table.rows.length;
  const grown = lacking > 0 ? insertRows(table, table.rows.length, lacking) : table;
  const changed = changedRows(grown, top, inRows, (row, index) => {
    const line = texts[index % high]!;
    return columns.slice(left, left + inColumns).reduce((next, column, at) => {
      return withValue(next, column, valueFrom(column, line[at % wide] ?? ''));
    }, row);
  });
  return {
    table: changed,
    range: { anchor: { row: top, column: left }, active: { row: top + inRows - 1, column: left + inColumns - 1 } },
    left: high * wide - Math.min(high, inRows) * Math.min(wide, inColumns),
  };
}

/** Sets one cell; a row below the last is added. */
export function setValue(table: EpisodeTable, columns: Columns, { row, column }: Cell, value: unknown): EpisodeTable {
  const known = valueAt(table.rows[row] ?? NO_ROW, columns[column]!);
  if (known === value) return table;
  const grown = row < table.rows.length ? table : insertRows(table, table.rows.length, 1);
  return changedRows(grown, row, 1, (each) => withValue(each, columns[column]!, value));
}

const NO_ROW: EpisodeRow = { id: 0, video: '', values: {} };

export function clearCells(table: EpisodeTable, columns: Columns, range: TableRange): EpisodeTable {
  const { top, bottom, left, right } = cornersOf(range);
  return changedRows(table, top, bottom - top + 1, (row) => {
    const filled = columns.slice(left, right + 1).filter((column) => valueAt(row, column) !== undefined);
    return filled.reduce((next, column) => withValue(next, column, undefined), row);
  });
}

/** Copies the first row of a range into the others; one row takes that above it. */
export function fillDown(table: EpisodeTable, columns: Columns, range: TableRange): EpisodeTable {
  const { top, bottom, left, right } = cornersOf(range);
  const from = top === bottom ? top - 1 : top;
  const source = table.rows[from];
  if (source === undefined) return table;
  return changedRows(table, from + 1, bottom - from, (row) =>
    columns.slice(left, right + 1).reduce((next, column) => withValue(next, column, valueAt(source, column)), row),
  );
}

function changedRows(
  table: EpisodeTable,
  from: number,
  count: number,
  change: (row: EpisodeRow, index: number) => EpisodeRow,
): EpisodeTable {
  const rows = table.rows.map((row, at) => (at < from || at >= from + count ? row : change(row, at - from)));
  return rows.every((row, index) => row === table.rows[index]) ? table : { ...table, rows };
}
