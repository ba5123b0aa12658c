import { BATCH_STATES, type BatchListing } from '../../exports/api/batches-api.ts';
import type { EventQuery } from '../../exports/api/events-api.ts';
import { CALLBACK_EVENTS, EXPORT_STATES, type ExportListing, type ListPlace } from '../../exports/api/export-view.ts';
import type { MediaPlace } from '../../exports/api/media-api.ts';
import { LONGEST_EXTERNAL_ID, METADATA_LIMITS } from '../../exports/api/submission.ts';
import { dayOf } from '../../store/records/usage-records.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { shownNumber, shownText } from '../../timeline/json/shown-value.ts';
import { THUMBNAIL_FIELDS } from '../../timeline/wanted-fields.ts';

const DEFAULT_LIMIT = 20;
export const MAX_LISTED = 100;

/** A parsed query: texts, or lists for repeated names. */
type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Parses the query of `GET /video/exports`. An empty value counts as absent. (C40)
 *
 * @throws ExportError with all errors, each at its name.
 */
export function parseListQuery(query: Query): { listing: ExportListing; warnings: IssueList['warnings'] } {
  const issues = new IssueList();
  const { external_id: externalId, ...sent } = readListTexts(query, ['external_id', ...COMMON_PARAMETERS], issues);
  const state = readState(sent.state, EXPORT_STATES, issues);
  if (externalId !== null && [...externalId].length > LONGEST_EXTERNAL_ID) {
    const message = `external_id must be a text of at most ${LONGEST_EXTERNAL_ID} characters.`;
    issues.error('/external_id', 'field.range', message);
  }
  const listing = { state, externalId, ...readCommon(sent, issues) };
  issues.throwIfFailed();
  return { listing, warnings: issues.warnings };
}

/** The same for `GET /batches`. (C85) */
export function parseBatchQuery(query: Query): { listing: BatchListing; warnings: IssueList['warnings'] } {
  const issues = new IssueList();
  const { project, ...sent } = readListTexts(query, ['project', ...COMMON_PARAMETERS], issues);
  const state = readState(sent.state, BATCH_STATES, issues);
  const projectId = project?.toLowerCase() ?? null;
  if (projectId !== null && !UUID.test(projectId)) {
    const message = `project must be the UUID of a project, not ${shownText(project!)}.`;
    issues.error('/project', 'field.format', message);
  }
  const listing = { state, projectId, ...readCommon(sent, issues) };
  issues.throwIfFailed();
  return { listing, warnings: issues.warnings };
}

/** What every list with filters takes, beside pairs of metadata. */
const COMMON_PARAMETERS = ['state', 'created_after', 'created_before', 'limit', 'cursor'] as const;

type CommonTexts = Readonly<Record<(typeof COMMON_PARAMETERS)[number], string | null>>;

function readListTexts<const Name extends string>(
  query: Query,
  known: readonly Name[],
  issues: IssueList,
): Record<Name, string | null> {
  return readTexts(query, [...known, ...(Object.keys(query).filter(isPair) as Name[])], issues);
}

function readState<State extends string>(
  text: string | null,
  states: readonly State[],
  issues: IssueList,
): State | null {
  const state = states.find((known) => known === text) ?? null;
  if (text !== null && state === null) {
    const message = `state must be one of ${states.join(', ')}, not ${shownText(text)}.`;
    issues.error('/state', 'field.choice', message);
  }
  return state;
}

function readCommon(sent: CommonTexts, issues: IssueList) {
  return {
    metadata: readPairs(sent, issues),
    fromMs: readMoment('created_after', sent.created_after, issues),
    beforeMs: readMoment('created_before', sent.created_before, issues),
    ...readPage(sent, issues),
  };
}

const PAIR = 'metadata.';

/** Whether a parameter asks for a pair of metadata: `metadata.KEY=VALUE`. (C87) */
function isPair(name: string): boolean {
  return name.startsWith(PAIR);
}

