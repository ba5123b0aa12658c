import type { Seconds } from '../../time.ts';
import { IssueList } from '../issue-list.ts';
import { shownNumber } from '../json/shown-value.ts';
import { findPreset, type Presets, unknownPreset } from '../presets.ts';

/** The form fields that select a frame; a file in them is media as in any other request. (C39) */
export const FRAME_FIELDS = ['at', 'frame', 'preset'] as const;

/** Which frame to show: one by its number, or the one on screen at a time. */
export interface WantedFrame {
  readonly place: { readonly frame: number } | { readonly at: Seconds };
  /** The preset's own name; null: the one that settings select. */
  readonly preset: string | null;
}

const WHOLE_NUMBER = /^\d{1,15}$/;
const SECONDS = /^\d{1,9}(?:\.\d{1,15})?$/;

/** @throws ExportError with everything that is wrong. (C5) */
export function readWantedFrame(texts: ReadonlyMap<string, string>, presets: Presets): WantedFrame {
  const issues = new IssueList();
  const wanted = { place: readPlace(texts, issues), preset: readPreset(texts.get('preset'), presets, issues) };
  issues.throwIfFailed();
  return wanted;
}

function readPlace(texts: ReadonlyMap<string, string>, issues: IssueList): WantedFrame['place'] {
  const [at, frame] = [texts.get('at'), texts.get('frame')];
  if (at === undefined && frame === undefined) {
    issues.error('', 'field.required', 'Send "at" (seconds) or "frame" (a number from 0).');
  } else if (at !== undefined && frame !== undefined) {
    issues.error('/frame', 'frame.named_twice', 'Send "at" or "frame", not both.');
  } else if (frame !== undefined) {
    if (WHOLE_NUMBER.test(frame.trim())) return { frame: Number(frame) };
    issues.error('/frame', 'field.format', `frame must be a whole number from 0, not ${shownNumber(frame)}.`);
  } else if (at !== undefined) {
    if (SECONDS.test(at.trim())) return { at: Number(at) };
    issues.error('/at', 'field.format', `at must be a number of seconds from 0, such as 12.5, not ${shownNumber(at)}.`);
  }
  return { frame: 0 };
}

function readPreset(name: string | undefined, presets: Presets, issues: IssueList): string | null {
  if (name === undefined) return null;
  const preset = findPreset(presets, name.trim());
  if (preset !== undefined) return preset.name;
  issues.error('/preset', 'field.choice', unknownPreset('preset', name, presets));
  return null;
}
