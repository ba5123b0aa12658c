import { ExportError, type Issue } from '../../errors.ts';
import { csvText, readCsv } from '../../timeline/csv/read-csv.ts';
import { rowsOf, type TableRow, VIDEO } from '../../timeline/csv/table-rows.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownText, shownValue } from '../../timeline/json/shown-value.ts';
import { MEDIA_REFS, MEDIA_URLS } from '../../timeline/media-references.ts';
import { checkedValues, filledProject, type Project, readProject } from '../../timeline/project/fill-project.ts';
import { MEDIA, type MediaPlace } from '../../timeline/project/project-media.ts';
import type { CheckedValues } from '../../timeline/project/template-values.ts';
import { METADATA, PRESETS } from '../../timeline/request-documents.ts';
import {
  type BatchForm,
  type CheckedBatch,
  type CheckedRow,
  MAX_BATCH_ROWS,
  type MediumOfBatch,
  type NamedAt,
} from '../api/batches-api.ts';
import type { SentTexts } from '../api/submission.ts';
import { type RequestRules, readRequest } from './read-request.ts';
import { RowIssues } from './row-issues.ts';

/** Rows whose documents are checked as a whole; the values of all rows are. */
const CHECKED_WHOLE = 100;

const TEXT_MEMBERS = ['project', 'on_error', 'callback_url'] as const;
const JSON_MEMBERS = [PRESETS, METADATA, 'callback_events', 'settings', 'rows'] as const;

/** Reads the body of a batch: the rows and everything else. @throws all errors of its members */
export function readBatchForm(body: Uint8Array, limits: JsonLimits): BatchForm {
  const issues = new IssueList();
  const sent = objectOf(body, limits);
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(sent)) {
    const path = pointer('', name);
    if (TEXT_MEMBERS.some((one) => one === name)) {
      if (typeof value === 'string') texts.set(name, value);
      else issues.error(path, 'field.type', `${name} must be a text, not ${shownValue(value)}.`);
    } else if (name === 'retention_hours') {
      if (typeof value === 'number') texts.set(name, String(value));
      else issues.error(path, 'field.type', `retention_hours must be a number, not ${shownValue(value)}.`);
    } else if (JSON_MEMBERS.some((one) => one === name)) texts.set(name, JSON.stringify(value));
    else {
      const hint = issues.hintOrNames(name, [...TEXT_MEMBERS, ...JSON_MEMBERS, 'retention_hours']);
      // A warning would come too late: thousands of videos would be made without what was meant.
      issues.error(path.slice(0, 100), 'field.unknown', `A batch has no member ${shownText(name)}.${hint}`);
    }
  }
  if (!texts.has('rows')) {
    issues.error('', 'field.required', '"rows" is missing: it must be a list of objects with the values of a video.');
  }
  issues.throwIfFailed();
  const rows = new TextEncoder().encode(texts.get('rows'));
  texts.delete('rows');
  return { texts, rows };
}

/** What exports are made of. A project may have more, such as what the studio keeps. */
const OF_TEMPLATE: ReadonlySet<string> = new Set([
  ...['tier_list', 'timeline_data', 'settings', 'fields'],
  ...[MEDIA, MEDIA_REFS, MEDIA_URLS],
]);

/** A table, and what its rows are put into. */
interface BatchRequest {
  /** The document of a project. */
  readonly project: Uint8Array;
  /** Settings that win over those of the project, as JSON. */
  readonly settings: string | null;
  readonly rows: Uint8Array;
  readonly isCsv: boolean;
}

/**
 * Checks all rows of a batch, except whether their media are there. (C85)
 *
 * @throws ExportError with all errors, if the project or the table is wrong.
 */
