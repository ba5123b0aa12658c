import type { IssueList } from './issue-list.ts';
import { pointer } from './json/json-pointer.ts';
import { type JsonLimits, readJson } from './json/json-text.ts';
import { shownValue } from './json/shown-value.ts';

/** The form field that replaces file parts: JSON, from file field to the SHA-256 of stored content. (C38) */
export const MEDIA_REFS = 'media_refs';

/** The same, from file field to the address that the service fetches the content from. (C66) */
export const MEDIA_URLS = 'media_urls';

/** Far more than any request may have files. */
const LIMITS: JsonLimits = { maxBytes: 2 ** 20, maxDepth: 4, maxValues: 10_000 };

const SHA256 = /^[0-9a-f]{64}$/i;

/** A SHA-256 in lower case; null if the text is not one. */
export function readSha256(text: string): string | null {
  return SHA256.test(text) ? text.toLowerCase() : null;
}

/** The path of a reference in the request. */
export function referencePath(field: string): string {
  return pointer('', MEDIA_REFS, field);
}

/** The path of an address in the request. */
export function addressPath(field: string): string {
  return pointer('', MEDIA_URLS, field);
}

/**
 * The references of a request, by file field. Invalid values become errors and are left out; their fields count as
 * present.
 */
export interface MediaReferences {
  readonly byField: ReadonlyMap<string, string>;
  readonly fields: readonly string[];
}

/** Reads the references of a request; all that is wrong goes to `issues`. */
export function readMediaReferences(text: string | undefined, issues: IssueList): MediaReferences {
  return readByField(text, MEDIA_REFS, 'SHA-256 hashes', issues, (hash, path) => {
    const sha256 = typeof hash === 'string' ? readSha256(hash) : null;
    if (sha256 !== null) return sha256;
    const message = `A reference must be a SHA-256 of 64 hexadecimal digits, not ${shownValue(hash)}.`;
    issues.error(path, typeof hash === 'string' ? 'field.format' : 'field.type', message);
    return null;
  });
}

/** Reads the addresses of a request. Does not check whether the service may connect to them. (C66) */
export function readMediaAddresses(text: string | undefined, issues: IssueList): MediaReferences {
  return readByField(text, MEDIA_URLS, 'addresses', issues, (url, path) => {
    if (typeof url === 'string') return url;
    issues.error(path, 'field.type', `The address of a file must be a text, not ${shownValue(url)}.`);
    return null;
  });
}

function readByField(
  text: string | undefined,
  name: string,
  values: string,
  issues: IssueList,
  read: (value: unknown, path: string) => string | null,
): MediaReferences {
  const byField = new Map<string, string>();
  if (text === undefined) return { byField, fields: [] };
  const reading = readJson(text, LIMITS);
  if ('fault' in reading) {
    const { code, path, message, kind } = reading.fault;
    issues.error(pointer('', name) + path, code, message, kind);
    return { byField, fields: [] };
  }
  const { value } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = `${name} must be an object from file fields to ${values}, not ${shownValue(value)}.`;
    issues.error(pointer('', name), 'field.type', message);
    return { byField, fields: [] };
  }
  for (const [field, sent] of Object.entries(value)) {
    const found = read(sent, pointer('', name, field));
    if (found !== null) byField.set(field, found);
  }
  return { byField, fields: Object.keys(value) };
}
