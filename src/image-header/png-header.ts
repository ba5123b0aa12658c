import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

/** PNG and APNG: `IHDR` comes first. */
export function readPng(reader: ByteReader): ImageHeader {
  if (reader.tag(12) !== 'IHDR') throw new RangeError('a PNG begins with IHDR');
  const frames = Math.max(1, announcedFrames(reader) ?? 1);
  return { format: 'png', width: reader.u32(16), height: reader.u32(20), frames };
}

/** Whether a PNG declares an animation, even one of a single frame. */
export function isAnimatedPng(reader: ByteReader): boolean {
  return announcedFrames(reader) !== null;
}

/** The last `acTL` before the pixels; null without one. */
function announcedFrames(reader: ByteReader): number | null {
  let frames = null;
  for (let at = 8; at + 12 <= reader.length; at += 12 + reader.u32(at)) {
    const chunk = reader.tag(at + 4);
    if (chunk === 'acTL') frames = reader.u32(at + 8);
    if (chunk === 'IDAT') break;
  }
  return frames;
}
