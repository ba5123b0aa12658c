import type { Frame } from 'node-av/lib';
import type { Veil } from '../../plan/overlay-painter.ts';
import { yuvOf } from '../color/painted-color.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import type { PicturePool } from '../libav/picture-pool.ts';

/** Every other byte of a word. */
const PAIR = 0x00ff00ff;

/**
 * A picture in yuv420p through a veil, as a frame of its own, which belongs to the caller and may be written to. (R19)
 *
 * By hand, four samples at a time: `lutyuv` could do it, but took 6 s of a minute of board to be told how much.
 */
export function veiledFrame(frame: Frame, { color, alpha }: Veil, pictures: PicturePool): Frame {
  const veiled = pictures.take();
  const through = Math.round((1 - alpha) * 256);
  // Asked for once: each time, three objects are made that look as large as the picture to the garbage collector.
  const [from, to] = [planesOf(frame), planesOf(veiled)];
  for (const [plane, level] of yuvOf(color).entries()) {
    const height = plane === 0 ? frame.height : frame.height >> 1;
    const added = Math.round(level * (256 - through)) + 128;
    const words = ((plane === 0 ? frame.width : frame.width >> 1) + 3) >> 2;
    for (let row = 0; row < height; row += 1) {
      const [at, toAt] = [row * from[plane]!.stride, row * to[plane]!.stride];
      dimRow(from[plane]!.words, at, to[plane]!.words, toAt, words, through, added | (added << 16));
    }
  }
  tagBt709(veiled);
  return veiled;
}

/** Sums of two samples share a word: none reaches 2 ** 16. */
function dimRow(
  from: Int32Array,
  at: number,
  to: Int32Array,
  toAt: number,
  words: number,
  through: number,
  added: number,
): void {
  for (let word = 0; word < words; word += 1) {
    const four = from[at + word]!;
    const even = (Math.imul(four & PAIR, through) + added) >>> 8;
    const odd = Math.imul((four >>> 8) & PAIR, through) + added;
    to[toAt + word] = (even & PAIR) | (odd & ~PAIR);
  }
}

/** Planes by words: rows begin at whole ones, and have room for one behind their end. */
function planesOf(frame: Frame): { readonly words: Int32Array; readonly stride: number }[] {
  return frame.data!.map(({ buffer, byteOffset, byteLength }, plane) => ({
    words: new Int32Array(buffer, byteOffset, byteLength >> 2),
    stride: frame.linesize[plane]! >> 2,
  }));
}
