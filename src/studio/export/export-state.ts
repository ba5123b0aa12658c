import { signal } from '@preact/signals';
import type { Export } from '../../../packages/client/src/client.ts';
import type { Issue } from '../../errors.ts';
import { isOpen, type Sample } from './export-progress.ts';

/** The state of the shown export. */
type ExportStep =
  | { readonly step: 'none' }
  /** Files of the project are still being made. */
  | { readonly step: 'waiting' }
  | { readonly step: 'uploading'; readonly bytes: number; readonly of: number; readonly name: string }
  | { readonly step: 'sending' }
  | { readonly step: 'made'; readonly view: Export; readonly chapters: string | null }
  | { readonly step: 'failed'; readonly message: string; readonly issues: readonly Issue[] }
  | { readonly step: 'stopped' };

/** Whether the panel is open; rendering continues without it. */
export const exportOpen = signal(false);
export const exportStep = signal<ExportStep>({ step: 'none' });
/** The formats of the shown export; null means all. */
export const madeFormats = signal<readonly string[] | null>(null);
/** The progress so far, to estimate the time left. */
export const progressSamples = signal<readonly Sample[]>([]);

/** Whether something is running that can be stopped. */
export function isUnderWay(now: ExportStep): boolean {
  if (now.step === 'made') return Object.values(now.view.outputs).some(isOpen);
  return now.step === 'waiting' || now.step === 'uploading' || now.step === 'sending';
}
