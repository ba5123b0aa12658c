import {
  BLACK,
  FRACTION_BITS,
  GREY,
  UB,
  UG,
  UR,
  VB,
  VG,
  VR,
  YB,
  YG,
  YR,
  yuvOf,
} from '../../../src/engine/color/painted-color.ts';
import { DITHER, DITHER_SIDE } from '../../../src/paint/pixels/gradient-pixels.ts';
import type { Dim } from '../../../src/plan/frame/frame-at.ts';
import type { PaintedPicture } from '../../../src/plan/model/painter.ts';

/** Samples row by row, without padding. */
export interface PlainPicture {
  readonly width: number;
  readonly height: number;
  /** Luma, and the two differences at half the size. */
  readonly planes: readonly [Uint8Array, Uint8Array, Uint8Array];
}

const HALF = 2 ** (FRACTION_BITS - 1);
/** One part in 255. */
const SHARE = Math.round(2 ** FRACTION_BITS / 255);

/** What replaces a part of a picture: a painted picture over another picture. */
export type PlainPatch = PaintedPicture & { readonly under: PlainPicture };

/** What `DimmedCanvas` does with vectors, sample by sample, for a patch. */
export function plainPatched(picture: PlainPicture, patch: PlainPatch): PlainPicture {
  const planes = picture.planes.map((plane) => plane.slice()) as unknown as PlainPicture['planes'];
  const { rect, under } = patch;
  for (const [index, plane] of planes.entries()) {
    const shift = index === 0 ? 0 : 1;
    for (let row = rect.y >> shift; row < (rect.y + rect.height) >> shift; row += 1) {
      const [start, end] = [rect.x, rect.x + rect.width].map((x) => row * (picture.width >> shift) + (x >> shift));
      plane.set(under.planes[index]!.subarray(start, end), start);
    }
  }
  const patched = { ...picture, planes };
  blend(patched, patch, () => 0.5);
  return patched;
}

/** What `DimmedCanvas` does with vectors, sample by sample: a dimmed picture with pictures over it. */
export function plainCanvas(picture: PlainPicture, dim: Dim | null, above: readonly PaintedPicture[]): PlainPicture {
  const through = dim === null ? 256 : Math.round((1 - dim.alpha) * 256);
  const levels = yuvOf(dim?.color ?? [0, 0, 0]);
  const planes = picture.planes.map((plane, index) => {
    const added = Math.round(levels[index]! * (256 - through)) + 128;
    return plane.map((sample) => (sample * through + added) >> 8);
  }) as unknown as PlainPicture['planes'];
  const shown = { ...picture, planes };
  for (const picture of above) blend(shown, picture, ditherThreshold);
  return shown;
}

function blend(
  { width, planes: [ys, us, vs] }: PlainPicture,
  { rect, rgba }: PaintedPicture,
  threshold: typeof ditherThreshold,
): void {
  for (let row = 0; row < rect.height; row += 2) {
    for (let column = 0; column < rect.width; column += 2) {
      const sum = [0, 0, 0, 0];
      for (const [x, y] of [
        [column, row],
        [column + 1, row],
        [column, row + 1],
        [column + 1, row + 1],
      ] as const) {
        const pixel = rgba.subarray(4 * (y * rect.width + x), 4 * (y * rect.width + x) + 4);
        for (const [channel, value] of pixel.entries()) sum[channel]! += value;
        const at = (rect.y + y) * width + rect.x + x;
        ys[at] = lumaOver(pixel, ys[at]!, threshold(rect.x + x, rect.y + y));
      }
      const at = ((rect.y + row) >> 1) * (width >> 1) + ((rect.x + column) >> 1);
      us[at] = differenceOver(sum, [UR, UG, UB], us[at]!);
      vs[at] = differenceOver(sum, [VR, VG, VB], vs[at]!);
    }
  }
}

/** Where between two levels a sample is rounded up, from 0 to 1, by its place. (R33) */
function ditherThreshold(x: number, y: number): number {
  return DITHER[(y % DITHER_SIDE) * DITHER_SIDE + (x % DITHER_SIDE)]! / 256;
}

function lumaOver(pixel: Uint8Array, under: number, threshold: number): number {
  const [r, g, b, alpha] = pixel as unknown as readonly [number, number, number, number];
  const ground = alpha === 255 ? BLACK * 2 ** FRACTION_BITS : (BLACK * alpha + under * (255 - alpha)) * SHARE;
  const rounding = alpha === 255 ? HALF : Math.floor(threshold * 2 ** FRACTION_BITS);
  return (YR * r + YG * g + YB * b + ground + rounding) >> FRACTION_BITS;
}

/** The mean of four pixels, whose channels are given as sums. */
function differenceOver(
  sum: readonly number[],
  [ur, ug, ub]: readonly [number, number, number],
  under: number,
): number {
  const [r, g, b, alpha] = sum as unknown as readonly [number, number, number, number];
  const ground = (GREY * alpha + under * (4 * 255 - alpha)) * SHARE;
  return (((ur * r + ug * g + ub * b + ground) >> 2) + HALF) >> FRACTION_BITS;
}
