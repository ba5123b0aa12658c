import { ByteReader } from '../iso/byte-reader.ts';
import { isHeif } from './heif-header.ts';
import { isIco } from './ico-header.ts';
import { isJxl } from './jxl-header.ts';
import { isTiff } from './tiff-header.ts';

/** A family of picture files that begin with the same bytes. SVG is text and belongs to none. */
export type PictureMagic = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif' | 'tiff' | 'bmp' | 'ico' | 'jxl';

/** How many leading bytes the answer depends on. */
export const MAGIC_BYTES = 12;

/** How a file begins, if it begins like one of the pictures we take. `BM` is short: see `isBmp`. */
export function pictureMagic(head: Uint8Array): PictureMagic | null {
  const reader = new ByteReader(head);
  if (reader.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (reader.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (reader.startsWith('GIF87a') || reader.startsWith('GIF89a')) return 'gif';
  if (reader.startsWith('RIFF') && reader.startsWith('WEBP', 8)) return 'webp';
  if (isHeif(reader)) return 'heif';
  if (isTiff(reader)) return 'tiff';
  if (isJxl(reader)) return 'jxl';
  if (isIco(reader)) return 'ico';
  return reader.startsWith('BM') ? 'bmp' : null;
}