export function checkBatch(
  { project: document, settings, rows: sent, isCsv }: BatchRequest,
  rules: RequestRules,
  limits: JsonLimits,
): CheckedBatch {
  const issues = new IssueList();
  const template = withSettings(objectOf(document, limits), settings, issues);
  const project = readProject(template, issues, { files: false, limits: rules.timeline });
  issues.throwIfFailed();
  const table = isCsv ? tableOf(sent, project) : listOf(sent, limits);
  requireCount(table.rows.length);
  const checked: CheckedRow[] = [];
  const whereOf = (path: string) => table.placed({ path, code: '', message: '' }).message;
  const media = new MediaList(project, whereOf);
  const rowIssues = new RowIssues();
  let [whole, right] = [0, 0];
  const hints = { compared: 0 };
  let firstFault: ExportError | null = null;
  for (const [index, row] of table.rows.entries()) {
    const found = new IssueList(hints);
    const at = pointer('/rows', index);
    const values = checkedValues(project, row.values ?? {}, at, found);
    const broken = table.issues.get(index) ?? [];
    let wrong: Issue[] = [...broken, ...(row.values === null ? [] : errorsOf(found).map(table.placed))];
    // A cell with an error that is only counted: the list of errors is full.
    if (wrong.length === 0 && row.isBroken) {
      wrong = [{ path: at, code: 'value.required', message: 'A cell of this row cannot be read, like cells before.' }];
    }
    if (wrong.length === 0 && whole < CHECKED_WHOLE) {
      whole += 1;
      try {
        readRequest(textsOf(filledProject(project, values)), null, rules);
        right += 1;
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
        firstFault ??= error;
        wrong = error.issues.map((issue) => ({ ...issue, path: at, message: `${issue.path}: ${issue.message}` }));
      }
    }
    if (wrong.length === 0) media.add(index, values);
    for (const issue of wrong) rowIssues.add(index, issue, () => whereOf(issue.path));
    const text = JSON.stringify(row.values ?? {});
    checked.push({ video: row.video, values: text, issues: rowIssues.of(index) });
  }
  // It is the project that is wrong, not its rows.
  if (firstFault !== null && right === 0) throw firstFault;
  const kept = Object.entries(template).filter(([name]) => OF_TEMPLATE.has(name));
  return {
    template: JSON.stringify(Object.fromEntries(kept)),
    columns: table.columns,
    rows: checked,
    media: media.list,
  };
}

/** The media that rows put in, and once each those of the project that they leave. */
class MediaList {
  readonly #found = new Map<string, Omit<MediumOfBatch, 'at'> & { readonly at: NamedAt[] }>();
  readonly #project: Project;
  readonly #whereOf: (path: string) => string;
  readonly #own = new Set<string>();

  /** @param whereOf the end of a message about the value at a path. */
  constructor(project: Project, whereOf: (path: string) => string) {
    this.#project = project;
    this.#whereOf = whereOf;
  }