function readPairs(sent: Readonly<Record<string, string | null>>, issues: IssueList): [string, string][] {
  const pairs = Object.entries(sent).filter((one): one is [string, string] => isPair(one[0]) && one[1] !== null);
  if (pairs.length > METADATA_LIMITS.pairs) {
    issues.error('/metadata', 'field.range', `A query can have ${METADATA_LIMITS.pairs} pairs of metadata.`);
    return [];
  }
  return pairs.map(([name, value]) => {
    const key = name.slice(PAIR.length);
    const long = [...key].length > METADATA_LIMITS.key || [...value].length > METADATA_LIMITS.value;
    if (key !== '' && !long) return [key, value];
    const message = `A pair of metadata has a key of 1 to ${METADATA_LIMITS.key} characters and a value of at most ${METADATA_LIMITS.value}.`;
    issues.error(pointer('', name.slice(0, 100)), 'field.range', message);
    return [key, value];
  });
}

/** A time of RFC 3339, or a day in UTC, in milliseconds; null if absent. */
function readMoment(name: string, text: string | null, issues: IssueList): number | null {
  if (text === null) return null;
  const ms = MOMENT.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  const message = `${name} must be a time such as 2026-01-31T18:00:00Z, or a day such as 2026-01-31, not ${shownText(text)}.`;
  issues.error(`/${name}`, 'field.format', message);
  return null;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The query of the next page: the same with its cursor. (RFC 8288) */
export function nextQuery(query: Query, cursor: string): URLSearchParams {
  const known: readonly string[] = ['external_id', 'project', ...COMMON_PARAMETERS];
  const kept = Object.entries({ ...query, cursor }).filter(
    (one): one is [string, string] =>
      (known.includes(one[0]) || isPair(one[0])) && typeof one[1] === 'string' && one[1] !== '',
  );
  return new URLSearchParams(kept);
}

/** The same for a list of events. (C93) */
export function parseEventQuery(query: Query): Omit<EventQuery, 'exportId'> & { warnings: IssueList['warnings'] } {
  const issues = new IssueList();
  const { type: typeText, ...page } = readTexts(query, ['type', 'limit', 'cursor'], issues);
  const type = CALLBACK_EVENTS.find((known) => known === typeText) ?? null;
  if (typeText !== null && type === null) {
    const message = `type must be one of ${CALLBACK_EVENTS.join(', ')}, not ${shownText(typeText)}.`;
    issues.error('/type', 'field.choice', message);
  }
  const { limit, after } = readPage(page, issues, (cursor) => placeOf(cursor, EVENT_ID));
  issues.throwIfFailed();
  return { type, limit, after, warnings: issues.warnings };
}

/** The same for a list that has only pages. */
export function parsePageQuery(query: Query): Page & { warnings: IssueList['warnings'] } {
  const issues = new IssueList();
  const page = readPage(readTexts(query, ['limit', 'cursor'], issues), issues);
  issues.throwIfFailed();
  return { ...page, warnings: issues.warnings };
}

/** The query of `GET /media`. (C94) */
export function parseMediaQuery(query: Query): {
  readonly limit: number;
  readonly after: MediaPlace | null;
  readonly warnings: IssueList['warnings'];
} {
  const issues = new IssueList();
  const page = readPage(readTexts(query, ['limit', 'cursor'], issues), issues, mediaPlaceOf);
  issues.throwIfFailed();
  return { ...page, warnings: issues.warnings };
}

/** A place in the list of media as an opaque cursor for clients. */
export function mediaCursor({ usedAtMs, sha256 }: MediaPlace): string {
  return Buffer.from(`${usedAtMs} ${sha256}`).toString('base64url');
}

function mediaPlaceOf(cursor: string): MediaPlace | null {
  const [, usedAtMs, sha256] = /^(\d{1,15}) ([0-9a-f]{64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return sha256 === undefined ? null : { usedAtMs: Number(usedAtMs), sha256 };
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
export const MAX_DAYS = 92;

/**
 * Parses the query of `GET /usage`: UTC days, both included; the last 30 if absent. (C74)
 *
 * @throws ExportError with all errors, each at its name.
 */
export function parseUsageQuery(
  query: Query,
  nowMs: number,
): { from: string; to: string; warnings: IssueList['warnings'] } {
  const issues = new IssueList();
  const sent = readTexts(query, ['from', 'to'], issues);
  for (const [name, text] of Object.entries(sent)) {
    if (text === null || isDay(text)) continue;
    issues.error(`/${name}`, 'field.format', `${name} must be a day such as 2026-01-31, not ${shownText(text)}.`);
  }
  issues.throwIfFailed();
  const to = sent.to ?? dayOf(nowMs);
  const from = sent.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) issues.error('/from', 'field.range', `from must not be after to: ${from} is after ${to}.`);
  if (days > MAX_DAYS) {
    issues.error('/from', 'field.range', `from and to must span at most ${MAX_DAYS} days, not ${days}.`);
  }
  issues.throwIfFailed();
  return { from, to, warnings: issues.warnings };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}

/**
 * Parses the query of a thumbnail. An empty value counts: it is a text of its own. (C92)
 *
 * @throws ExportError with every name that is there more than once.
 */
export function parseThumbnailQuery(query: Query): {
  texts: ReadonlyMap<string, string>;
  warnings: IssueList['warnings'];
} {
  const issues = new IssueList();
  warnOfUnknown(query, THUMBNAIL_FIELDS, issues);
  const texts = new Map<string, string>();
  for (const name of THUMBNAIL_FIELDS) {
    const value = query[name];
    if (typeof value === 'string') texts.set(name, value);
    else if (value !== undefined) reportRepeated(name, value, issues);
  }
  issues.throwIfFailed();
  return { texts, warnings: issues.warnings };
}

interface Page {
  readonly limit: number;
  readonly after: ListPlace | null;
}

/** The values of the known names; null if one is absent. */
function readTexts<const Name extends string>(
  query: Query,
  known: readonly Name[],
  issues: IssueList,
): Record<Name, string | null> {
  warnOfUnknown(query, known, issues);
  const sent = (name: Name): string | null => {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value === '' ? null : (value ?? null);
    reportRepeated(name, value, issues);
    return null;
  };
  return Object.fromEntries(known.map((name) => [name, sent(name)])) as Record<Name, string | null>;
}

function warnOfUnknown(query: Query, known: readonly string[], issues: IssueList): void {
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue;
    const message = `${shownText(name)} is an unknown parameter and is ignored.${issues.hint(name, known)}`;
    issues.warn(pointer('', name.slice(0, 100)), 'field.unknown', message);
  }
}

function reportRepeated(name: string, values: readonly string[], issues: IssueList): void {
  issues.error(`/${name}`, 'field.type', `${name} must be in the query once, not ${values.length} times.`);
}

const UUID = /^[0-9a-f-]{36}$/;
const EVENT_ID = /^[0-9a-f-]{36}\.[\w.-]{1,200}$/;

function readPage<Place = ListPlace>(
  { limit: text, cursor }: Record<'limit' | 'cursor', string | null>,
  issues: IssueList,
  place = ((cursor) => placeOf(cursor)) as (cursor: string) => Place | null,
): { readonly limit: number; readonly after: Place | null } {
  const limit = text === null ? DEFAULT_LIMIT : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit >= 1 && limit <= MAX_LISTED)) {
    const message = `limit must be a whole number from 1 to ${MAX_LISTED}, not ${shownNumber(text!)}.`;
    issues.error('/limit', 'field.range', message);
  }
  const after = cursor === null ? null : place(cursor);
  if (cursor !== null && after === null) {
    const message = `cursor must be the \`next\` of an earlier page, unchanged, not ${shownText(cursor)}.`;
    issues.error('/cursor', 'field.format', message);
  }
  return { limit, after };
}

/** A place as an opaque cursor for clients. */
export function cursorOf({ createdAtMs, id }: ListPlace): string {
  return Buffer.from(`${createdAtMs} ${id}`).toString('base64url');
}

function placeOf(cursor: string, idForm = UUID): ListPlace | null {
  const [, createdAtMs, id] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return id === undefined || !idForm.test(id) ? null : { createdAtMs: Number(createdAtMs), id };
}
