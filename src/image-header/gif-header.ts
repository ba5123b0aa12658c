import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/**
 * GIF: the screen's size is in the header; frames are counted by walking the blocks. A frame may be larger than the
 * screen.
 */
export function readGif(reader: ByteReader): ImageHeader {
  let width = reader.u16le(6);
  let height = reader.u16le(8);
  let frames = 0;
  let at = 13 + colorTableBytes(reader.u8(10));
  // A file that ends early is shown as far as it goes, so its end is not an error here.
  while (at < reader.length) {
    const block = reader.u8(at);
    if (block === EXTENSION) at = afterSubBlocks(reader, at + 2);
    else if (block === IMAGE && at + 10 < reader.length) {
      frames += 1;
      width = Math.max(width, reader.u16le(at + 1) + reader.u16le(at + 5));
      height = Math.max(height, reader.u16le(at + 3) + reader.u16le(at + 7));
      at = afterSubBlocks(reader, at + 11 + colorTableBytes(reader.u8(at + 9)));
    } else break;
  }
  return { format: 'gif', width, height, frames: Math.max(1, frames) };
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(reader: ByteReader, from: number): number {
  let at = from;
  while (at < reader.length) {
    const size = reader.u8(at);
    at += 1 + size;
    if (size === 0) break;
  }
  return at;
}
