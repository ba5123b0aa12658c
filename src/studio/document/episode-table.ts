import { numberOf } from '../../timeline/csv/table-rows.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { ITEM_MEMBERS } from '../../timeline/project/template-values.ts';
import * as texts from '../texts/en/table.ts';
import type { EpisodeRow, EpisodeTable, Template } from './project.ts';

/** The most rows of a table: those of a batch. (C85) */
export const MAX_TABLE_ROWS = 10_000;

export const NO_EPISODES: EpisodeTable = { rows: [], files: {} };

/** Whether nothing is in a row. It makes no video. */
export function isBlank({ video, values }: EpisodeRow): boolean {
  return video === '' && Object.keys(values).length === 0;
}

/** A column of the table: a field; null: the name of the video. */
export interface TableColumn {
  readonly field: TemplateField | null;
  readonly label: string;
}

export function columnsOf({ fields }: Pick<Template, 'fields'>): readonly TableColumn[] {
  return [{ field: null, label: texts.video }, ...fields.map((field) => ({ field, label: field.label ?? field.name }))];
}

/** The value of a cell; undefined: none. */
export function valueAt(row: EpisodeRow, { field }: TableColumn): unknown {
  if (field === null) return row.video === '' ? undefined : row.video;
  return Object.hasOwn(row.values, field.name) ? row.values[field.name] : undefined;
}

/** A cell as text, which `valueFrom` reads. */
export function textAt(row: EpisodeRow, column: TableColumn): string {
  const value = valueAt(row, column);
  if (value === undefined) return '';
  return Array.isArray(value) ? itemsText(value) : String(value);
}

/** The value of a text that was typed or pasted; undefined: none. */
export function valueFrom({ field }: TableColumn, text: string): unknown {
  if (text.trim() === '') return undefined;
  if (field === null) return text.trim();
  if (field.type === 'text') return text;
  if (field.type === 'number') return numberOf(text);
  return field.type === 'items' ? itemsOf(text) : text.trim();
}

/** The row with another value in a cell. */
export function withValue(row: EpisodeRow, { field }: TableColumn, value: unknown): EpisodeRow {
  if (field === null) return { ...row, video: typeof value === 'string' ? value : '' };
  const { [field.name]: _, ...others } = row.values;
  return { ...row, values: value === undefined ? others : { ...others, [field.name]: value } };
}

const BETWEEN = ' | ';

/** One item a line: its name, and behind bars its row, picture, score, note and position. */
function itemsText(items: readonly unknown[]): string {
  return items
    .map((item) => {
      const members = ITEM_MEMBERS.map((name) => {
        const value = (item as Readonly<Record<string, unknown>>)[name];
        return value === undefined || value === null
          ? ''
          : String(value)
              .replace(/[|\r\n]/g, ' ')
              .trim();
      });
      while (members.at(-1) === '') members.pop();
      return members.join(BETWEEN);
    })
    .join('\n');
}

function itemsOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.split(line.includes('\t') ? '\t' : '|').map((cell) => cell.trim());
      const members = ITEM_MEMBERS.flatMap((name, index) => {
        const cell = cells[index] ?? '';
        return cell === '' ? [] : [[name, name === 'position' ? numberOf(cell) : cell] as const];
      });
      return Object.fromEntries(members);
    });
}

const STORED = 'sha256:';

/** The place of a file of this browser, as a value. */
export function storedPlace(hash: string): string {
  return STORED + hash;
}

/** The SHA-256 in a value of a field for media; null: it is an address, or nothing. */
export function hashOf(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(STORED) ? value.slice(STORED.length).toLowerCase() : null;
}

/** The hashes of all files that the cells name. */
export function hashesOfRow({ values }: EpisodeRow): readonly string[] {
  return Object.values(values).flatMap((value) => {
    if (Array.isArray(value)) return value.flatMap((item) => hashOf(item?.picture) ?? []);
    return hashOf(value) ?? [];
  });
}
