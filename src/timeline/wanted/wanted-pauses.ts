import type { Seconds } from '../../time.ts';
import { IssueList } from '../issue-list.ts';
import { shownNumber } from '../json/shown-value.ts';
import { MEDIA_FIELDS, readWantedMedia, type WantedMedia } from './wanted-media.ts';

/** The form fields of a request for pauses that are texts. (C78) */
export const PAUSES_FIELDS = [...MEDIA_FIELDS, 'min_pause', 'padding'] as const;

/** The definition of a pause. */
export interface PauseRules {
  /** Silence that is shorter is left alone. */
  readonly minPause: Seconds;
  /** How much of the silence beside speech stays. */
  readonly padding: Seconds;
}

const DEFAULT_PAUSES: PauseRules = { minPause: 0.4, padding: 0.1 };

const NUMBER = /^\d{1,3}(?:\.\d{1,15})?$/;
const LIMITS = { min_pause: { min: 0.1, max: 60 }, padding: { min: 0, max: 5 } } as const;

/** Which facts to return about which file. */
interface WantedPauses extends PauseRules, WantedMedia {}

/** @throws ExportError with everything that is wrong. */
export function readWantedPauses(texts: ReadonlyMap<string, string>, hasPart: boolean): WantedPauses {
  const issues = new IssueList();
  const wanted = {
    ...readWantedMedia(texts, hasPart, issues),
    minPause: readNumber(texts, 'min_pause', DEFAULT_PAUSES.minPause, issues),
    padding: readNumber(texts, 'padding', DEFAULT_PAUSES.padding, issues),
  };
  issues.throwIfFailed();
  return wanted;
}

function readNumber(
  texts: ReadonlyMap<string, string>,
  name: keyof typeof LIMITS,
  usual: Seconds,
  issues: IssueList,
): Seconds {
  const text = texts.get(name);
  if (text === undefined) return usual;
  const { min, max } = LIMITS[name];
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const message = `${name} must be a number of seconds from ${min} to ${max}, not ${shownNumber(text)}.`;
  issues.error(`/${name}`, 'field.range', message);
  return usual;
}
