import { ExportError } from '../../errors.ts';
import { shownText } from '../json/shown-value.ts';

/** The largest table, and how many columns it may have. (C83) */
export const CSV_LIMITS = { bytes: 10 * 2 ** 20, columns: 1000, lines: 200_000 } as const;

/** A table as a spreadsheet writes it. */
export interface CsvTable {
  /** The names in the first line, without space around them. */
  readonly columns: readonly string[];
  /** Lines that are not empty. A cell that is absent at the end of a line is an empty text. */
  readonly lines: readonly CsvLine[];
}

/** A line of a table. */
export interface CsvLine {
  /** The line of the file in which it begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What separates cells: the one that the first line has most of. */
const SEPARATORS = [',', ';', '\t'] as const;

const [QUOTE, BOM] = ['"', '\uFEFF'];

/**
 * The text of a table: UTF-8, or UTF-16 with a byte order mark, as spreadsheets write "Unicode text".
 *
 * @throws `csv.too_large`, `csv.not_text`
 */
export function csvText(bytes: Uint8Array): string {
  if (bytes.length > CSV_LIMITS.bytes) {
    const message = `The table has ${bytes.length} bytes; ${CSV_LIMITS.bytes} are allowed.`;
    throw new ExportError('too_large', 'csv.too_large', message, { path: '' });
  }
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = 'The table is not UTF-8 text. Save it as "CSV UTF-8".';
    throw new ExportError('malformed', 'csv.not_text', message, { path: '', cause });
  }
}

/**
 * Reads a table in one pass: separated by commas, semicolons or tabs, cells in quotes with line ends, any line ends.
 *
 * @throws ExportError `csv.*` with line and column, at the first fault: after it, the cells mean nothing.
 */
export function readCsv(text: string): CsvTable {
  const reader = new CsvReader(text);
  const head = reader.next();
  if (head === null) throw refused('csv.empty', 'The table is empty: its first line has the names of the columns.');
  const names = head.cells.map((name) => name.trim());
  // Spreadsheets leave separators at the end of every line if a column was cleared.
  while (names.at(-1) === '') names.pop();
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const place = `line ${head.line}, column ${index + 1}`;
    if (name === '') throw refused('csv.column', `The column has no name (${place}).`);
    const earlier = seen.get(name);
    if (earlier !== undefined) {
      throw refused(
        'csv.column',
        `The columns ${earlier + 1} and ${index + 1} have the same name ${shownText(name)} (${place}).`,
      );
    }
    seen.set(name, index);
  }
  const lines: CsvLine[] = [];
  for (let line = reader.next(); line !== null; line = reader.next()) {
    const { cells } = line;
    if (cells.every((cell) => cell.trim() === '')) continue;
    const extra = cells.findIndex((cell, index) => index >= names.length && cell.trim() !== '');
    if (extra >= 0) {
      const message = `The line has ${cells.length} cells, the first line ${names.length} (line ${line.line}, column ${extra + 1}).`;
      throw refused('csv.cells', message);
    }
    while (cells.length > names.length) cells.pop();
    while (cells.length < names.length) cells.push('');
    lines.push(line);
    if (lines.length > CSV_LIMITS.lines) {
      throw refused('csv.too_large', `The table has more than ${CSV_LIMITS.lines} lines.`, 'too_large');
    }
  }
  return { columns: names, lines };
}

/**
 * The cells of a text without a line of names, as a clipboard has them. Lines may have different numbers of cells.
 *
 * @throws ExportError `csv.*`
 */
export function readCells(text: string, separator: (typeof SEPARATORS)[number]): readonly CsvLine[] {
  const reader = new CsvReader(text, separator);
  const lines: CsvLine[] = [];
  for (let line = reader.next(); line !== null; line = reader.next()) {
    lines.push(line);
    if (lines.length > CSV_LIMITS.lines) {
      throw refused('csv.too_large', `The table has more than ${CSV_LIMITS.lines} lines.`, 'too_large');
    }
  }
  return lines;
}

function refused(code: string, message: string, kind: 'malformed' | 'too_large' = 'malformed'): ExportError {
  return new ExportError(kind, code, message, { path: '' });
}

class CsvReader {
  readonly #text: string;
  readonly #separator: string;
  #at: number;
  #line = 1;

  constructor(text: string, separator?: string) {
    this.#text = text;
    this.#at = text.startsWith(BOM) ? 1 : 0;
    this.#separator = separator ?? this.#findSeparator();
  }

  /** The next line; null at the end. */
  next(): { readonly line: number; readonly cells: string[] } | null {
    if (this.#at >= this.#text.length) return null;
    const line = this.#line;
    const cells: string[] = [];
    do {
      if (cells.length === CSV_LIMITS.columns) {
        throw refused('csv.too_large', `Line ${line} has more than ${CSV_LIMITS.columns} columns.`, 'too_large');
      }
      cells.push(this.#text[this.#at] === QUOTE ? this.#quoted(cells.length + 1) : this.#plain());
    } while (this.#take(this.#separator));
    this.#takeLineEnd();
    return { line, cells };
  }

  #plain(): string {
    const from = this.#at;
    for (;;) {
      const letter = this.#text[this.#at];
      if (letter === undefined || letter === this.#separator || letter === '\n' || letter === '\r') break;
      this.#at += 1;
    }
    return this.#text.slice(from, this.#at);
  }

  #quoted(column: number): string {
    const place = `line ${this.#line}, column ${column}`;
    let cell = '';
    this.#at += 1;
    for (;;) {
      const end = this.#text.indexOf(QUOTE, this.#at);
      if (end < 0) throw refused('csv.quote', `The quote is not closed (${place}).`);
      const part = this.#text.slice(this.#at, end);
      this.#line += lineEnds(part);
      cell += part;
      this.#at = end + 1;
      if (this.#text[this.#at] !== QUOTE) break;
      cell += QUOTE;
      this.#at += 1;
    }
    const after = this.#text[this.#at];
    if (after === undefined || after === this.#separator || after === '\n' || after === '\r') return cell;
    const message = `After the closing quote there must be the next cell, not ${shownText(this.#text.slice(this.#at, this.#at + 10))} (${place}). Write two quotes for a quote.`;
    throw refused('csv.quote', message);
  }

  #take(letter: string): boolean {
    if (this.#text[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  #takeLineEnd(): void {
    const isLine = this.#take('\r');
    if (this.#take('\n') || isLine) this.#line += 1;
  }

  /** Looks at the first line, outside of quotes. */
  #findSeparator(): string {
    const counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]));
    let isQuoted = false;
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const letter = this.#text[at]!;
      if (letter === QUOTE) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (letter === '\n' || letter === '\r') break;
      else if (counts.has(letter)) counts.set(letter, counts.get(letter)! + 1);
    }
    return SEPARATORS.reduce((most, one) => (counts.get(one)! > counts.get(most)! ? one : most));
  }
}

/** CRLF counts once. */
function lineEnds(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) count += 1;
  }
  return count;
}
