import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ExportError, type Issue } from '../../errors.ts';
import { csvText, readCsv } from '../../timeline/csv/read-csv.ts';
import { rowsOf, type TableRow, VIDEO } from '../../timeline/csv/table-rows.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { checkedValues } from '../../timeline/project/fill-project.ts';
import { usageError } from '../command-line/read-arguments.ts';
import { filledFile, type ProjectFile, type ProjectTemplate, unreadableReason } from '../project/project-file.ts';

/** A row of a table, ready to be rendered. */
export interface BatchRow {
  /** Counted from 1. */
  readonly number: number;
  /** What messages call it. */
  readonly name: string;
  readonly file: ProjectFile;
  /** The path of its output as it is shown. */
  readonly place: string;
  readonly out: string;
  /** Set if every preset is made. */
  readonly preset?: string;
}

const ROWS = '/rows';

/**
 * The rows of a table with the values of a template. All rows are checked before any is rendered. (C85)
 *
 * @param out the path of outputs, with `{{video}}`, `{{row}}` and the columns of texts and numbers.
 * @throws ExportError with all errors, each with line and column.
 */
export async function readRows(table: string, template: ProjectTemplate, out: string): Promise<readonly BatchRow[]> {
  const bytes = await readFile(table).catch((cause: unknown) => {
    const message = `The file ${shownText(table)} ${unreadableReason(cause)}.`;
    throw new ExportError('missing', 'project.unreadable', message, { cause });
  });
  const issues = new IssueList();
  const { rows, placed } = rowsOf(readCsv(csvText(bytes)), template.project.fields, issues, { at: ROWS });
  const digits = String(rows.length).length;
  const made = new Map<string, BatchRow>();
  for (const [index, row] of rows.entries()) {
    if (row.isBroken) continue;
    const found = new IssueList();
    const values = checkedValues(template.project, row.values, pointer(ROWS, index), found);
    if (found.failed) {
      for (const issue of errorsOf(found)) report(placed(issue, ROWS), issues);
      continue;
    }
    const place = outputOf(out, row, String(index + 1).padStart(digits, '0'));
    const path = resolve(place);
    const earlier = made.get(path);
    if (earlier !== undefined) {
      const message = `The rows ${earlier.number} and ${index + 1} would both be written to ${shownText(place)}.`;
      issues.error(pointer(ROWS, index), 'batch.same_output', message);
      continue;
    }
    const name = row.video ?? `row ${index + 1}`;
    made.set(path, { number: index + 1, name, file: filledFile(template, values), place, out: path });
  }
  if (rows.length === 0) issues.error('', 'csv.empty', 'The table has no rows below its first line.');
  issues.throwIfFailed();
  return [...made.values()];
}

function errorsOf(issues: IssueList): readonly Issue[] {
  try {
    issues.throwIfFailed();
  } catch (error) {
    if (error instanceof ExportError) return error.issues;
    throw error;
  }
  return [];
}

function report({ path, code, message }: Issue, issues: IssueList): void {
  issues.error(path, code, message);
}

/** Characters that no path of a value may have on any system. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}]+/gu;
const LONGEST_NAME = 100;

/** The path of a row. A value is a part of one name: it cannot lead to another folder. */
function outputOf(pattern: string, { video, values }: TableRow, number: string): string {
  return pattern.replaceAll(/\{\{([^{}]*)\}\}/g, (_, between: string) => {
    const name = between.trim();
    const value = name === 'row' ? number : name === VIDEO ? (video ?? number) : values[name];
    return safeName(typeof value === 'string' || typeof value === 'number' ? String(value) : '') || number;
  });
}

function safeName(text: string): string {
  return [...text.replaceAll(UNSAFE, '-')]
    .slice(0, LONGEST_NAME)
    .join('')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '');
}

/** The rows that `--only` names: `3`, `2-5`, `1,4`; all of them without it. @throws `cli.usage` */
export function chosenRows(rows: readonly BatchRow[], only: string | undefined): readonly BatchRow[] {
  if (only === undefined) return rows;
  const wanted = new Set<number>();
  for (const part of only.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,6})(?:-(\d{1,6}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && from <= to && to <= rows.length)) {
      const message = `--only takes rows from 1 to ${rows.length}, such as 3 or 2-5, not ${shownText(part)}.`;
      throw usageError('batch', [message]);
    }
    for (let number = from; number <= to; number += 1) wanted.add(number);
  }
  return rows.filter(({ number }) => wanted.has(number));
}
