import { ExportError } from '../../../errors.ts';
import { csvText } from '../../../timeline/csv/read-csv.ts';
import { MAX_TABLE_ROWS } from '../../document/episode-table.ts';
import { clipboardCells, clipboardText, isTable, readTable, tableText } from '../../document/table-clipboard.ts';
import {
  addRows,
  clearCells,
  fillDown,
  insertRows,
  pasteTexts,
  removeRows,
  setValue,
  textsIn,
} from '../../document/table-edits.ts';
import { at, type Cell, cornersOf } from '../../document/table-range.ts';
import { titleOf } from '../../document/template.ts';
import { announce, say } from '../../kit/messages.ts';
import { decided, undo } from '../../session/session.ts';
import * as page from '../../texts/en/page.ts';
import * as texts from '../../texts/en/table.ts';
import { change, columns, range, select, table } from './open-rows.ts';

/** What keys and buttons do to the selected cells. */

/** The selected cells as text; null: there are none. */
export function copyCells(): string | null {
  const found = textsIn(table.value, columns.value, range.value);
  if (found.length === 0) return null;
  announce(texts.copied(found.length * found[0]!.length));
  return clipboardText(found);
}

export function clearSelected(label = texts.clear): void {
  change(label, (now) => clearCells(now, columns.value, range.value));
}

export function fillSelected(): void {
  change(texts.fillDown, (now) => fillDown(now, columns.value, range.value));
}

/** Puts pasted cells at the selection. A table with names of columns adds its rows. */
export function pasteCells(text: string): void {
  const template = decided.value.template!;
  if (isTable(text, template)) {
    addTable(text);
    return;
  }
  const faulty = withoutFault(() => {
    const cells = clipboardCells(text);
    let left = 0;
    change(texts.paste, (now) => {
      const pasted = pasteTexts(now, columns.value, range.value, cells);
      left = pasted.left;
      select(pasted.range);
      return pasted.table;
    });
    if (left > 0) say(texts.leftCells(left), 'bad');
  });
  if (faulty !== null) say(faulty, 'bad');
}

/** The message of what is wrong with a table; null: nothing. */
function withoutFault(run: () => void): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof ExportError) return error.message;
    throw error;
  }
}

const SHOWN_FAULTS = 3;

function addTable(text: string): void {
  const faulty = withoutFault(() => {
    const { rows, faults } = readTable(text, decided.value.template!);
    for (const fault of faults.slice(0, SHOWN_FAULTS)) say(fault, 'bad');
    if (faults.length > SHOWN_FAULTS) say(texts.moreFaults(faults.length - SHOWN_FAULTS), 'bad');
    const first = table.value.rows.length;
    change(texts.importTable, (now) => addRows(now, rows));
    const added = table.value.rows.length - first;
    if (added < rows.length) say(texts.leftRows(rows.length - added, MAX_TABLE_ROWS), 'bad');
    if (added === 0) return;
    select(at(first, 0));
    say(texts.imported(added), 'word', undo);
  });
  if (faulty !== null) say(faulty, 'bad');
}

/** Adds the rows of a file. */
export async function importTable(file: Blob): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  const faulty = withoutFault(() => {
    text = csvText(bytes);
  });
  if (faulty === null) addTable(text);
  else say(faulty, 'bad');
}

/** Saves the rows as a file that spreadsheets and `tiercut batch` read. */
export function saveTable(): void {
  const { template } = decided.value;
  const name = (titleOf(decided.value) ?? page.untitled).replace(/[^\p{L}\p{N}._ -]/gu, '_');
  saveBlob(new Blob([tableText(table.value, template!)], { type: 'text/csv' }), `${name}.csv`);
}

/** Saves a file in the folder of downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Whether the table has room for a new row; if not, the page says so. */
function hasRoom(): boolean {
  const isFull = table.value.rows.length >= MAX_TABLE_ROWS;
  if (isFull) say(texts.full(MAX_TABLE_ROWS), 'bad');
  return !isFull;
}

export function addRow(): void {
  const last = table.value.rows.length;
  if (!hasRoom()) return;
  change(texts.addRow, (now) => insertRows(now, last, 1));
  select(at(last, 0));
}

/** Inserts as many rows above the selection as it has. */
export function insertAbove(): void {
  const { top, bottom } = cornersOf(range.value);
  if (!hasRoom()) return;
  change(texts.insertRow, (now) => insertRows(now, Math.min(top, now.rows.length), bottom - top + 1));
}

export function removeSelected(): void {
  const { top } = cornersOf(range.value);
  change(texts.removeRow, (now) => removeRows(now, range.value));
  select(at(top, range.value.active.column));
}

export function setCell(cell: Cell, value: unknown): void {
  const { label } = columns.value[cell.column]!;
  if (cell.row >= table.value.rows.length && value !== undefined && !hasRoom()) return;
  change(texts.setCell(label), (now) => setValue(now, columns.value, cell, value));
}
