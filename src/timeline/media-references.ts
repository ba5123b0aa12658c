import type { IssueList } from './issue-list.ts';
import { pointer } from './json/json-pointer.ts';
import { type JsonLimits, readJson } from './json/json-text.ts';
import { shownText } from './json/shown-value.ts';

/** The form field that stands in for file parts: JSON, from file field to the SHA-256 of content that is there. (C38) */
export const MEDIA_REFS = 'media_refs';

/** Far more than any request may have files. */
const LIMITS: JsonLimits = { maxBytes: 2 ** 20, maxDepth: 4, maxValues: 10_000 };

const SHA256 = /^[0-9a-f]{64}$/i;

/** The SHA-256 of something, in small letters; null where the text is none. */
export function readSha256(text: string): string | null {
  return SHA256.test(text) ? text.toLowerCase() : null;
}

/** Where a reference stands in the request. */
export function referencePath(field: string): string {
  return pointer('', MEDIA_REFS, field);
}

/** What a request refers to, by file field. Hashes that are none are left out and told of; their fields count as served. */
export interface MediaReferences {
  readonly byField: ReadonlyMap<string, string>;
  readonly fields: readonly string[];
}

/** Reads the references of a request; all that is wrong goes to `issues`. */
export function readMediaReferences(text: string | undefined, issues: IssueList): MediaReferences {
  const byField = new Map<string, string>();
  if (text === undefined) return { byField, fields: [] };
  const reading = readJson(text, LIMITS);
  if ('fault' in reading) {
    const { code, path, message, kind } = reading.fault;
    issues.error(pointer('', MEDIA_REFS) + path, code, message, kind);
    return { byField, fields: [] };
  }
  const { value } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    issues.error(pointer('', MEDIA_REFS), 'field.type', 'It must be an object from file fields to SHA-256 hashes.');
    return { byField, fields: [] };
  }
  for (const [field, hash] of Object.entries(value)) {
    const sha256 = typeof hash === 'string' ? readSha256(hash) : null;
    if (sha256 !== null) byField.set(field, sha256);
    else if (typeof hash === 'string') {
      const message = `A SHA-256 has 64 hexadecimal digits; ${shownText(hash)} is none.`;
      issues.error(referencePath(field), 'field.format', message);
    } else issues.error(referencePath(field), 'field.type', 'It must be a text: a SHA-256 in hexadecimal digits.');
  }
  return { byField, fields: Object.keys(value) };
}
