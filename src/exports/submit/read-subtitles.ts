import { readFile } from 'node:fs/promises';
import type { MediaRef } from '../../timeline/export-request.ts';
import { requireSubtitleSize, subtitleTextOf, withSubtitleTexts } from '../../timeline/subtitle-file/subtitle-texts.ts';
import type { SentTexts, SubmittedFile } from '../api/submission.ts';

/**
 * The texts of a request with its subtitle files, which are read only here. (C43)
 *
 * @param files as the outline of the request names them; the texts already have the ones that were not uploaded.
 * @throws `subtitle_file.too_large`, `subtitle_file.encoding`
 */
export async function withSubtitleFiles(
  texts: SentTexts,
  files: readonly MediaRef[],
  uploads: ReadonlyMap<string, Pick<SubmittedFile, 'path' | 'bytes'>>,
  maxBytes: number,
): Promise<SentTexts> {
  const read: [field: string, text: string][] = [];
  for (const file of files) {
    const upload = uploads.get(file.field);
    if (upload === undefined) continue;
    requireSubtitleSize(file, upload.bytes, maxBytes);
    read.push([file.field, subtitleTextOf(file, await readFile(upload.path))]);
  }
  return read.length === 0
    ? texts
    : new Map<string, string | Uint8Array>([...texts, ...withSubtitleTexts(new Map(), read)]);
}
