import { validateHeaderName, validateHeaderValue } from 'node:http';
import { readAddress } from '../../outbound/read-address.ts';
import type { DestinationTarget } from '../../store/records/destination-records.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownText, shownValue } from '../../timeline/json/shown-value.ts';
import { findPreset, type Presets, unknownPreset } from '../../timeline/presets.ts';
import { VIDEO_TYPE } from '../api/open-output.ts';
import { DESTINATION_HEADERS } from '../api/submission.ts';

const FIELD = 'destinations';
const LIMITS: JsonLimits = { maxBytes: 64 * 1024, maxDepth: 4, maxValues: 300 };
const MEMBERS: readonly string[] = ['url', 'headers'];

/** Headers of the connection, or of the service: a client cannot know their values. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  [
    'connection content-encoding content-length content-range expect host keep-alive proxy-authenticate',
    'proxy-authorization proxy-connection repr-digest te trailer transfer-encoding upgrade user-agent',
  ].flatMap((names) => names.split(' ')),
);

interface DestinationRules {
  readonly presets: Presets;
  readonly allowPrivate: boolean;
}

/**
 * Reads `destinations`: where finished videos are sent, by preset. (C69)
 *
 * @throws ExportError with all errors
 */
export function readDestinations(
  text: string | null,
  { presets, allowPrivate }: DestinationRules,
): ReadonlyMap<string, DestinationTarget> {
  const targets = new Map<string, DestinationTarget>();
  if (text === null) return targets;
  const issues = new IssueList();
  for (const [name, value] of Object.entries(readObject(text, issues))) {
    const path = pointer('', FIELD, name);
    const preset = findPreset(presets, name)?.name;
    if (preset === undefined) {
      issues.error(path, 'field.choice', unknownPreset('A preset', name, presets));
    } else if (targets.has(preset)) {
      issues.error(path, 'destination.repeated', `The preset ${preset} has two destinations; it can have one.`);
    } else targets.set(preset, readTarget(value, path, allowPrivate, issues));
  }
  issues.throwIfFailed();
  return targets;
}

function readObject(text: string, issues: IssueList): object {
  const reading = readJson(text, LIMITS);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    issues.error(pointer('', FIELD) + path, code, message, kind);
    return {};
  }
  if (isObject(reading.value)) return reading.value;
  const message = `destinations must be an object that maps presets to addresses, not ${shownValue(reading.value)}.`;
  issues.error(pointer('', FIELD), 'field.type', message);
  return {};
}

function readTarget(value: unknown, path: string, allowPrivate: boolean, issues: IssueList): DestinationTarget {
  if (typeof value === 'string') return { url: readUrl(value, path, allowPrivate, issues), headers: {} };
  if (!isObject(value)) {
    const message = `A destination must be an address or { url, headers }, not ${shownValue(value)}.`;
    issues.error(path, 'field.type', message);
    return { url: '', headers: {} };
  }
  const { url, headers = {} } = value as { readonly url?: unknown; readonly headers?: unknown };
  for (const name of Object.keys(value).filter((member) => !MEMBERS.includes(member))) {
    // A warning would come too late: the video would be sent without the intended member.
    const message = `A destination has no field ${shownText(name)}.${issues.hintOrNames(name, MEMBERS)}`;
    issues.error(`${path}${pointer('', name)}`, 'destination.invalid', message);
  }
  return {
    url: readUrl(url, `${path}/url`, allowPrivate, issues),
    headers: readHeaders(headers, `${path}/headers`, issues),
  };
}

function readUrl(value: unknown, path: string, allowPrivate: boolean, issues: IssueList): string {
  if (typeof value !== 'string') {
    if (value === undefined)
      issues.error(
        path.replace(/\/url$/, ''),
        'field.required',
        '"url" is missing: it must be the address of the destination.',
      );
    else issues.error(path, 'field.type', `The url of a destination must be a text, not ${shownValue(value)}.`);
    return '';
  }
  const url = readAddress(value, allowPrivate);
  if (url instanceof URL) return url.href;
  issues.error(path, 'destination.invalid', `A destination ${url}`);
  return '';
}

function readHeaders(value: unknown, path: string, issues: IssueList): Record<string, string> {
  if (!isObject(value)) {
    issues.error(path, 'field.type', `headers must be an object that maps names to texts, not ${shownValue(value)}.`);
    return {};
  }
  const headers = new Map<string, string>();
  for (const [name, text] of Object.entries(value)) {
    const fault = headerFault(name, text, headers);
    if (fault === null) headers.set(name.toLowerCase(), text);
    else issues.error(`${path}${pointer('', name)}`, 'destination.header', fault);
  }
  requireFew(headers, path, issues);
  // The service sets it.
  headers.delete('content-type');
  return Object.fromEntries(headers);
}

/** The error of a header; null if it is valid. */
function headerFault(name: string, value: unknown, before: ReadonlyMap<string, string>): string | null {
  const key = name.toLowerCase();
  if (!isValid(() => validateHeaderName(name))) return `${shownText(name)} is not the name of a header.`;
  if (OWN_HEADERS.has(key)) return `The service sets ${name} itself; leave it out.`;
  if (before.has(key)) return `${name} occurs twice; header names are not case-sensitive.`;
  if (typeof value !== 'string') return `${name} must be a text, not ${shownValue(value)}.`;
  if (!isValid(() => validateHeaderValue(name, value))) return `${name} has a character that headers cannot have.`;
  if (key === 'content-type' && value.toLowerCase() !== VIDEO_TYPE)
    return `Content-Type is always ${VIDEO_TYPE}, not ${shownText(value)}; sign the address for that type.`;
  return null;
}

function requireFew(headers: ReadonlyMap<string, string>, path: string, issues: IssueList): void {
  const { max, maxBytes } = DESTINATION_HEADERS;
  const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
  if (headers.size > max) {
    issues.error(path, 'destination.header', `A destination may have ${max} headers; there are ${headers.size}.`);
  }
  if (bytes > maxBytes) {
    issues.error(path, 'destination.header', `The headers can have ${maxBytes} bytes in total; they have ${bytes}.`);
  }
}

function isValid(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
