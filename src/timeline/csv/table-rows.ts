import type { Issue } from '../../errors.ts';
import type { IssueList } from '../issue-list.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText } from '../json/shown-value.ts';
import type { TemplateField } from '../project/template-fields.ts';
import { ITEM_MEMBERS, type ItemMember } from '../project/template-values.ts';
import type { CsvLine, CsvTable } from './read-csv.ts';

/** The column that names a video; lines with the same name are one video. (C83) */
export const VIDEO = 'video';

/** A video of a table: the values of a template. */
export interface TableRow {
  /** Its cell in the column `video`; null: there is no such column. */
  readonly video: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  /** The line of the file in which it begins. */
  readonly line: number;
  /** The lines of its items. */
  readonly itemLines: readonly number[];
  /** Whether a cell could not be read, so that its value is missing. */
  readonly isBroken: boolean;
}

/** The videos of a table, and where their values come from. */
interface TableRows {
  readonly rows: readonly TableRow[];
  /** An issue of a row, with the line and the column of its cell in the message. @param at the path of the rows */
  placed(issue: Issue, at: string): Issue;
}

/** A column: a field, or a member of its items. */
interface Column {
  readonly index: number;
  readonly name: string;
  readonly field: TemplateField;
  readonly member: ItemMember | null;
}

interface TableReading {
  /** The path of the rows in messages. */
  readonly at?: string;
  /**
   * For a table that is edited afterwards: a line without a name, with the name of another video, or with another value
   * than before is a row of its own, and a number that cannot be read stays as it was written.
   */
  readonly keepsAll?: boolean;
}

/**
 * The videos of a table. Cells become values of the type of their field; an empty cell is no value. Reports columns that
 * no field takes, and cells that cannot be read; the values themselves are checked like any others. (C83)
 */
export function rowsOf(
  { columns, lines }: CsvTable,
  fields: ReadonlyMap<string, TemplateField>,
  issues: IssueList,
  { at = '/rows', keepsAll = false }: TableReading = {},
): TableRows {
  const items = [...fields.values()].find(({ type }) => type === 'items');
  const named = columnsOf(columns, fields, items, issues);
  const video = columns.indexOf(VIDEO);
  const scalars = named.filter(({ member }) => member === null);
  const members = named.filter(({ member }) => member !== null);
  const rows: Mutable[] = [];
  const byName = new Map<string, Mutable>();
  for (const line of lines) {
    const name = video < 0 ? null : line.cells[video]!.trim();
    const key = name ?? '';
    if (name === '' && !keepsAll) {
      issues.error(at, 'csv.video', `The cell is empty: it names the video (${place(line.line, video, VIDEO)}).`);
      continue;
    }
    const isAlone = name === '' || (items === undefined && (name === null || keepsAll));
    const known = isAlone ? undefined : byName.get(key);
    const earlier =
      known !== undefined && keepsAll && scalars.some((one) => differs(one, line, known)) ? undefined : known;
    if (earlier !== undefined && items === undefined) {
      const message = `The video ${shownText(key)} is also in line ${earlier.line} (${place(line.line, video, VIDEO)}).`;
      issues.error(at, 'csv.video', message);
      continue;
    }
    const row = earlier ?? newRow(rows.length, name, line.line);
    if (earlier === undefined) {
      rows.push(row);
      byName.set(key, row);
    }
    const path = pointer(at, row.index);
    const reading = { line, row, path, issues, keepsAll };
    for (const column of scalars) readScalar(column, reading);
    if (items !== undefined && members.length > 0) readItem(items, members, reading);
  }
  const sent = rows.map(({ video: name, line, itemLines, values, isBroken }): TableRow => {
    return { video: name, line, itemLines, values: Object.fromEntries(values), isBroken };
  });
  return { rows: sent, placed: (issue, from) => placedIssue(issue, from, sent, named) };
}

interface Mutable {
  readonly index: number;
  isBroken: boolean;
  readonly video: string | null;
  readonly line: number;
  readonly itemLines: number[];
  readonly values: Map<string, unknown>;
  /** The text of each cell that was read, to compare those of further lines. */
  readonly cells: Map<string, string>;
}

function newRow(index: number, video: string | null, line: number): Mutable {
  return { index, isBroken: false, video, line, itemLines: [], values: new Map(), cells: new Map() };
}

