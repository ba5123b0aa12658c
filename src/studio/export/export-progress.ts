import { signal } from '@preact/signals';
import type { Export, Output } from '../../../packages/client/src/client.ts';
import type { Issue } from '../../errors.ts';
import type { Sample } from '../kit/time-left.ts';
import type { PackedPlan } from '../session/packed-plan.ts';

/** The state of the shown export. */
export type ExportStep =
  | { readonly step: 'none' }
  /** Files of the project are still being made. */
  | { readonly step: 'waiting' }
  | { readonly step: 'uploading'; readonly bytes: number; readonly of: number; readonly name: string }
  | { readonly step: 'sending' }
  | { readonly step: 'made'; readonly view: Export; readonly chapters: string | null }
  /** Rendered in this browser. */
  | {
      readonly step: 'here';
      readonly videos: readonly HereVideo[];
      /** What they are rendered from, by preset. */
      readonly plans: ReadonlyMap<string, PackedPlan>;
    }
  | { readonly step: 'failed'; readonly message: string; readonly issues: readonly Issue[] }
  | { readonly step: 'stopped' };

/** A format that this browser renders. */
export interface HereVideo {
  readonly preset: string;
  /** A short that is cut from the preset; null: the whole video. */
  readonly short: { readonly number: number; readonly title: string } | null;
  readonly width: number;
  readonly height: number;
  readonly state: 'queued' | 'rendering' | 'completed' | 'failed' | 'stopped';
  readonly share: number;
  /** The finished file. */
  readonly file: { readonly url: string; readonly name: string; readonly bytes: number } | null;
  /** Why it failed, a sentence each. */
  readonly faults: readonly string[];
}

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
  if (now.step === 'here') return now.videos.some(isOpen);
  return now.step === 'waiting' || now.step === 'uploading' || now.step === 'sending';
}

export type Outputs = Pick<Export, 'outputs'>;

/** Whether a format still changes by itself. An idle one starts when its download is opened. (C72) */
export function isOpen({ state }: { readonly state: Output['state'] | HereVideo['state'] }): boolean {
  return state === 'queued' || state === 'rendering';
}

/** The progress of the export, 0 to 1, over all formats that are made or to be made. */
export function shareOf({ outputs }: Outputs): number {
  const counted = Object.values(outputs).filter((output) => isOpen(output) || output.state === 'completed');
  if (counted.length === 0) return 0;
  const done = counted.reduce((sum, { state, progress }) => sum + (state === 'completed' ? 1 : progress), 0);
  return done / counted.length;
}
