import { IssueList } from '../issue-list.ts';
import { shownText } from '../json/shown-value.ts';
import { MEDIA_FIELDS, readWantedMedia, type WantedMedia } from './wanted-media.ts';

/** The form fields of a request for captions that are texts, beside the documents of a create. (C77) */
export const CAPTIONS_FIELDS = [...MEDIA_FIELDS, 'language'] as const;

/** The language that is chosen by the model. */
export const ANY_LANGUAGE = 'auto';

/** The media to transcribe, and its language. */
interface WantedCaptions {
  /** null: the voice of the documents. */
  readonly media: WantedMedia | null;
  /** ISO 639-1, or `auto`. */
  readonly language: string;
}

const DOCUMENTS = ', or the documents of a video';

const LANGUAGE = /^[a-z]{2,3}$/;

/** @throws ExportError with everything that is wrong. */
export function readWantedCaptions(texts: ReadonlyMap<string, string>, hasPart: boolean): WantedCaptions {
  const issues = new IssueList();
  const language = texts.get('language')?.trim().toLowerCase() ?? ANY_LANGUAGE;
  if (language !== ANY_LANGUAGE && !LANGUAGE.test(language)) {
    const message = `language must be an ISO 639 code such as "en", or "auto", not ${shownText(texts.get('language')!)}.`;
    issues.error('/language', 'field.format', message);
  }
  const named = MEDIA_FIELDS.find((field) => texts.has(field));
  if (texts.has('timeline_data') && named !== undefined) {
    issues.error(`/${named}`, 'reference.repeated', 'Send a file or the documents of a video, not both.');
  }
  const media = texts.has('timeline_data') ? null : readWantedMedia(texts, hasPart, issues, DOCUMENTS);
  issues.throwIfFailed();
  return { media, language };
}
