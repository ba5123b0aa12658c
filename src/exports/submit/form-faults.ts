import { ExportError } from '../../errors.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { shownNumber } from '../../timeline/json/shown-value.ts';
import type { Presets } from '../../timeline/presets.ts';
import { type FormFields, LONGEST_EXTERNAL_ID } from '../api/submission.ts';
import { parseCallbackUrl } from '../webhooks/callback-url.ts';
import { readCallbackEvents } from './callback-events.ts';
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
