import { type GradientColor, gradientColors } from '../../plan/frame/ground.ts';
import type { Gradient } from '../../plan/model/canvas.ts';

/** Places along a gradient whose colours are computed; a pixel takes the nearest. */
const PLACES = 4096;
/** Places have this many fractional bits. */
const FRACTION_BITS = 16;

/** Samples of one channel: the index of the first, and the distances of columns and rows. */
interface Samples {
  readonly bytes: Uint8Array | Uint8ClampedArray;
  readonly at: number;
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/** A channel of a gradient at each of its places, with 8 bits behind the point. */
type Levels = Uint16Array;

/** @param samples the levels of a colour's three channels, from 0 to 255. */
export function gradientLevels(
  gradient: Gradient,
  move: number,
  samples: (color: GradientColor) => GradientColor,
): readonly [Levels, Levels, Levels] {
  const levels = [new Uint16Array(PLACES), new Uint16Array(PLACES), new Uint16Array(PLACES)] as const;
  const colorAt = gradientColors(gradient, move);
  for (let place = 0; place < PLACES; place += 1) {
    const sampled = samples(colorAt((place + 0.5) / PLACES));
    for (const channel of [0, 1, 2] as const) levels[channel][place] = Math.round(sampled[channel] * 256);
  }
  return levels;
}

/** Writes a channel over the whole canvas, dithered (R33). `angle` counts as in CSS: 0 goes up, 90 to the right, 180 down. (C61) */
export function writeGradient(levels: Levels, { angle }: Gradient, into: Samples): void {
  const { bytes, at, column, row, width, height } = into;
  const turn = (angle * Math.PI) / 180;
  const [right, down] = [Math.sin(turn), -Math.cos(turn)];
  // From corner to corner: both ends of the gradient are visible, and no pixel's centre is beyond them.
  const unit = (PLACES * 2 ** FRACTION_BITS) / (Math.abs(width * right) + Math.abs(height * down));
  const across = Math.round(right * unit);
  for (let y = 0; y < height; y += 1) {
    const middle = PLACES * 2 ** (FRACTION_BITS - 1) + (y + 0.5 - height / 2) * down * unit;
    let place = Math.round(middle + (0.5 - width / 2) * right * unit);
    const pattern = (y % DITHER_SIDE) * DITHER_SIDE;
    for (let x = 0, to = at + y * row; x < width; x += 1, to += column) {
      const level = levels[place >> FRACTION_BITS]!;
      bytes[to] = (level + DITHER[pattern + (x % DITHER_SIDE)]!) >> 8;
      place += across;
    }
  }
}

/** Sides of the pattern, in pixels: a power of two. */
export const DITHER_SIDE = 8;

/**
 * Added to a sample with 8 fractional bits before these are cut off, by row and column of the pattern (Bayer's): levels
 * between two whole ones become a mixture of both. It depends only on the pixel's place, so a still picture stays the
 * same. (R33)
 */
export const DITHER: Uint8Array = bayer();

function bayer(): Uint8Array {
  const bits = Math.log2(DITHER_SIDE);
  return Uint8Array.from({ length: DITHER_SIDE * DITHER_SIDE }, (_, at) => {
    const [x, y] = [at % DITHER_SIDE, Math.floor(at / DITHER_SIDE)];
    let rank = 0;
    for (let bit = 0; bit < bits; bit += 1) {
      const shift = 2 * (bits - 1 - bit);
      rank |= ((((x ^ y) >> bit) & 1) << (shift + 1)) | (((y >> bit) & 1) << shift);
    }
    return (rank * 256 + 128) / (DITHER_SIDE * DITHER_SIDE);
  });
}
