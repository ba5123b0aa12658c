import type { Seconds } from '../time.ts';
import { IssueList } from './issue-list.ts';
import { shownText } from './json/shown-value.ts';
import { readSha256 } from './media-references.ts';

/** The file part of a request for pauses. */
export const PAUSES_MEDIA = 'media';

/** The form fields of a request for pauses that are texts. (C78) */
export const PAUSES_FIELDS = ['media_ref', 'media_url', 'min_pause', 'padding'] as const;

/** What counts as a pause. */
export interface PauseRules {
  /** Silence that is shorter is left alone. */
  readonly minPause: Seconds;
  /** How much of the silence beside speech stays. */
  readonly padding: Seconds;
}

const DEFAULT_PAUSES: PauseRules = { minPause: 0.4, padding: 0.1 };

const NUMBER = /^\d{1,3}(?:\.\d{1,15})?$/;
const LIMITS = { min_pause: { least: 0.1, most: 60 }, padding: { least: 0, most: 5 } } as const;

/** What somebody wants to know of which file. */
interface WantedPauses extends PauseRules {
  /** The SHA-256 of content that is there already; null: it comes in another way. */
  readonly mediaRef: string | null;
  /** The address of the file; null: it comes in another way. */
  readonly mediaUrl: string | null;
}

/** @throws ExportError with everything that is wrong. */
export function readWantedPauses(texts: ReadonlyMap<string, string>, hasPart: boolean): WantedPauses {
  const issues = new IssueList();
  requireOne(texts, hasPart, issues);
  const wanted = {
    mediaRef: readReference(texts.get('media_ref'), issues),
    mediaUrl: texts.get('media_url')?.trim() ?? null,
    minPause: readNumber(texts, 'min_pause', DEFAULT_PAUSES.minPause, issues),
    padding: readNumber(texts, 'padding', DEFAULT_PAUSES.padding, issues),
  };
  issues.throwIfFailed();
  return wanted;
}

function requireOne(texts: ReadonlyMap<string, string>, hasPart: boolean, issues: IssueList): void {
  const [first, second] = [
    hasPart && PAUSES_MEDIA,
    ...['media_ref', 'media_url'].filter((name) => texts.has(name)),
  ].filter((name) => name !== false);
  if (first === undefined) {
    const message = 'Send a file as "media", the SHA-256 of one as "media_ref" or its address as "media_url".';
    issues.error('', 'field.required', message);
  } else if (second !== undefined) {
    issues.error(`/${second}`, 'reference.repeated', 'Send one of "media", "media_ref" and "media_url".');
  }
}

function readReference(text: string | undefined, issues: IssueList): string | null {
  if (text === undefined) return null;
  const sha256 = readSha256(text.trim());
  if (sha256 !== null) return sha256;
  const message = `media_ref must be a SHA-256 of 64 hexadecimal digits, not ${shownText(text)}.`;
  issues.error('/media_ref', 'field.format', message);
  return null;
}

function readNumber(
  texts: ReadonlyMap<string, string>,
  name: keyof typeof LIMITS,
  usual: Seconds,
  issues: IssueList,
): Seconds {
  const text = texts.get(name);
  if (text === undefined) return usual;
  const { least, most } = LIMITS[name];
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const message = `${name} must be a number of seconds from ${least} to ${most}, not ${shownText(text)}.`;
  issues.error(`/${name}`, 'field.range', message);
  return usual;
}
