import { ExportError } from '../../errors.ts';
import { type CsvTable, readCells, readCsv } from '../../timeline/csv/read-csv.ts';
import { rowsOf, VIDEO } from '../../timeline/csv/table-rows.ts';
import { csvLine } from '../../timeline/csv/write-csv.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { ITEM_MEMBERS } from '../../timeline/project/template-values.ts';
import { isBlank, videoNames } from './episode-table.ts';
import type { EpisodeRow, EpisodeTable, Template } from './project.ts';

/** Cells as the text of a clipboard, which spreadsheets read. */
export function clipboardText(texts: readonly (readonly string[])[]): string {
  return texts.map((line) => csvLine(line, '\t')).join('');
}

/** The cells of a clipboard. A quote that is never closed is a letter, as in a spreadsheet. */
export function clipboardCells(text: string): readonly (readonly string[])[] {
  try {
    return readCells(text, '\t').map(({ cells }) => cells);
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'csv.quote') throw error;
    const lines = text.split(/\r\n|\r|\n/);
    if (lines.at(-1) === '') lines.pop();
    return lines.map((line) => line.split('\t'));
  }
}

/** Rows that were read, and columns that have no place in the table: each message has its line and column. */
interface ReadRows {
  readonly rows: readonly Omit<EpisodeRow, 'id'>[];
  readonly faults: readonly string[];
}

/** Whether a text is a table whose first line names columns of the template. */
export function isTable(text: string, { fields }: Pick<Template, 'fields'>): boolean {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const names = columnNames(fields);
  const table = tableOf(`${first}\n`);
  return table !== null && table.columns.length > 1 && table.columns.every((name) => names.has(name));
}

function tableOf(text: string): CsvTable | null {
  try {
    return readCsv(text);
  } catch (error) {
    if (error instanceof ExportError) return null;
    throw error;
  }
}

function columnNames(fields: readonly TemplateField[]): ReadonlySet<string> {
  const items = fields.find(({ type }) => type === 'items');
  const members = items === undefined ? [] : ITEM_MEMBERS.flatMap((name) => [name, `${items.name}.${name}`]);
  return new Set([VIDEO, ...members, ...fields.map(({ name }) => name)]);
}

/** The episodes of a table. A wrong value stays as it was written, and its cell has the error. (C83) @throws ExportError `csv.*` */
export function readTable(text: string, template: Pick<Template, 'fields'>): ReadRows {
  const issues = new IssueList();
  const fields = new Map(template.fields.map((field) => [field.name, field]));
  const read = rowsOf(readCsv(text), fields, issues, { keepsAll: true });
  return {
    rows: read.rows.map(({ video, values }) => ({ video: video ?? '', values: plain(values) })),
    faults: issues.errors.map(({ message }) => message),
  };
}

function plain(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * The table as CSV: a line for each video, or for each of its items. `readTable` and the service read it. A row without a name, or with
 * that of another row, gets one, because lines of the same name are one video.
 */
export function tableText(table: EpisodeTable, { fields }: Pick<Template, 'fields'>): string {
  const names = videoNames(table);
  const rows = table.rows.filter((row) => !isBlank(row));
  const items = fields.find(({ type }) => type === 'items');
  const plainFields = fields.filter(({ type }) => type !== 'items');
  const members = items === undefined ? [] : ITEM_MEMBERS;
  const lists = rows.map(({ values }) => {
    const list = items === undefined ? undefined : values[items.name];
    return Array.isArray(list) && list.length > 0 ? (list as readonly Readonly<Record<string, unknown>>[]) : [{}];
  });
  const used = members.filter((name) => name === 'name' || lists.flat().some((item) => textOf(item[name]) !== ''));
  const head = [VIDEO, ...plainFields.map(({ name }) => name), ...used.map((name) => `${items!.name}.${name}`)];
  const lines = rows.flatMap(({ id, values }, index) =>
    lists[index]!.map((item, at) => [
      names.get(id)!,
      ...plainFields.map(({ name }) => (at === 0 ? textOf(values[name]) : '')),
      ...used.map((name) => textOf(item[name])),
    ]),
  );
  // Byte order mark: spreadsheets read UTF-8 only with it.
  return `\uFEFF${[head, ...lines].map((line) => csvLine(line)).join('')}`;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
