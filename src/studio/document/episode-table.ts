import { numberOf } from '../../timeline/csv/table-rows.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { ITEM_MEMBERS } from '../../timeline/project/template-values.ts';
import * as texts from '../texts/en/table.ts';
import type { EpisodeRow, EpisodeTable, MediaEntry, Template } from './project.ts';

/** The most rows of a table: those of a batch. (C85) */
export const MAX_TABLE_ROWS = 10_000;

export const NO_EPISODES: EpisodeTable = { rows: [], files: {} };

/** Whether nothing is in a row. It makes no video. */
export function isBlank({ video, values }: EpisodeRow): boolean {
  return video === '' && Object.keys(values).length === 0;
}

/** The names of videos by the id of their row, all different: a row without a name is named by its place. */
export function videoNames({ rows }: EpisodeTable): ReadonlyMap<number, string> {
  const free = new FreeNames(rows.map(({ video }) => video));
  return new Map(rows.map(({ id, video }, index) => [id, free.take(video || texts.unnamed(index + 1), video !== '')]));
}

/** Gives names that differ from each other: one that is taken gets a number. */
export class FreeNames {
  readonly #own: ReadonlySet<string>;
  readonly #keyOf: (name: string) => string;
  readonly #taken = new Set<string>();
  /** The next number to try, so that thousands of equal names cost little. */
  readonly #next = new Map<string, number>();

  /** @param own names that only their owners get as they are. @param keyOf equal for names that count as one. */
  constructor(own: readonly string[] = [], keyOf = (name: string) => name) {
    this.#own = new Set(own.map(keyOf));
    this.#keyOf = keyOf;
  }

  /** @param isOwn whether the name is among those of the owners. */
  take(name: string, isOwn: boolean): string {
    const key = this.#keyOf(name);
    let free = key;
    let given = name;
    if (this.#taken.has(free) || (!isOwn && this.#own.has(free))) {
      let number = this.#next.get(key) ?? 2;
      do {
        given = `${name}-${number}`;
        free = this.#keyOf(given);
        number += 1;
      } while (this.#taken.has(free) || this.#own.has(free));
      this.#next.set(key, number);
    }
    this.#taken.add(free);
    return given;
  }
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

/** A text with a bar or a line end in it stays one member: `\|`, `\n`. */
function escaped(text: string): string {
  return text.replace(/[\\|]|\r\n|\r|\n/g, (found) => (/[\\|]/.test(found) ? `\\${found}` : '\\n'));
}

function unescaped(text: string): string {
  return text.replace(/\\([\\|n])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

/** The parts of a line between bars that are not escaped. */
function betweenBars(line: string): readonly string[] {
  return Array.from(line.matchAll(/(?:^|\|)((?:\\[\\|n]|[^|])*)/g), ([, part]) => unescaped(part!.trim()));
}

/** One item a line: its name, and behind bars its row, picture, score, note and position. */
function itemsText(items: readonly unknown[]): string {
  return items
    .map((item) => {
      const members = ITEM_MEMBERS.map((name) => {
        const value = (item as Readonly<Record<string, unknown>>)[name];
        return value === undefined || value === null ? '' : escaped(String(value).trim());
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
      const cells = line.includes('\t') ? line.split('\t').map((cell) => cell.trim()) : betweenBars(line);
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
  return Object.values(values).flatMap(hashesIn);
}

/** The facts of the files that rows name. A table may have more, which undo would need. */
export function usedFiles(table: EpisodeTable | undefined): readonly MediaEntry[] {
  if (table === undefined) return [];
  return [...new Set(table.rows.flatMap(hashesOfRow))].flatMap((hash) => table.files[hash] ?? []);
}

/** The hashes of the files that a value names. */
export function hashesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => hashOf(item?.picture) ?? []);
  const hash = hashOf(value);
  return hash === null ? [] : [hash];
}
