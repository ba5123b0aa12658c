import { ExportError } from '../../errors.ts';
import type { MediaRef } from '../export-request.ts';
import { shownText } from '../json/shown-value.ts';
import { decodeSubtitleFile } from './read-subtitle-file.ts';

/**
 * Subtitle files are the only uploads whose content changes what a request means. They are read when the uploads
 * arrive, and from then on are texts of the request like its documents: they are stored with it, so that it can be
 * planned again without the file.
 */
const PREFIX = 'subtitle_file/';

/** The texts of subtitle files among those of a request, by form field. */
export function subtitleTextsOf(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const own = [...texts].filter(([name]) => name.startsWith(PREFIX));
  return new Map(own.map(([name, text]) => [name.slice(PREFIX.length), text]));
}

/** The texts of a request with those of its subtitle files. */
export function withSubtitleTexts(
  texts: ReadonlyMap<string, string>,
  files: Iterable<readonly [field: string, text: string]>,
): ReadonlyMap<string, string> {
  return new Map([...texts, ...[...files].map(([field, text]) => [PREFIX + field, text] as const)]);
}

/** @throws `subtitle_file.encoding` */
export function subtitleTextOf({ field, path }: MediaRef, bytes: Uint8Array): string {
  const text = decodeSubtitleFile(bytes);
  if (text !== null) return text;
  const message = `The file ${shownText(field)} is not text: a subtitle file must be UTF-8 or UTF-16.`;
  throw new ExportError('invalid', 'subtitle_file.encoding', message, { path });
}

/** @throws `subtitle_file.too_large` */
export function requireSubtitleSize({ field, path }: MediaRef, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const message = `The file ${shownText(field)} has ${bytes} bytes; a subtitle file has at most ${maxBytes}.`;
  throw new ExportError('too_large', 'subtitle_file.too_large', message, { path });
}
