import { sha256 } from '../../platform/sha256.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { MEDIA_REFS, readMediaReferences } from '../../timeline/media-references.ts';
import { JSON_FIELDS } from '../../timeline/request-documents.ts';

const DOCUMENTS_AS_JSON: ReadonlySet<string> = new Set(JSON_FIELDS);

/**
 * Equal for the same names, texts and contents, in any order, sent or referenced, as a form or as JSON. Ignores white
 * space and the order of keys. (C9, C38, C67)
 *
 * @param files the SHA-256 of each sent file, by field.
 * @param limits of JSON that is only hashed.
 */
export function requestHash(
  texts: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
  limits: JsonLimits,
): string {
  const issues = new IssueList();
  const { byField } = readMediaReferences(texts.get(MEDIA_REFS), issues);
  // References that cannot be parsed are hashed as text.
  const refers = texts.has(MEDIA_REFS) && !issues.failed;
  const plain = [...texts].filter(([name]) => !(refers && name === MEDIA_REFS));
  const parts = [
    ...plain.map(([name, text]) => [
      'text',
      name,
      sha256(DOCUMENTS_AS_JSON.has(name) ? meaningOf(text, limits) : text),
    ]),
    ...[...files].map(([name, hash]) => ['file', name, hash]),
    ...(refers ? [...byField].map(([name, hash]) => ['file', name, hash]) : []),
  ];
  const sorted = parts.map((part) => JSON.stringify(part)).sort();
  return sha256(sorted.join('\n'));
}

/** JSON with sorted keys and without white space; invalid JSON is returned unchanged. */
function meaningOf(text: string, limits: JsonLimits): string {
  const reading = readJson(text, limits);
  return 'fault' in reading ? text : JSON.stringify(inOrder(reading.value));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
