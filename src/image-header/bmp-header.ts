import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

/** Lengths that the second header of a BMP may have, of the oldest version and of the later ones. */
const OLDEST_BYTES = 12;
const HEADER_BYTES: ReadonlySet<number> = new Set([OLDEST_BYTES, 40, 52, 56, 64, 108, 124]);

/** `BM` alone is two letters of text; a second header of one of the known lengths makes it a bitmap. */
export function isBmp(reader: ByteReader): boolean {
  return reader.startsWith('BM') && reader.length >= 26 && HEADER_BYTES.has(reader.u32le(14));
}

/** BMP: the oldest headers have 16-bit sides; in later ones a negative height means rows from the top down. */
export function readBmp(reader: ByteReader): ImageHeader {
  const headerBytes = reader.u32le(14);
  if (!HEADER_BYTES.has(headerBytes)) throw new RangeError('no BMP has such a header');
  const oldest = headerBytes === OLDEST_BYTES;
  const width = oldest ? reader.u16le(18) : reader.i32le(18);
  const height = Math.abs(oldest ? reader.u16le(20) : reader.i32le(22));
  return { format: 'bmp', width, height, frames: 1 };
}
