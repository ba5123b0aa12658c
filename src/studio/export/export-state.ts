import { signal } from '@preact/signals';
import type { Issue } from '../../errors.ts';

/** An output of an export, as far as the panel shows it. (C10) */
export interface OutputView {
  readonly state: string;
  readonly progress: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number | null;
  readonly error?: { readonly detail: string };
}

/** A short, made when it is asked for. (C52) */
export interface ShortView extends OutputView {
  readonly number: number;
  readonly title: string;
  readonly download_url: string;
  readonly duration: number;
}

/** The service's word about an export. (C10) */
export interface ExportView {
  readonly export_id: string;
  readonly state: 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled' | 'expired';
  readonly progress: number;
  readonly duration: number | null;
  readonly downloads: Readonly<Record<string, string>>;
  readonly hls: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, OutputView>>;
  readonly shorts?: readonly ShortView[];
  readonly settings: {
    readonly preset: string;
    readonly fps: number;
    readonly quality: string;
    readonly file_name: string;
  };
  readonly links: {
    readonly self: string;
    readonly events: string;
    readonly poster: string;
    readonly chapters: string;
  };
  readonly error?: { readonly detail: string; readonly errors: readonly Issue[] };
}

/** Where the one export that is looked at is. */
type ExportStep =
  | { readonly step: 'none' }
  /** Files of the project are still being made. */
  | { readonly step: 'waiting' }
  | { readonly step: 'uploading'; readonly bytes: number; readonly of: number; readonly name: string }
  | { readonly step: 'sending' }
  | { readonly step: 'made'; readonly view: ExportView; readonly chapters: string | null }
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

export function isOpen({ state }: OutputView): boolean {
  return state !== 'completed' && state !== 'failed' && state !== 'cancelled';
}