  get list(): readonly MediumOfBatch[] {
    return [...this.#found.values()].map((medium) => ({ ...medium, at: JSON.stringify(medium.at) }));
  }

  add(row: number, { media, items }: CheckedValues): void {
    for (const [field, place] of this.#project.media) if (!media.has(field)) this.#addOne(row, field, place);
    for (const [field, place] of media) this.#addOne(row, field, place);
    for (const [field, list] of items) {
      for (const { picture } of list) if (picture !== null) this.#addOne(row, field, picture, 'picture');
    }
  }

  #addOne(row: number, field: string, place: MediaPlace, kind = this.#project.fields.get(field)?.kind ?? null): void {
    if (place.kind === 'file') return;
    const key = `${field} ${place.kind === 'web' ? place.url : place.sha256}`;
    const known = this.#found.get(key) ?? { field, kind, place, at: [] };
    this.#found.set(key, known);
    if (place.path.startsWith('/rows/')) {
      known.at.push([row, place.path, this.#whereOf(place.path)]);
      return;
    }
    if (this.#own.has(key)) return;
    this.#own.add(key);
    // A default has no path of its own.
    const path = place.path.startsWith('/media') ? place.path : pointer('/fields', field, 'default');
    known.at.push([null, path, '']);
  }
}

/** The request of a row. It was checked before. */
export function requestOfRow(
  { template, values }: { readonly template: string; readonly values: string },
  rules: RequestRules,
): SentTexts {
  const issues = new IssueList();
  const project = readProject(JSON.parse(template), issues, { files: false, limits: rules.timeline });
  const checked = checkedValues(project, JSON.parse(values), '', issues);
  issues.throwIfFailed();
  return textsOf(filledProject(project, checked));
}

function textsOf({ documents, media }: ReturnType<typeof filledProject>): Map<string, string> {
  const texts = new Map(Object.entries(documents).map(([name, value]) => [name, JSON.stringify(value)]));
  const [refs, urls]: [[string, string][], [string, string][]] = [[], []];
  for (const [field, place] of media) {
    if (place.kind === 'stored') refs.push([field, place.sha256]);
    else if (place.kind === 'web') urls.push([field, place.url]);
  }
  if (refs.length > 0) texts.set(MEDIA_REFS, JSON.stringify(Object.fromEntries(refs)));
  if (urls.length > 0) texts.set(MEDIA_URLS, JSON.stringify(Object.fromEntries(urls)));
  return texts;
}

function withSettings(
  project: Readonly<Record<string, unknown>>,
  settings: string | null,
  issues: IssueList,
): Readonly<Record<string, unknown>> {
  if (settings === null) return project;
  const own: unknown = JSON.parse(settings);
  if (isObject(own)) return { ...project, settings: { ...(isObject(project.settings) && project.settings), ...own } };
  issues.error('/settings', 'field.type', `settings must be an object, not ${shownValue(own)}.`);
  return project;
}

/** Rows, the errors of single ones, and where a value of one is. */
interface Table {
  readonly columns: readonly string[];
  /** `values` is null if there are none that could be checked. */
  readonly rows: readonly (Pick<TableRow, 'video' | 'isBroken'> & {
    readonly values: TableRow['values'] | null;
  })[];
  readonly issues: ReadonlyMap<number, readonly Issue[]>;
  readonly placed: (issue: Issue) => Issue;
}

/** @throws the errors of the table itself: those of single cells belong to their rows. */
function tableOf(sent: Uint8Array, { fields }: Project): Table {
  const table = readCsv(csvText(sent));
  const found = new IssueList();
  const { rows, placed } = rowsOf(table, fields, found);
  const issues = new Map<number, Issue[]>();
  const own = new IssueList();
  for (const issue of errorsOf(found)) {
    const row = /^\/rows\/(\d+)/.exec(issue.path)?.[1];
    if (row === undefined) own.error(issue.path, issue.code, issue.message);
    else issues.set(Number(row), [...(issues.get(Number(row)) ?? []), issue]);
  }
  own.throwIfFailed();
  return { columns: table.columns, rows, issues, placed: (issue) => placed(issue, '/rows') };
}

function listOf(sent: Uint8Array, limits: JsonLimits): Table {
  const reading = readJson(new TextDecoder().decode(sent), limits);
  const value = 'value' in reading ? reading.value : null;
  if (!Array.isArray(value)) {
    const message = `rows must be a list of objects, not ${shownValue(value)}.`;
    throw new ExportError('invalid', 'field.type', message, { path: '/rows' });
  }
  requireCount(value.length);
  const columns = new Set<string>();
  const issues = new Map<number, Issue[]>();
  const rows = value.map((row: unknown, index) => {
    const path = pointer('/rows', index);
    const refuse = (at: string, message: string) => {
      issues.set(index, [{ path: at, code: 'field.type', message }]);
      return { video: null, values: null, isBroken: true };
    };
    if (!isObject(row)) return refuse(path, `A row must be an object from field to value, not ${shownValue(row)}.`);
    for (const name of Object.keys(row)) if (columns.size < MAX_COLUMNS) columns.add(name);
    if (!Object.hasOwn(row, VIDEO)) return { video: null, values: row, isBroken: false };
    const { [VIDEO]: video, ...values } = row;
    if (typeof video === 'string') return { video, values, isBroken: false };
    return refuse(pointer(path, VIDEO), `The name of a video must be a text, not ${shownValue(video)}.`);
  });
  return { columns: [...columns], rows, issues, placed: (issue) => issue };
}

/** Columns of results that JSON rows have. */
const MAX_COLUMNS = 1000;

function requireCount(count: number): void {
  if (count >= 1 && count <= MAX_BATCH_ROWS) return;
  const message = `A batch has 1 to ${MAX_BATCH_ROWS} rows, not ${count}.`;
  throw new ExportError('invalid', 'field.range', message, { path: '/rows' });
}

function objectOf(document: Uint8Array, limits: JsonLimits): Readonly<Record<string, unknown>> {
  const reading = readJson(new TextDecoder().decode(document), limits);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  if (isObject(reading.value)) return reading.value;
  const message = `The body must be a JSON object, not ${shownValue(reading.value)}.`;
  throw new ExportError('invalid', 'field.type', message, { path: '' });
}

function errorsOf(list: IssueList): readonly Issue[] {
  try {
    list.throwIfFailed();
    return [];
  } catch (error) {
    if (error instanceof ExportError) return error.issues;
    throw error;
  }
}