function columnsOf(
  columns: CsvTable['columns'],
  fields: ReadonlyMap<string, TemplateField>,
  items: TemplateField | undefined,
  issues: IssueList,
): readonly Column[] {
  const names = [...fields.keys(), ...(items === undefined ? [] : ITEM_MEMBERS)].filter((name) => name !== items?.name);
  return columns.flatMap((name, index): Column[] => {
    const field = fields.get(name);
    if (field !== undefined && field !== items) return [{ index, name, field, member: null }];
    const short = items !== undefined && name.startsWith(`${items.name}.`) ? name.slice(items.name.length + 1) : name;
    const member = ITEM_MEMBERS.find((one) => one === short);
    if (items !== undefined && member !== undefined) return [{ index, name, field: items, member }];
    if (name === VIDEO) return [];
    const hint = names.length === 0 ? '' : issues.hintOrNames(name, [...names, VIDEO]);
    issues.error(
      '',
      'csv.column',
      `The template has no field ${shownText(name)} (line 1, column ${index + 1}).${hint}`,
    );
    return [];
  });
}

/** A line while its cells become values of a row. */
interface LineReading {
  readonly line: CsvLine;
  readonly row: Mutable;
  /** The path of the row. */
  readonly path: string;
  readonly issues: IssueList;
  readonly keepsAll: boolean;
}

/** Whether the video has another value before. */
function differs({ index, name }: Column, { cells }: CsvLine, row: Mutable): boolean {
  const cell = cells[index]!;
  return cell.trim() !== '' && row.cells.has(name) && row.cells.get(name) !== cell;
}

function readScalar(column: Column, reading: LineReading): void {
  const { field, name } = column;
  const { line, row, path, issues } = reading;
  const cell = line.cells[column.index]!;
  if (cell.trim() === '') return;
  const earlier = row.cells.get(name);
  if (earlier !== undefined) {
    if (!differs(column, line, row)) return;
    const message = `The video has another value before: ${shownText(earlier)}, not ${shownText(cell)} (${placeIn(line, column)}).`;
    issues.error(pointer(path, name), 'csv.two_values', message);
    row.isBroken = true;
    return;
  }
  row.cells.set(name, cell);
  const value = cellValue(field.type === 'number', column, pointer(path, name), reading);
  row.isBroken ||= value === undefined;
  row.values.set(name, value);
}

function readItem(items: TemplateField, members: readonly Column[], reading: LineReading): void {
  const { line, row, path } = reading;
  if (members.every(({ index }) => line.cells[index]!.trim() === '')) return;
  const place = pointer(path, items.name, row.itemLines.length);
  const item: Record<string, unknown> = {};
  for (const column of members) {
    const member = column.member!;
    if (line.cells[column.index]!.trim() === '') continue;
    item[member] = cellValue(member === 'position', column, pointer(place, member), reading);
    row.isBroken ||= item[member] === undefined;
  }
  row.itemLines.push(line.line);
  const list = row.values.get(items.name);
  if (Array.isArray(list)) list.push(item);
  else row.values.set(items.name, [item]);
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$/i;
const DECIMAL_COMMA = /^[-+]?[\d.\s]*,\d+$/;

/** The message for a number with a comma as its decimal sign; null: the cell has no such number. */
export function decimalComma(cell: string): string | null {
  const trimmed = cell.trim();
  if (!DECIMAL_COMMA.test(trimmed)) return null;
  return `A number has a point as decimal sign, not a comma: ${shownText(trimmed)}`;
}

/** The value of a cell with a number; a text that is none stays, which its field refuses. */
export function numberOf(cell: string): number | string {
  const trimmed = cell.trim();
  return NUMBER.test(trimmed) ? Number(trimmed) : trimmed;
}

/** The value of a cell; undefined: it cannot be read. */
function cellValue(isNumber: boolean, column: Column, path: string, { line, issues, keepsAll }: LineReading): unknown {
  const cell = line.cells[column.index]!;
  if (column.field.type === 'text' || column.member === 'note') return cell;
  if (!isNumber) return cell.trim();
  const comma = keepsAll ? null : decimalComma(cell);
  if (comma === null) return numberOf(cell);
  issues.error(path, 'csv.decimal_comma', `${comma} (${placeIn(line, column)}).`);
  return undefined;
}

function placeIn({ line }: CsvLine, { index, name }: Column): string {
  return place(line, index, name);
}

function place(line: number, index: number, name: string): string {
  return `line ${line}, column ${index + 1}, ${shownText(name)}`;
}

function placedIssue(issue: Issue, at: string, rows: readonly TableRow[], columns: readonly Column[]): Issue {
  if (!issue.path.startsWith(`${at}/`)) return issue;
  const [row, field, index, member] = issue.path
    .slice(at.length + 1)
    .split('/')
    .map(unescaped);
  const found = rows[Number(row)];
  if (found === undefined) return issue;
  const line = index === undefined ? found.line : (found.itemLines[Number(index)] ?? found.line);
  const column = columns.find((one) => one.field.name === field && one.member === (member ?? null));
  const where = column === undefined ? `line ${line}` : place(line, column.index, column.name);
  return { ...issue, message: `${issue.message} (${where})` };
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
