import { ExportError } from '../../errors.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson, utf8Bytes } from '../../timeline/json/json-text.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';
import {
  JSON_FIELDS,
  LARGE_FIELDS,
  MAX_PLAIN_BYTES,
  STRICT,
  TEXT_FIELDS,
  unknownMembersText,
} from '../../timeline/request-documents.ts';
import { MAX_DOCUMENTS, type SentTexts } from '../api/submission.ts';

const JSON_TEXTS: ReadonlySet<string> = new Set(JSON_FIELDS);
const LARGE: ReadonlySet<string> = new Set(LARGE_FIELDS);
const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS);
/** Plain fields that are true or false. */
const SWITCHES: ReadonlySet<string> = new Set([STRICT]);
/** Plain fields that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['at', 'frame', 'min_pause', 'padding', 'retention_hours']);

/** The limits of a body that has all documents of a request: a form as JSON, or a project. (C67, C76) */
export function bodyLimits({ maxBytes, maxDepth, maxValues }: JsonLimits): JsonLimits {
  return { maxBytes: MAX_DOCUMENTS * maxBytes, maxDepth: maxDepth + 1, maxValues: MAX_DOCUMENTS * maxValues };
}

/** The texts of a request as strings; a byte order mark is left out. The receiver has checked that they are UTF-8. */
export function decodedTexts(texts: SentTexts): ReadonlyMap<string, string> {
  return new Map([...texts].map(([name, text]) => [name, typeof text === 'string' ? text : decoded(text)]));
}

/** @throws `json.not_text` */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ExportError('malformed', 'json.not_text', 'The body is not UTF-8 text.', { path: '', cause });
  }
}

/**
 * Reads a form that is sent as one JSON object: its fields as members, its documents as objects. The result is the same
 * as for a multipart form. (C67)
 *
 * @param plainFields additional fields that are texts or numbers.
 * @param limits of one document.
 * @throws ExportError `json.*`, `field.type`; all members of the wrong type at once
 */
export function readForm(body: Uint8Array, plainFields: readonly string[], limits: JsonLimits): SentTexts {
  const issues = new IssueList();
  const texts = new Map<string, string | Uint8Array>();
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(membersOf(body, bodyLimits(limits)))) {
    if (LARGE.has(name)) texts.set(name, new TextEncoder().encode(JSON.stringify(value)));
    else if (JSON_TEXTS.has(name)) texts.set(name, JSON.stringify(value));
    else if (TEXTS.has(name) || plainFields.includes(name)) readPlain(name, value, texts, issues);
    else unknown.push(name);
    const kept = texts.get(name);
    if (typeof kept === 'string' && utf8Bytes(kept) > MAX_PLAIN_BYTES) {
      const message = `${name} has ${utf8Bytes(kept)} bytes; at most ${MAX_PLAIN_BYTES} are allowed.`;
      issues.error(pointer('', name), 'json.too_large', message, 'too_large');
    }
  }
  issues.throwIfFailed();
  return new Map([...texts, ...unknownMembersText(unknown)]);
}

function membersOf(body: Uint8Array, limits: JsonLimits): object {
  const reading = readJson(decoded(body), limits);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const { value } = reading;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const message = `The body must be a JSON object with the fields as members, not ${shownValue(value)}.`;
  throw new ExportError('invalid', 'field.type', message, { path: '' });
}

function readPlain(name: string, value: unknown, texts: Map<string, string | Uint8Array>, issues: IssueList): void {
  const wanted = SWITCHES.has(name) ? 'boolean' : NUMBERS.has(name) ? 'number' : 'string';
  if (typeof value === wanted) texts.set(name, String(value));
  else {
    const message = `${name} must be a ${wanted}, not ${shownValue(value)}.`;
    issues.error(pointer('', name), 'field.type', message);
  }
}
