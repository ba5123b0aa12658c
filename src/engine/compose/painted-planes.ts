import type { Frame } from 'node-av/lib';
import type { Overlay } from '../../plan/overlay-painter.ts';
import type { Rect } from '../../plan/render-plan.ts';
import * as painted from '../color/painted-color.ts';

// Painted pixels come with colours multiplied by their alpha: averaging them are sums, without a division. The loop
// below goes over blocks of two by two, which share a sample of each difference, and is written out by hand: as a loop
// inside the loop it took twice as long.

// Constants of this file are known to the compiler; those of another are looked up each time.
const { BLACK, FRACTION_BITS, GREY, UB, UG, UR, VB, VG, VR, YB, YG, YR } = painted;

/** Black and grey, and what makes the rest of the fraction round. */
const HALF = 1 << (FRACTION_BITS - 1);
const BLACK_ROUNDED = (BLACK << FRACTION_BITS) + HALF;
const GREY_ROUNDED = (GREY << FRACTION_BITS) + HALF;
/** By alpha, or the sum of four: what makes a colour that was multiplied by it as it was. */
const STRAIGHT = Float64Array.from({ length: 4 * 255 + 1 }, (_, alpha) => (alpha === 0 ? 0 : 255 / alpha));
/** Red and blue of a pixel, with room to add up four; green and alpha, shifted there. */
const PAIR = 0xff00ff;

/**
 * Writes a painted picture into a yuva420p frame whose corner is at `corner` of the canvas, in the place of what is there. It must
 * lie inside the frame, on even edges.
 *
 * Of the four pixels that share a sample each counts for as much as it is seen, or what nobody sees would bleed into the
 * edges. Alpha is averaged in the same way when layers are blended.
 */
export function writePainted(frame: Frame, corner: Pick<Rect, 'x' | 'y'>, { rect, rgba }: Overlay): void {
  const { width, height } = rect;
  const pixels = asWords(rgba);
  const [y, u, v, a] = planesAt(frame, rect.x - corner.x, rect.y - corner.y);
  const [ys, yStride, us, uStride, vs, vStride] = [y.data, y.stride, u.data, u.stride, v.data, v.stride];
  const [as, aStride] = [a!.data, a!.stride];
  for (let row = 0; row < height; row += 2) {
    let from = row * width;
    let yAt = y.start + row * yStride;
    let aAt = a!.start + row * aStride;
    let uAt = u.start + (row >> 1) * uStride;
    let vAt = v.start + (row >> 1) * vStride;
    for (let column = 0; column < width; column += 2, from += 2, yAt += 2, aAt += 2, uAt += 1, vAt += 1) {
      const p0 = pixels[from]!;
      const p1 = pixels[from + 1]!;
      const p2 = pixels[from + width]!;
      const p3 = pixels[from + width + 1]!;
      ys[yAt] = (lumaOf(p0) * STRAIGHT[p0 >>> 24]! + BLACK_ROUNDED) >> FRACTION_BITS;
      ys[yAt + 1] = (lumaOf(p1) * STRAIGHT[p1 >>> 24]! + BLACK_ROUNDED) >> FRACTION_BITS;
      ys[yAt + yStride] = (lumaOf(p2) * STRAIGHT[p2 >>> 24]! + BLACK_ROUNDED) >> FRACTION_BITS;
      ys[yAt + yStride + 1] = (lumaOf(p3) * STRAIGHT[p3 >>> 24]! + BLACK_ROUNDED) >> FRACTION_BITS;
      as[aAt] = p0 >>> 24;
      as[aAt + 1] = p1 >>> 24;
      as[aAt + aStride] = p2 >>> 24;
      as[aAt + aStride + 1] = p3 >>> 24;
      const rb = (p0 & PAIR) + (p1 & PAIR) + (p2 & PAIR) + (p3 & PAIR);
      const ga = ((p0 >>> 8) & PAIR) + ((p1 >>> 8) & PAIR) + ((p2 >>> 8) & PAIR) + ((p3 >>> 8) & PAIR);
      const weight = STRAIGHT[ga >>> 16]!;
      us[uAt] = (blueDifferenceOf(rb, ga) * weight + GREY_ROUNDED) >> FRACTION_BITS;
      vs[vAt] = (redDifferenceOf(rb, ga) * weight + GREY_ROUNDED) >> FRACTION_BITS;
    }
  }
}

function lumaOf(pixel: number): number {
  return YR * (pixel & 255) + YG * ((pixel >>> 8) & 255) + YB * ((pixel >>> 16) & 255);
}

function blueDifferenceOf(rb: number, ga: number): number {
  return UR * (rb & 0xffff) + UG * (ga & 0xffff) + UB * (rb >>> 16);
}

function redDifferenceOf(rb: number, ga: number): number {
  return VR * (rb & 0xffff) + VG * (ga & 0xffff) + VB * (rb >>> 16);
}

/** A plane's bytes, and where in them a picture begins. */
interface Plane {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly start: number;
}

/** Luma, the two differences, and alpha where there is one. As plain arrays of bytes: through a `Buffer` it takes longer. */
function planesAt(frame: Frame, x: number, y: number): [Plane, Plane, Plane, Plane?] {
  const planes = frame.data!.map((bytes, plane): Plane => {
    const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const stride = frame.linesize[plane]!;
    const isHalved = plane === 1 || plane === 2;
    return { data, stride, start: isHalved ? (y >> 1) * stride + (x >> 1) : y * stride + x };
  });
  return planes as [Plane, Plane, Plane, Plane?];
}

/** A word a pixel, alpha in its highest byte. */
function asWords(rgba: Uint8Array): Int32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : new Uint8Array(rgba);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/**
 * The overlay on even edges, with transparent pixels added where needed: in 4:2:0, a picture at an odd place would be moved by a
 * pixel.
 */
export function evenOverlay(overlay: Overlay): Overlay {
  const { rect, rgba } = overlay;
  const left = rect.x % 2 === 0 ? 0 : 1;
  const top = rect.y % 2 === 0 ? 0 : 1;
  const width = left + rect.width + ((left + rect.width) % 2);
  const height = top + rect.height + ((top + rect.height) % 2);
  if (width === rect.width && height === rect.height) return overlay;
  const padded = new Uint8Array(width * height * 4);
  const rowBytes = rect.width * 4;
  for (let row = 0; row < rect.height; row += 1) {
    const from = row * rowBytes;
    padded.set(rgba.subarray(from, from + rowBytes), ((top + row) * width + left) * 4);
  }
  return { rect: { x: rect.x - left, y: rect.y - top, width, height }, rgba: padded };
}
