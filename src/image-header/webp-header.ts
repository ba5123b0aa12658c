import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader } from './image-header.ts';
import { vp8Size } from './vpx-sizes.ts';

/** How much of each chunk it takes to know its size. */
const SIZE_BYTES: Readonly<Record<string, number>> = { VP8X: 10, 'VP8 ': 10, VP8L: 5, ANMF: 12 };

/** The animation bit of the extended form. */
export function isAnimatedWebp(reader: ByteReader): boolean {
  return reader.startsWith('VP8X', 12) && reader.length > 20 && (reader.u8(20) & 0x02) !== 0;
}

/**
 * WebP: the canvas of the extended form and each bitstream have a size; the largest counts, since a decoder may
 * allocate it. Frames behind the end of a truncated file do not count.
 */
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
    if (body + (SIZE_BYTES[chunk] ?? 0) > reader.length) break;
    if (chunk === 'VP8X') grow(reader.u24le(body + 4) + 1, reader.u24le(body + 7) + 1);
    if (chunk === 'VP8 ') {
      const key = vp8Size(reader.part(body, SIZE_BYTES[chunk]!));
      if (key !== null) grow(key.width, key.height);
    }
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
