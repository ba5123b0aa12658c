import { signal } from '@preact/signals';
import type { Export, Output } from '../../../packages/client/src/client.ts';
import type { Issue } from '../../errors.ts';

/** Where the one export that is looked at is. */
type ExportStep =
  | { readonly step: 'none' }
  /** Files of the project are still being made. */
  | { readonly step: 'waiting' }
  | { readonly step: 'uploading'; readonly bytes: number; readonly of: number; readonly name: string }
  | { readonly step: 'sending' }
  | { readonly step: 'made'; readonly view: Export; readonly chapters: string | null }
  | { readonly step: 'failed'; readonly message: string; readonly issues: readonly Issue[] }
  | { readonly step: 'stopped' };

/** Whether the panel is open; what renders goes on without it. */
export const exportOpen = signal(false);
export const exportStep = signal<ExportStep>({ step: 'none' });
/** When rendering was first seen to go on, for guessing how long it takes. */
export const renderingSince = signal<{ readonly ms: number; readonly progress: number } | null>(null);

/** Whether anything goes on that can be stopped. */
export function isUnderWay(now: ExportStep): boolean {
  if (now.step === 'made') {
    const { state, outputs } = now.view;
    return state !== 'failed' && state !== 'cancelled' && Object.values(outputs).some((each) => isOpen(each));
  }
  return now.step === 'waiting' || now.step === 'uploading' || now.step === 'sending';
}

/** An idle output starts when its download is opened: until then nothing goes on. (C72) */
export function isOpen({ state }: Output): boolean {
  return state === 'queued' || state === 'rendering';
}
