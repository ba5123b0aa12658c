import { ExportError } from '../../errors.ts';
import { readAddress } from '../../outbound/read-address.ts';
import { CALLBACK_EVENTS, type CallbackEvent } from '../../store/records/export-record.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownNumber, shownValue } from '../../timeline/json/shown-value.ts';
import type { Presets } from '../../timeline/presets.ts';
import { type FormFields, LONGEST_EXTERNAL_ID } from '../api/submission.ts';
import { readDestinations } from './destinations.ts';

/** The settings of a deployment for form fields. */
export interface FormPolicy {
  readonly allowPrivateCallbacks: boolean;
  readonly maxRetentionHours: number;
  readonly allowPrivateDestinations: boolean;
}

/** Errors of the form fields that are not documents, returned together with the other errors. (C5) */
export function formFaults(fields: FormFields, policy: FormPolicy, presets: Presets): IssueList {
  const { callbackUrl, callbackEvents, externalId, retentionHours, destinations } = fields;
  const { allowPrivateCallbacks, maxRetentionHours, allowPrivateDestinations: allowPrivate } = policy;
  const faults = new IssueList();
  if (callbackUrl !== null) faults.collect(() => parseCallbackUrl(callbackUrl, allowPrivateCallbacks));
  faults.collect(() => readCallbackEvents(callbackEvents));
  if (externalId !== null) faults.collect(() => requireShort(externalId));
  if (retentionHours !== null) faults.collect(() => readHours(retentionHours, maxRetentionHours));
  faults.collect(() => readDestinations(destinations, { presets, allowPrivate }));
  return faults;
}

/** @throws `field.range` at `/retention_hours` (C73) */
function readHours(text: string, max: number): void {
  const hours = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (hours >= 1 && hours <= max) return;
  const message = `retention_hours must be a whole number from 1 to ${max}, not ${shownNumber(text)}.`;
  throw new ExportError('invalid', 'field.range', message, { path: '/retention_hours' });
}

/** @throws `field.range` at `/external_id` */
function requireShort(externalId: string): void {
  const { length } = [...externalId];
  if (length <= LONGEST_EXTERNAL_ID) return;
  const message = `external_id must be a text of at most ${LONGEST_EXTERNAL_ID} characters, not of ${length}.`;
  throw new ExportError('invalid', 'field.range', message, { path: '/external_id' });
}

const FIELD = '/callback_events';
const LIMITS: JsonLimits = { maxBytes: 4096, maxDepth: 2, maxValues: 100 };
const UNLESS_CHOSEN = CALLBACK_EVENTS.slice(0, 3);

/**
 * Reads `callback_events`: the events that a client subscribes to. (C68)
 *
 * @throws ExportError with all errors
 */
export function readCallbackEvents(text: string | null): readonly CallbackEvent[] {
  if (text === null) return UNLESS_CHOSEN;
  const reading = readJson(text, LIMITS);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    throw new ExportError(kind, code, message, { path: FIELD + path });
  }
  const { value: chosen } = reading;
  if (!Array.isArray(chosen)) {
    const message = `callback_events must be a list, not ${shownValue(chosen)}.`;
    throw new ExportError('invalid', 'field.type', message, { path: FIELD });
  }
  const issues = new IssueList();
  for (const [index, name] of chosen.entries()) {
    if (CALLBACK_EVENTS.some((event) => event === name)) continue;
    const message = `An event must be one of ${CALLBACK_EVENTS.join(', ')}, not ${shownValue(name)}.`;
    issues.error(pointer(FIELD, index), 'field.choice', message);
  }
  issues.throwIfFailed();
  return CALLBACK_EVENTS.filter((event) => chosen.includes(event));
}

/**
 * Reads a `callback_url`. (C37)
 *
 * @throws ExportError `callback.invalid` at `/callback_url`
 */
export function parseCallbackUrl(text: string, allowPrivate: boolean): URL {
  const url = readAddress(text, allowPrivate);
  if (url instanceof URL) return url;
  throw new ExportError('invalid', 'callback.invalid', `callback_url ${url}`, { path: '/callback_url' });
}
