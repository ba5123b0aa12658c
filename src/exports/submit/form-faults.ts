import { ExportError } from '../../errors.ts';
import { readAddress } from '../../outbound/read-address.ts';
import { CALLBACK_EVENTS, type CallbackEvent } from '../../store/records/export-record.ts';
import type { Settings } from '../../timeline/export-request.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownNumber, shownValue } from '../../timeline/json/shown-value.ts';
import { findPreset, type Presets, unknownPreset } from '../../timeline/presets.ts';
import { type FormFields, LONGEST_EXTERNAL_ID, METADATA_LIMITS } from '../api/submission.ts';
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
  faults.collect(() => readWantedPresets(fields.presets, presets));
  faults.collect(() => readMetadata(fields.metadata));
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

const LIMITS: JsonLimits = { maxBytes: 4096, maxDepth: 2, maxValues: 100 };
/** Unless a client chooses events. (C68) */
export const UNLESS_CHOSEN = CALLBACK_EVENTS.slice(0, 3);

/**
 * Reads `callback_events`: the events that a client subscribes to. (C68)
 *
 * @throws ExportError with all errors
 */
export function readCallbackEvents(text: string | null): readonly CallbackEvent[] {
  if (text === null) return UNLESS_CHOSEN;
  return chosenEvents(readField(text, '/callback_events', LIMITS), 'callback_events');
}

/**
 * Reads a list of events that a client subscribes to, each once and in our order.
 *
 * @throws ExportError with all errors
 */
export function chosenEvents(chosen: unknown, field: string): readonly CallbackEvent[] {
  if (!Array.isArray(chosen)) {
    const message = `${field} must be a list, not ${shownValue(chosen)}.`;
    throw new ExportError('invalid', 'field.type', message, { path: `/${field}` });
  }
  const issues = new IssueList();
  for (const [index, name] of chosen.entries()) {
    if (CALLBACK_EVENTS.some((event) => event === name)) continue;
    const message = `An event must be one of ${CALLBACK_EVENTS.join(', ')}, not ${shownValue(name)}.`;
    issues.error(pointer(`/${field}`, index), 'field.choice', message);
  }
  issues.throwIfFailed();
  return CALLBACK_EVENTS.filter((event) => chosen.includes(event));
}

/** The value of a JSON field. @throws ExportError at its place */
function readField(text: string, field: string, limits: JsonLimits): unknown {
  const reading = readJson(text, limits);
  if ('value' in reading) return reading.value;
  const { kind, code, message, path } = reading.fault;
  throw new ExportError(kind, code, message, { path: field + path });
}

/**
 * Reads `presets`: the names of the presets that are rendered now, from names and aliases; null if the service decides.
 * (C86)
 *
 * @throws ExportError with all errors
 */
export function readWantedPresets(text: string | null, presets: Presets): ReadonlySet<string> | null {
  if (text === null) return null;
  const asked = readField(text, '/presets', LIMITS);
  if (!Array.isArray(asked)) {
    const message = `presets must be a list of names, not ${shownValue(asked)}.`;
    throw new ExportError('invalid', 'field.type', message, { path: '/presets' });
  }
  const issues = new IssueList();
  const wanted = new Set<string>();
  for (const [index, name] of asked.entries()) {
    const preset = typeof name === 'string' ? findPreset(presets, name) : undefined;
    const path = pointer('/presets', index);
    if (preset !== undefined) wanted.add(preset.name);
    else if (typeof name === 'string') {
      issues.error(path, 'field.choice', unknownPreset('A preset', name, presets));
    } else issues.error(path, 'field.type', `A preset must be a name, not ${shownValue(name)}.`);
  }
  if (asked.length === 0) {
    issues.error('/presets', 'field.range', 'presets is empty: name at least the selected preset, or leave it out.');
  }
  issues.throwIfFailed();
  return wanted;
}

/** The state of the selected preset is that of the export, so it is always rendered. @throws `presets.not_selected` (C86) */
export function requireSelected(wanted: ReadonlySet<string> | null, { preset }: Pick<Settings, 'preset'>): void {
  if (wanted === null || wanted.has(preset)) return;
  const message = `presets lacks ${preset}, the selected preset. Add it, or select another one with settings.preset.`;
  throw new ExportError('invalid', 'presets.not_selected', message, { path: '/presets' });
}

const PAIR_LIMITS: JsonLimits = { maxBytes: 256 * 1024, maxDepth: 3, maxValues: 500 };

/**
 * Reads `metadata`: the client's own pairs of texts. (C87)
 *
 * @throws ExportError with all errors
 */
export function readMetadata(text: string | null): Readonly<Record<string, string>> {
  if (text === null) return {};
  const sent = readField(text, '/metadata', PAIR_LIMITS);
  if (!isObject(sent)) {
    const message = `metadata must be an object from keys to texts, not ${shownValue(sent)}.`;
    throw new ExportError('invalid', 'field.type', message, { path: '/metadata' });
  }
  const issues = new IssueList();
  const { pairs, key: longestKey, value: longestValue } = METADATA_LIMITS;
  const entries = Object.entries(sent);
  if (entries.length > pairs) {
    const message = `metadata has ${entries.length} pairs; it can have ${pairs}.`;
    issues.error('/metadata', 'field.range', message);
  }
  for (const [key, value] of entries) {
    const path = pointer('/metadata', key);
    const length = [...key].length;
    if (length < 1 || length > longestKey) {
      issues.error(path, 'field.range', `A key of metadata must have 1 to ${longestKey} characters, not ${length}.`);
    }
    if (typeof value !== 'string') {
      issues.error(path, 'field.type', `A value of metadata must be a text, not ${shownValue(value)}.`);
    } else if ([...value].length > longestValue) {
      const message = `A value of metadata must have at most ${longestValue} characters, not ${[...value].length}.`;
      issues.error(path, 'field.range', message);
    }
  }
  issues.throwIfFailed();
  return Object.fromEntries(entries) as Record<string, string>;
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
