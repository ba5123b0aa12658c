import type { ByteReader } from './byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

/** PNG and APNG: `IHDR` comes first, `acTL` before the pixels. */
export function readPng(reader: ByteReader): ImageHeader {
  if (reader.tag(12) !== 'IHDR') throw new RangeError('a PNG begins with IHDR');
  const width = reader.u32(16);
  const height = reader.u32(20);
  let frames = 1;
  for (let at = 8; at + 12 <= reader.length; at += 12 + reader.u32(at)) {
    const chunk = reader.tag(at + 4);
    if (chunk === 'acTL') frames = Math.max(1, reader.u32(at + 8));
    if (chunk === 'IDAT') break;
  }
  return { format: 'png', width, height, frames };
}
