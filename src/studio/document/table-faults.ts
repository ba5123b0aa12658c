import { decimalComma } from '../../timeline/csv/table-rows.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { type Project as Checked, checkedValues, readProject } from '../../timeline/project/fill-project.ts';
import * as texts from '../texts/en/table.ts';
import { hashesIn, hashesOfRow, type TableColumn } from './episode-table.ts';
import { kindOf } from './field-places.ts';
import type { EpisodeRow, EpisodeTable, Project } from './project.ts';
import { writtenProject } from './written-project.ts';

/** What is wrong in a row, by field; the name of the video under `VIDEO_FAULT`. */
export type RowFaults = ReadonlyMap<string | null, string>;

/** The key of the name of the video among the faults of a row. */
export const VIDEO_FAULT = null;

/** Checks rows with the code that checks those of a batch. Each row is checked once. (C85) */
export class TableChecks {
  readonly #template: Checked;
  readonly #known = new WeakMap<EpisodeRow, RowFaults>();

  constructor(project: Project, limits: TimelineLimits) {
    const { studio: _, media: own, ...written } = writtenProject(project);
    const media = { ...(own as Readonly<Record<string, string>>) };
    this.#template = readProject({ ...written, media }, new IssueList(), { files: true, limits });
  }

  faultsOf(row: EpisodeRow): RowFaults {
    const known = this.#known.get(row);
    if (known !== undefined) return known;
    const found = this.#check(row);
    this.#known.set(row, found);
    return found;
  }

  #check({ values }: EpisodeRow): RowFaults {
    const { fields, rules } = this.#template;
    const issues = new IssueList();
    // A path is no place of a file for a service.
    const template = { ...this.#template, rules: { ...rules, files: false } };
    checkedValues(template, known(values, fields), '', issues);
    const faults = new Map<string, string>();
    for (const { path, message } of issues.errors) {
      const name = fieldAt(path);
      if (name !== undefined && !faults.has(name)) faults.set(name, message);
    }
    for (const { name, type } of fields.values()) {
      const value = values[name];
      const comma = type === 'number' && typeof value === 'string' ? decimalComma(value) : null;
      if (comma !== null) faults.set(name, `${comma}.`);
    }
    return faults;
  }
}

export const NO_FAULTS: RowFaults = new Map();

/** What is wrong with the files of a row: of another kind than the field, or nowhere. */
export function fileFaults(
  row: EpisodeRow,
  columns: readonly TableColumn[],
  files: EpisodeTable['files'],
  missing: ReadonlySet<string>,
): RowFaults {
  if (hashesOfRow(row).length === 0) return NO_FAULTS;
  const faults = new Map<string | null, string>();
  for (const { field } of columns) {
    if (field === null || (field.type !== 'media' && field.type !== 'items')) continue;
    const kind = field.type === 'items' ? 'picture' : field.kind;
    for (const hash of hashesIn(row.values[field.name])) {
      const file = files[hash];
      const found = file === undefined ? null : kindOf(file);
      if (missing.has(hash)) faults.set(field.name, texts.fileMissing(file?.name ?? texts.aFile));
      else if (kind !== null && found !== null && found !== kind) {
        faults.set(field.name, texts.wrongKind(file!.name, kind));
      }
    }
  }
  return faults.size === 0 ? NO_FAULTS : faults;
}

/** The field in the path of an error of a row. */
export function fieldAt(path: string): string | undefined {
  return path.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Cells of fields that were deleted are kept, but not sent. */
export function known(
  values: EpisodeRow['values'],
  fields: { has(name: string): boolean },
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields.has(name)));
}

/** Videos of the same name, by the id of their row: all but the first are wrong. */
export function repeatedNames({ rows }: EpisodeTable): ReadonlyMap<number, string> {
  const first = new Map<string, number>();
  const repeated = new Map<number, string>();
  for (const [index, { id, video }] of rows.entries()) {
    if (video === '') continue;
    const earlier = first.get(video);
    if (earlier === undefined) first.set(video, index);
    else repeated.set(id, texts.sameName(earlier + 1));
  }
  return repeated;
}
