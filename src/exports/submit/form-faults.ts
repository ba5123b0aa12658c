import { ExportError } from '../../errors.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { type FormFields, LONGEST_EXTERNAL_ID } from '../exports-api.ts';
import { parseCallbackUrl } from '../webhooks/callback-url.ts';

/** All that is wrong with the fields of a form that are no documents, to be told with what else is wrong. (C5) */
export function formFaults({ callbackUrl, externalId }: FormFields, allowPrivateCallbacks: boolean): IssueList {
  const faults = new IssueList();
  if (callbackUrl !== null) faults.collect(() => parseCallbackUrl(callbackUrl, allowPrivateCallbacks));
  if (externalId !== null) faults.collect(() => requireShort(externalId));
  return faults;
}

/** @throws `field.range` at `/external_id` */
function requireShort(externalId: string): void {
  const { length } = [...externalId];
  if (length <= LONGEST_EXTERNAL_ID) return;
  const message = `external_id must be a text of at most ${LONGEST_EXTERNAL_ID} characters, not of ${length}.`;
  throw new ExportError('invalid', 'field.range', message, { path: '/external_id' });
}
