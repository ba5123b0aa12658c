import type { Issue } from '../errors.ts';
import { IssueList } from './issue-list.ts';
import { pointer } from './json/json-pointer.ts';
import { type JsonFault, type JsonLimits, readJson } from './json/json-text.ts';
import { shownText } from './json/shown-value.ts';
import { MEDIA_REFS, MEDIA_URLS } from './media-references.ts';

/** The form fields that hold the documents, as JSON. (C2, C25) */
export const DOCUMENT_FIELDS = ['tier_list', 'timeline_data', 'settings', 'timeline_json', 'media_manifest'] as const;
type DocumentField = (typeof DOCUMENT_FIELDS)[number];

/** The form field of the destinations of finished videos: JSON, from preset to address. (C69) */
export const DESTINATIONS = 'destinations';

/** The form field of the presets that are rendered now: a list, as JSON. (C86) */
export const PRESETS = 'presets';

/** The form field of the client's own pairs of texts: JSON, from key to value. (C87) */
export const METADATA = 'metadata';

/** The field that turns every warning of a request into an error. (C90) */
export const STRICT = 'strict';

/** The form fields that may be large, in a form as in a JSON body. */
export const LARGE_FIELDS = [...DOCUMENT_FIELDS, MEDIA_REFS, MEDIA_URLS] as const;

/** The most bytes of any other field; an address or a name is far shorter. */
export const MAX_PLAIN_BYTES = 64 * 1024;

/** The form fields that hold JSON. */
export const JSON_FIELDS = [
  ...DOCUMENT_FIELDS,
  ...[MEDIA_REFS, MEDIA_URLS, 'callback_events', DESTINATIONS, PRESETS, METADATA],
] as const;

/** The form fields that hold texts, whether they come as plain fields or as files; every other part is media. (C2, C3) */
export const TEXT_FIELDS = [...JSON_FIELDS, 'callback_url', 'external_id', 'retention_hours', STRICT] as const;

/** The text that has the names of unknown members, as a list; no field of a form has this name. */
const UNKNOWN = 'unknown_members/';

/** More of them are only counted: each costs a warning that no client reads. */
const MAX_UNKNOWN = 500;

/** The first names of unknown members, and how many there are more. */
interface UnknownMembers {
  readonly names: readonly string[];
  readonly more: number;
}

/** The text that has the names of unknown members; the parser of the request warns about them. (C6, C67) */
export function unknownMembersText(names: readonly string[]): readonly (readonly [name: string, text: string])[] {
  if (names.length === 0) return [];
  const kept = { names: names.slice(0, MAX_UNKNOWN), more: Math.max(0, names.length - MAX_UNKNOWN) };
  return [[UNKNOWN, JSON.stringify(kept satisfies UnknownMembers)]];
}

/** A warning for each of them. @param names those of the members there are; of a create if absent. */
export function unknownMembers(
  texts: ReadonlyMap<string, string>,
  names: readonly string[] = TEXT_FIELDS,
): readonly Issue[] {
  const issues = new IssueList();
  const otherwise = names === TEXT_FIELDS ? ` Send files with ${MEDIA_REFS} or ${MEDIA_URLS}.` : '';
  const unknown: UnknownMembers = JSON.parse(texts.get(UNKNOWN) ?? '{"names":[],"more":0}');
  for (const name of unknown.names) {
    const message = `The member ${shownText(name)} is unknown and ignored.`;
    issues.warn(pointer('', name), 'field.unknown', message + (issues.hint(name, names) || otherwise));
  }
  issues.warnUnsaid(unknown.more);
  return issues.warnings;
}

/** A warning for a field that has no effect without another one. (C68) */
export function unusedFields(texts: ReadonlyMap<string, string>): readonly Issue[] {
  if (!texts.has('callback_events') || texts.has('callback_url')) return [];
  const message = 'callback_events has no effect without callback_url.';
  return [{ path: '/callback_events', code: 'field.unused', message }];
}

/** Whether the warnings of a request are its errors; a value that is none of both counts as false. */
export function isStrict(texts: ReadonlyMap<string, string>): boolean {
  return texts.get(STRICT)?.trim() === 'true';
}

/**
 * With `strict`, the warnings of a request are its errors.
 *
 * @throws ExportError with all of `warnings`; `field.choice` if the field has another value than true and false.
 */
export function requireNoWarnings(texts: ReadonlyMap<string, string>, warnings: readonly Issue[]): void {
  const strict = texts.get(STRICT)?.trim() || 'false';
  const issues = new IssueList();
  if (isStrict(texts)) for (const { path, code, message } of warnings) issues.error(path, code, message);
  else if (strict !== 'false') {
    issues.error(pointer('', STRICT), 'field.choice', `strict must be true or false, not ${shownText(strict)}.`);
  }
  issues.throwIfFailed();
}

/** The documents as sent, read but not yet understood. */
export type RequestDocuments = { readonly [field in DocumentField]?: unknown };

/** Why texts that were sent could not be read, at their places in the request. */
export type UnreadDocuments = ReadonlyMap<DocumentField, JsonFault>;

/**
 * Reads the JSON fields of a request; one that is not JSON, or too large, does not hide the errors of the others. (C5)
 */
export function readDocuments(
  texts: ReadonlyMap<string, string>,
  limits: JsonLimits,
): { readonly documents: RequestDocuments; readonly unread: UnreadDocuments } {
  const documents: { [field in DocumentField]?: unknown } = {};
  const unread = new Map<DocumentField, JsonFault>();
  for (const field of DOCUMENT_FIELDS) {
    const text = texts.get(field);
    if (text === undefined) continue;
    const reading = readJson(text, limits);
    if ('value' in reading) documents[field] = reading.value;
    else unread.set(field, { ...reading.fault, path: pointer('', field) + reading.fault.path });
  }
  return { documents, unread };
}

/** @throws ExportError naming every text that could not be read. */
export function requireRead(unread: UnreadDocuments): void {
  const issues = new IssueList();
  reportUnread(unread, issues);
  issues.throwIfFailed();
}

/** Reports every text that could not be read. */
export function reportUnread(unread: UnreadDocuments, issues: IssueList): void {
  for (const { kind, code, path, message } of unread.values()) issues.error(path, code, message, kind);
}
