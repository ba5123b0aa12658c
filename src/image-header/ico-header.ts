import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader, PixelSize } from './image-header.ts';

const DIRECTORY_BYTES = 6;
const ENTRY_BYTES = 16;
const PNG = '\x89PNG\r\n\x1a\n';

/** Four bytes are little: the first entry's reserved byte and its planes have to fit as well. */
export function isIco(reader: ByteReader): boolean {
  if (!reader.startsWith('\0\0\x01\0') || reader.length < 12) return false;
  return reader.u16le(4) > 0 && reader.u8(9) === 0 && reader.u16le(10) <= 1;
}

/**
 * ICO: several sizes of one picture; the largest counts. Each entry has its own size, because the directory cannot hold
 * it.
 */
export function readIco(reader: ByteReader): ImageHeader {
  const sizes = Array.from({ length: reader.u16le(4) }, (_, entry) => ({
    ...sizeAt(reader, reader.u32le(DIRECTORY_BYTES + entry * ENTRY_BYTES + 12)),
    entry,
  }));
  const largest = sizes.reduce((max, size) => (size.width * size.height > max.width * max.height ? size : max));
  return { format: 'ico', ...largest, frames: 1 };
}

/** A whole PNG, or a bitmap without its first header and of twice the height: a mask follows the picture. */
function sizeAt(reader: ByteReader, at: number): PixelSize {
  if (reader.startsWith(PNG, at)) return { width: reader.u32(at + 16), height: reader.u32(at + 20) };
  return { width: Math.abs(reader.i32le(at + 4)), height: Math.floor(Math.abs(reader.i32le(at + 8)) / 2) };
}
