import { deflateSync } from 'node:zlib';
import { u32 } from '../../fixtures/big-endian.ts';
import { pngChunk } from '../../fixtures/png-file.ts';

/** Pictures that are small on disk and need a lot of memory. */

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const PNG_END = pngChunk('IEND', Buffer.alloc(0));

/** A grey PNG, valid to the last pixel; `extra` are chunks before its pixels. */
export function greyPng(width: number, height: number, ...extra: readonly Buffer[]): Buffer {
  const ihdr = pngChunk('IHDR', Buffer.concat([u32(width, height), Buffer.from([1, 0, 0, 0, 0])]));
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 1 });
  return Buffer.concat([PNG, ihdr, ...extra, pngChunk('IDAT', rows), PNG_END]);
}

/** Chunks of a PNG that are many megabytes once unpacked: a colour profile, and a comment. */
export function packedChunks(bytes: number): Readonly<Record<'iCCP' | 'zTXt', Buffer>> {
  const packed = deflateSync(Buffer.alloc(bytes), { level: 1 });
  return {
    iCCP: pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), packed])),
    zTXt: pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), packed])),
  };
}

/** An APNG of so many frames, each of them valid. */
export function animatedPng(width: number, height: number, frames: number): Buffer {
  const ihdr = pngChunk('IHDR', Buffer.concat([u32(width, height), Buffer.from([1, 0, 0, 0, 0])]));
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const control = (sequence: number) =>
    pngChunk('fcTL', Buffer.concat([u32(sequence, width, height, 0, 0), Buffer.from([0, 1, 0, 30, 0, 0])]));
  const chunks = [pngChunk('acTL', u32(frames, 0)), control(0), pngChunk('IDAT', rows)];
  for (let n = 1; n < frames; n++) {
    chunks.push(control(2 * n - 1), pngChunk('fdAT', Buffer.concat([u32(2 * n), rows])));
  }
  return Buffer.concat([PNG, ihdr, ...chunks, PNG_END]);
}

/** A GIF of so many frames of that size, all of one colour, on a screen of another size. */
export function gif(screen: readonly [number, number], frame: readonly [number, number], frames: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(screen[0], 6);
  head.writeUInt16LE(screen[1], 8);
  const image = Buffer.from('\x21\xf9\x04\0\x03\0\0\0\x2c\0\0\0\0\0\0\0\0\0\x02\x02\x44\x01\0', 'latin1');
  image.writeUInt16LE(frame[0], 13);
  image.writeUInt16LE(frame[1], 15);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => image), Buffer.from(';')]);
}

function riff(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function u24(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 3);
  for (const [n, value] of values.entries()) bytes.writeUIntLE(value, n * 3, 3);
  return bytes;
}

/** A lossless WebP picture of one colour: four codes of one symbol each. */
function webpPixels(width: number, height: number): Buffer {
  const head = Buffer.alloc(5);
  head[0] = 0x2f;
  head.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1);
  // No transforms, no cache, no groups; then five simple codes of the symbol 0.
  return riff('VP8L', Buffer.concat([head, Buffer.from([0x88, 0x88, 0x08, 0, 0, 0])]));
}

/** A WebP of that size. */
export function webp(width: number, height: number): Buffer {
  return riff('RIFF', Buffer.from('WEBP'), webpPixels(width, height));
}

/** A WebP animation of so many frames on a canvas of any size. */
export function webpAnimation(canvas: readonly [number, number], frames: number): Buffer {
  const extended = riff('VP8X', Buffer.from([2, 0, 0, 0]), u24(canvas[0] - 1, canvas[1] - 1));
  const frame = riff('ANMF', u24(0, 0, 15, 15, 33), Buffer.from([0]), webpPixels(16, 16));
  const all = Array.from({ length: frames }, () => frame);
  return riff('RIFF', Buffer.from('WEBP'), extended, riff('ANIM', Buffer.alloc(6)), ...all);
}

/** A JPEG that claims a size in its header and has no other data. */
export function jpegClaiming(width: number, height: number, jpeg: Buffer): Buffer {
  const claimed = Buffer.from(jpeg);
  const frame = claimed.indexOf(Buffer.from([0xff, 0xc0]));
  claimed.writeUInt16BE(height, frame + 5);
  claimed.writeUInt16BE(width, frame + 7);
  return claimed;
}
