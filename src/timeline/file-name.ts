import { utf8Bytes } from './json/json-text.ts';

const LONGEST_STEM_BYTES = 200;

/** Separators, characters Windows refuses, controls, and marks that reorder or hide text. */
const UNWANTED = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A safe file name for a download, from any text: without characters that break a shell, a header or a file system, and
 * with `.mp4` at its end.
 */
export function cleanFileName(wanted: string): string {
  const stem = wanted
    .toWellFormed()
    .replace(/\.mp4$/i, '')
    .replace(UNWANTED, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = cutToBytes(stem, LONGEST_STEM_BYTES).trimEnd();
  return `${short === '' || RESERVED.test(short) ? `export${short && `-${short}`}` : short}.mp4`;
}

function cutToBytes(text: string, max: number): string {
  let bytes = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += utf8Bytes(segment);
    if (bytes > max) break;
    kept += segment;
  }
  return kept;
}
