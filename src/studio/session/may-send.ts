import { signal } from '@preact/signals';
import * as texts from '../texts/en/page.ts';
import { readFlag, remembered } from './remembered.ts';
import { hasService } from './service-state.ts';

/**
 * Whether the studio may send files while the user edits: to render in advance, and for frames and pauses that this browser cannot
 * find. null: the user was not asked. Everything else that sends files is started by the user.
 */
export const maySend = remembered<boolean | null>('tiercut-render-while-editing', null, readFlag);

/** Whether there is a reason to ask, now. */
export const asksToSend = signal(false);

/** @returns whether it may; asks the user if it is not known. */
export function mayBeSent(): boolean {
  if (!hasService) return false;
  if (maySend.value === null) asksToSend.value = true;
  return maySend.value === true;
}

export function decideToSend(may: boolean): void {
  asksToSend.value = false;
  maySend.value = may;
}

/** Where the files of the project are, in one sentence. */
export function whereFilesAre(): string {
  if (!hasService) return texts.staysInBrowserAlways;
  return maySend.value === true ? texts.sentWhileEditing(location.host) : texts.staysInBrowserUntil;
}
