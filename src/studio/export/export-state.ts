import { signal } from '@preact/signals';
import type { Export } from '../../../packages/client/src/client.ts';
import type { Issue } from '../../errors.ts';
import { isOpen, type Sample } from './export-progress.ts';

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
/** The formats of the export that is looked at; null: all of them. */
export const madeFormats = signal<readonly string[] | null>(null);
/** How the export has gone on so far, for telling how long it takes. */
export const samples = signal<readonly Sample[]>([]);

/** Whether anything goes on that can be stopped. */
export function isUnderWay(now: ExportStep): boolean {
  if (now.step === 'made') return Object.values(now.view.outputs).some(isOpen);
  return now.step === 'waiting' || now.step === 'uploading' || now.step === 'sending';
}
