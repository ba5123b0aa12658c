import type { ByteReader } from './byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

/** WebP: the canvas of the extended form and each bitstream have a size; the largest is what a decoder may allocate. */
export function readWebp(reader: ByteReader): ImageHeader {
  let width = 0;
  let height = 0;
  let frames = 0;
  const grow = (w: number, h: number) => {
    width = Math.max(width, w);
    height = Math.max(height, h);
  };
  for (let at = 12; at + 8 <= reader.length; ) {
    const chunk = reader.tag(at);
    const size = reader.u32le(at + 4);
    const body = at + 8;
    if (chunk === 'VP8X') grow(reader.u24le(body + 4) + 1, reader.u24le(body + 7) + 1);
    if (chunk === 'VP8 ') grow(reader.u16le(body + 6) & 0x3fff, reader.u16le(body + 8) & 0x3fff);
    if (chunk === 'VP8L') {
      const packed = reader.u32le(body + 1);
      grow((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    if (chunk === 'ANMF') {
      frames += 1;
      grow(
        reader.u24le(body) * 2 + reader.u24le(body + 6) + 1,
        reader.u24le(body + 3) * 2 + reader.u24le(body + 9) + 1,
      );
    }
    at = body + size + (size & 1);
  }
  if (width === 0) throw new RangeError('a WebP without a picture');
  return { format: 'webp', width, height, frames: Math.max(1, frames) };
}
