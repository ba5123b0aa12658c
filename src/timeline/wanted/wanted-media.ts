import type { IssueList } from '../issue-list.ts';
import { shownText } from '../json/shown-value.ts';
import { readSha256 } from '../media-references.ts';
import { unknownMembers } from '../request-documents.ts';

/** The file part of a request about one file. */
export const MEDIA_PART = 'media';

/** The form fields that name the file where it does not come as a part. */
export const MEDIA_FIELDS = ['media_ref', 'media_url'] as const;

/** The file that a request is about. */
export interface WantedMedia {
  /** The SHA-256 of content that is there already; null: it comes in another way. */
  readonly mediaRef: string | null;
  /** The address of the file; null: it comes in another way. */
  readonly mediaUrl: string | null;
}

/** A request names its file in one of three ways. @param otherwise the end of the message if it names none. */
export function readWantedMedia(
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
