import type { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText, shownValue } from '../json/shown-value.ts';
import { MEDIA_REFS, MEDIA_URLS, readSha256 } from '../media-references.ts';

/** The member of a project that says where the file of each file field is. (C82) */
export const MEDIA = 'media';

/** Where a medium is: stored on the service, on the web, or in a file beside the project. */
export type MediaPlace =
  | { readonly kind: 'stored'; readonly sha256: string; readonly path: string }
  | { readonly kind: 'web'; readonly url: string; readonly path: string }
  | { readonly kind: 'file'; readonly file: string; readonly path: string };

/** Who reads a project. */
export interface PlaceRules {
  /** Whether a medium may be a file beside the project: on a command line, never on a service. */
  readonly files: boolean;
}

const STORED = 'sha256:';

/** Whether a text is an address. Which addresses are allowed is decided when it is fetched. (C66) */
export function isWebAddress(place: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place);
}

/** The SHA-256 of a reference; null: the value is none. */
export function readStored(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(STORED) ? readSha256(value.slice(STORED.length)) : null;
}

/** Where a medium is; undefined: the value is none, which is reported. @param path of the value in the request */
export function readPlace(
  value: unknown,
  path: string,
  { files }: PlaceRules,
  issues: IssueList,
): MediaPlace | undefined {
  const allowed = files ? '"sha256:" and 64 digits, an address or a path' : '"sha256:" and 64 digits, or an address';
  if (typeof value !== 'string') {
    issues.error(path, 'field.type', `The place of a medium must be ${allowed}, not ${shownValue(value)}.`);
    return undefined;
  }
  if (value.startsWith(STORED)) {
    const sha256 = readSha256(value.slice(STORED.length));
    if (sha256 !== null) return { kind: 'stored', sha256, path };
    const message = `After "sha256:" there must be 64 hexadecimal digits, not ${shownText(value.slice(STORED.length))}.`;
    issues.error(path, 'field.format', message);
    return undefined;
  }
  if (isWebAddress(value)) return { kind: 'web', url: value, path };
  if (files && value !== '') return { kind: 'file', file: value, path };
  issues.error(path, 'field.format', `The place of a medium must be ${allowed}, not ${shownText(value)}.`);
  return undefined;
}

/** Whether a value is neither a reference nor an address. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && !value.startsWith(STORED) && !isWebAddress(value);
}

function hasMember(object: unknown, name: string): boolean {
  return isObject(object) && Object.hasOwn(object, name);
}

/** The places of all media of a project, by file field: `media`, `media_refs` and `media_urls`. (C82) */
export function readMedia(
  project: Readonly<Record<string, unknown>>,
  rules: PlaceRules,
  issues: IssueList,
): ReadonlyMap<string, MediaPlace> {
  const places = new Map<string, MediaPlace>();
  const named = new Map<string, string>();
  const add = (member: string, read: (value: unknown, path: string) => MediaPlace | undefined) => {
    const given = Object.hasOwn(project, member) ? project[member] : undefined;
    if (given === undefined) return;
    if (!isObject(given)) {
      const message = `${member} must be an object from file field to place, not ${shownValue(given)}.`;
      issues.error(pointer('', member), 'field.type', message);
      return;
    }
    for (const [field, value] of Object.entries(given)) {
      const path = pointer('', member, field);
      // Older projects of the studio have the path of a file beside the reference to its content, which counts.
      if (member === MEDIA && isPath(value) && hasMember(project[MEDIA_REFS], field)) continue;
      const earlier = named.get(field);
      named.set(field, path);
      if (earlier !== undefined) {
        issues.error(path, 'reference.repeated', `The file field ${shownText(field)} is also in ${earlier}.`);
        continue;
      }
      const place = read(value, path);
      if (place !== undefined) places.set(field, place);
    }
  };
  add(MEDIA, (value, path) => readPlace(value, path, rules, issues));
  add(MEDIA_REFS, (value, path) => {
    const sha256 = typeof value === 'string' ? readSha256(value) : null;
    if (sha256 !== null) return { kind: 'stored', sha256, path };
    const message = `A reference must be a SHA-256 of 64 hexadecimal digits, not ${shownValue(value)}.`;
    issues.error(path, typeof value === 'string' ? 'field.format' : 'field.type', message);
    return undefined;
  });
  add(MEDIA_URLS, (url, path) => {
    if (typeof url === 'string') return { kind: 'web', url, path };
    issues.error(path, 'field.type', `The address of a file must be a text, not ${shownValue(url)}.`);
    return undefined;
  });
  return places;
}

/**
 * The SHA-256 of stored media that the defaults of a template name: of media fields, and of pictures in lists of items.
 * Fields that are wrong have none; an export reports them.
 */
export function storedDefaults(project: Readonly<Record<string, unknown>>): readonly string[] {
  const fields = Object.hasOwn(project, 'fields') && isObject(project.fields) ? Object.values(project.fields) : [];
  return fields.flatMap((field) => {
    if (!isObject(field) || !Object.hasOwn(field, 'default')) return [];
    const places = Array.isArray(field.default)
      ? field.default.map((item) => (isObject(item) ? item.picture : null))
      : [field.default];
    // A text of a `text` field is no reference, whatever it says.
    return field.type === 'media' || field.type === 'items' ? places.flatMap((place) => readStored(place) ?? []) : [];
  });
}
