import type { Seconds } from '../time.ts';
import { ORIENTATIONS, type Orientation, THUMBNAIL_STYLES, type ThumbnailStyle } from './choices.ts';
import { IssueList } from './issue-list.ts';
import { shownNumber, shownText } from './json/shown-value.ts';
import { readSha256 } from './media-references.ts';
import { findPreset, type Presets, unknownPreset } from './presets.ts';
import { unknownMembers } from './request-documents.ts';

/** The file part of a request about one file. */
export const MEDIA_PART = 'media';

/** The form fields that name the file where it does not come as a part. */
const MEDIA_FIELDS = ['media_ref', 'media_url'] as const;

/** The file that a request is about. */
export interface WantedMedia {
  /** The SHA-256 of content that is there already; null: it comes in another way. */
  readonly mediaRef: string | null;
  /** The address of the file; null: it comes in another way. */
  readonly mediaUrl: string | null;
}

/** A request names its file in one of three ways. @param otherwise the end of the message if it names none. */
function readWantedMedia(
  texts: ReadonlyMap<string, string>,
  hasPart: boolean,
  issues: IssueList,
  otherwise = '',
): WantedMedia {
  requireOne(texts, hasPart, issues, otherwise);
  return {
    mediaRef: readReference(texts.get('media_ref'), issues),
    mediaUrl: texts.get('media_url')?.trim() ?? null,
  };
}

function requireOne(texts: ReadonlyMap<string, string>, hasPart: boolean, issues: IssueList, otherwise: string): void {
  const [first, second] = [
    hasPart && MEDIA_PART,
    ...['media_ref', 'media_url'].filter((name) => texts.has(name)),
  ].filter((name) => name !== false);
  if (first === undefined) {
    const message = 'Send a file as "media", the SHA-256 of one as "media_ref" or its address as "media_url"';
    issues.error('', 'field.required', `${message}${otherwise}.`);
    // A misspelt member is often why it is missing.
    for (const warning of unknownMembers(texts, ['media_ref', 'media_url'])) {
      issues.warn(warning.path, warning.code, warning.message);
    }
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

/** The form fields of a request for captions that are texts, beside the documents of a create. (C77) */
export const CAPTIONS_FIELDS = [...MEDIA_FIELDS, 'language'] as const;

/** The language that is chosen by the model. */
export const ANY_LANGUAGE = 'auto';
/** The ISO 639 code for an unknown language. */
export const UNDETERMINED = 'und';

/** The media to transcribe, and its language. */
interface WantedCaptions {
  /** null: the voice of the documents. */
  readonly media: WantedMedia | null;
  /** ISO 639-1, or `auto`. */
  readonly language: string;
}

const DOCUMENTS = ', or the documents of a video';

const LANGUAGE = /^[a-z]{2,3}$/;

/**
 * @param texts the fields that are plain texts
 * @param beside what comes beside them: the file, or the documents of a video
 * @throws ExportError with everything that is wrong.
 */
export function readWantedCaptions(
  texts: ReadonlyMap<string, string>,
  { hasPart, hasDocuments }: { readonly hasPart: boolean; readonly hasDocuments: boolean },
): WantedCaptions {
  const issues = new IssueList();
  const language = texts.get('language')?.trim().toLowerCase() ?? ANY_LANGUAGE;
  if (language !== ANY_LANGUAGE && !LANGUAGE.test(language)) {
    const message = `language must be an ISO 639 code such as "en", or "auto", not ${shownText(texts.get('language')!)}.`;
    issues.error('/language', 'field.format', message);
  }
  const named = MEDIA_FIELDS.find((field) => texts.has(field));
  if (hasDocuments && named !== undefined) {
    issues.error(`/${named}`, 'reference.repeated', 'Send a file or the documents of a video, not both.');
  }
  const media = hasDocuments ? null : readWantedMedia(texts, hasPart, issues, DOCUMENTS);
  issues.throwIfFailed();
  return { media, language };
}

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

/** The form fields that say how a thumbnail looks. (C92) */
export const THUMBNAIL_FIELDS = ['style', 'text', 'items', 'orientation'] as const;

/** How a thumbnail looks; null: the default. (R39) */
export interface WantedThumbnail {
  readonly style: ThumbnailStyle;
  /** Empty: no text. */
  readonly text: string | null;
  /** Ids. */
  readonly items: readonly string[] | null;
  readonly orientation: Orientation | null;
}

/** More than can be read at the size of a search result. */
const LONGEST_THUMBNAIL_TEXT = 100;

/** @throws ExportError with everything that is wrong. (C5) */
export function readWantedThumbnail(texts: ReadonlyMap<string, string>): WantedThumbnail {
  const issues = new IssueList();
  const wanted = {
    style: readChoice(texts, 'style', THUMBNAIL_STYLES, issues) ?? THUMBNAIL_STYLES[0],
    text: readThumbnailText(texts.get('text'), issues),
    items:
      texts
        .get('items')
        ?.split(',')
        .map((id) => id.trim()) ?? null,
    orientation: readChoice(texts, 'orientation', ORIENTATIONS, issues),
  };
  issues.throwIfFailed();
  return wanted;
}

function readThumbnailText(text: string | undefined, issues: IssueList): string | null {
  if (text === undefined) return null;
  const length = [...text].length;
  if (length <= LONGEST_THUMBNAIL_TEXT) return text;
  issues.error('/text', 'field.range', `text has ${length} characters; at most ${LONGEST_THUMBNAIL_TEXT} are allowed.`);
  return null;
}

function readChoice<Choice extends string>(
  texts: ReadonlyMap<string, string>,
  name: (typeof THUMBNAIL_FIELDS)[number],
  choices: readonly Choice[],
  issues: IssueList,
): Choice | null {
  const text = texts.get(name);
  if (text === undefined) return null;
  const choice = choices.find((each) => each === text.trim());
  if (choice !== undefined) return choice;
  issues.error(`/${name}`, 'field.choice', `${name} must be one of ${choices.join(', ')}, not ${shownText(text)}.`);
  return null;
}
