import type { Frame } from 'node-av/lib';
import { DITHER, DITHER_SIDE } from '../../paint/pixels/gradient-pixels.ts';
import type { Dim } from '../../plan/frame/frame-at.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { PaintedPicture } from '../../plan/model/painter.ts';
import { yuvOf } from '../color/painted-color.ts';
import {
  BLENDED_PX,
  DIMMED_BYTES,
  DITHER_STRIDE,
  type PictureKernels,
  pictureKernels,
} from '../simd/picture-kernels.ts';
import { wasmInstances } from '../simd/wasm-program.ts';
import { copyRows, type FramePlane, planesOf, type Rows } from './planes.ts';

/** So few rows at a time that they stay in the processor's cache while they are dimmed and painted over. Even. */
const BAND_ROWS = 64;
/** The strides that libavutil gives frames, so that a band is copied as a whole. */
const STRIDE = 64;

const instance = wasmInstances<PictureKernels>(pictureKernels);

/** What a picture is shown with, back to front. */
interface Shown {
  /** A patch that is drawn over `under` (yuv420p) and replaces its rectangle of the picture. */
  readonly patch: (PaintedPicture & { readonly under: Frame }) | null;
  readonly dim: Dim | null;
  readonly above: readonly PaintedPicture[];
}

/** A plane in the program's memory: where the picture begins, the dimmed picture, and the band that is worked on. */
interface Plane {
  readonly picture: number;
  readonly dimmed: number;
  readonly band: number;
  readonly stride: number;
  readonly rows: number;
  /** 0 for luma; 1 for chroma, which has one sample for two pixels in each direction. */
  readonly shift: 0 | 1;
}

/** Rows of a plane in the program's memory. */
interface DimmedRows {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  readonly rows: number;
}

/**
 * A picture of the canvas, kept where vector instructions reach it: it is dimmed and painted over again for every frame, into
 * one frame after the other. (R19)
 */
export class DimmedCanvas {
  readonly #height: number;
  readonly #memory: Uint8Array;
  readonly #kernels: PictureKernels;
  readonly #planes: readonly Plane[];
  readonly #pixels: number;
  /** Thresholds of 16 bits behind the point, row by row (R33); one that is always half, and the same of 8 bits. */
  readonly #blendDither: number;
  readonly #dimRounding: number;
  readonly #rounding: number;
  /** The dim of the last call: it is constant for most of its time. */
  #dimmedBy: Dim | null = null;

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.#height = height;
    let end = 0;
    const room = (bytes: number): number => {
      const start = end;
      end += Math.ceil(bytes / DIMMED_BYTES + 1) * DIMMED_BYTES;
      return start;
    };
    this.#planes = ([0, 1, 1] as const).map((shift) => {
      const stride = Math.ceil((width >> shift) / STRIDE) * STRIDE;
      const rows = height >> shift;
      const picture = room(stride * rows);
      return { picture, dimmed: room(stride * rows), band: room(stride * (BAND_ROWS >> shift)), stride, rows, shift };
    });
    this.#pixels = room(4 * paddedWidth(width) * BAND_ROWS);
    this.#blendDither = room(DITHER_SIDE * DITHER_STRIDE);
    this.#dimRounding = room(DITHER_STRIDE);
    this.#rounding = room(DITHER_SIDE * DITHER_STRIDE);
    const { memory, exports } = instance(end);
    this.#memory = memory;
    this.#putThresholds(this.#blendDither, (level) => 2 ** 8 * level);
    this.#putThresholds(this.#rounding, () => 2 ** 15);
    new Uint16Array(memory.buffer, memory.byteOffset + this.#dimRounding, DITHER_STRIDE / 2).fill(2 ** 7);
    this.#kernels = exports;
  }

  #putThresholds(at: number, threshold: (level: number) => number): void {
    const { buffer, byteOffset } = this.#memory;
    const numbers = new Uint16Array(buffer, byteOffset + at, (DITHER_SIDE * DITHER_STRIDE) / 2);
    const across = DITHER_STRIDE / 2;
    for (const place of numbers.keys()) {
      const row = Math.floor(place / across);
      numbers[place] = threshold(DITHER[row * DITHER_SIDE + (place % DITHER_SIDE)]!);
    }
  }

  /** Takes a picture in yuv420p as the base of the following calls. */
  put(frame: Frame): void {
    for (const [index, { bytes, stride }] of planesOf(frame).entries()) {
      const plane = this.#planes[index]!;
      copyPadded(
        { bytes, at: 0, stride },
        { bytes: this.#memory, at: plane.picture, stride: plane.stride },
        plane.rows,
      );
    }
    this.#dimmedBy = null;
  }

  /** Writes it with its pictures into a frame of its size. Pictures are on even edges. */
  show({ patch, dim, above }: Shown, into: Frame): void {
    const under = patch && planesOf(patch.under);
    const to = planesOf(into);
    if (dim !== null && !isSameDim(dim, this.#dimmedBy)) {
      for (const [index, { picture, dimmed, stride, rows }] of this.#planes.entries()) {
        this.#dim(index, dim, { from: picture, to: dimmed, stride, rows });
      }
      this.#dimmedBy = dim;
    }
    const ground = dim === null ? 'picture' : 'dimmed';
    for (let top = 0; top < this.#height; top += BAND_ROWS) {
      const isPatched = patch !== null && touches(patch.rect, top);
      const isPainted = isPatched || above.some(({ rect }) => touches(rect, top));
      if (isPainted) {
        this.#copyToBand(isPatched ? 'picture' : ground, top);
        if (isPatched) {
          this.#restore(under!, patch.rect, top);
          this.#blend(patch, top, this.#rounding);
          for (const [index, plane] of this.#planes.entries()) {
            const { stride, band } = plane;
            const { rows } = bandOf(plane, top);
            if (dim !== null) this.#dim(index, dim, { from: band, to: band, stride, rows });
          }
        }
        for (const picture of above) this.#blend(picture, top, this.#blendDither);
      }
      for (const [index, plane] of this.#planes.entries()) {
        const { from, rows } = bandOf(plane, top);
        const { bytes, stride } = to[index]!;
        const at = isPainted ? plane.band : plane[ground] + from * plane.stride;
        copyPadded({ bytes: this.#memory, at, stride: plane.stride }, { bytes, at: from * stride, stride }, rows);
      }
    }
  }

  #copyToBand(ground: 'picture' | 'dimmed', top: number): void {
    for (const plane of this.#planes) {
      const { from, rows } = bandOf(plane, top);
      const start = plane[ground] + from * plane.stride;
      this.#memory.copyWithin(plane.band, start, start + rows * plane.stride);
    }
  }

  /**
   * Dims rows in memory. It is not a gradient: with dithering, an even area would become a pattern, and files larger.
   */
  #dim(index: number, { color, alpha }: Dim, { from, to, stride, rows }: DimmedRows): void {
    const through = Math.round((1 - alpha) * 256);
    const added = Math.round(yuvOf(color)[index]! * (256 - through));
    this.#kernels.dim(from, to, from + stride * rows, through, added, this.#dimRounding);
  }

  /** Copies the part of `under` in `rect` into the band that begins at row `top`. */
  #restore(under: readonly FramePlane[], rect: Rect, top: number): void {
    for (const [index, { band, stride, shift }] of this.#planes.entries()) {
      const { bytes, stride: from } = under[index]!;
      const first = Math.max(top, rect.y) >> shift;
      const end = Math.min(top + BAND_ROWS, rect.y + rect.height, this.#height) >> shift;
      for (let row = first; row < end; row += 1) {
        const at = row * from + (rect.x >> shift);
        const to = band + (row - (top >> shift)) * stride + (rect.x >> shift);
        this.#memory.set(bytes.subarray(at, at + (rect.width >> shift)), to);
      }
    }
  }

  /** Blends the part of a painted picture in the band that begins at row `top`. */
  #blend({ rect, rgba }: PaintedPicture, top: number, thresholds: number): void {
    const first = Math.max(top, rect.y);
    const rows = Math.min(top + BAND_ROWS, rect.y + rect.height, this.#height) - first;
    if (rows <= 0) return;
    const rowBytes = 4 * rect.width;
    const stride = 4 * paddedWidth(rect.width);
    if (stride !== rowBytes) this.#memory.fill(0, this.#pixels, this.#pixels + rows * stride);
    const from = { bytes: rgba, at: (first - rect.y) * rowBytes, stride: rowBytes };
    copyPadded(from, { bytes: this.#memory, at: this.#pixels, stride }, rows);
    const [y, u, v] = this.#planes.map(
      (plane) => plane.band + ((first - top) >> plane.shift) * plane.stride + (rect.x >> plane.shift),
    ) as [number, number, number];
    const [yStride, uStride] = [this.#planes[0]!.stride, this.#planes[1]!.stride];
    for (let row = 0; row < rows; row += 2) {
      const pixels = this.#pixels + row * stride;
      const half = (row >> 1) * uStride;
      const threshold = ((first + row) % DITHER_SIDE) * DITHER_STRIDE + 2 * (rect.x % DITHER_SIDE);
      const dither = thresholds + threshold;
      this.#kernels.blendRows(pixels, pixels + stride, stride, y + row * yStride, yStride, u + half, v + half, dither);
    }
  }
}

/** Whole eights, which is how pixels are blended. */
function paddedWidth(width: number): number {
  return Math.ceil(width / BLENDED_PX) * BLENDED_PX;
}

/** Whether both have the same effect. */
export function isSameDim(one: Dim | null, other: Dim | null): boolean {
  if (one === null || other === null) return one === other;
  return one.alpha === other.alpha && one.color.every((channel, index) => channel === other.color[index]);
}

/** Whether any part of a picture is in the band that begins at row `top`. */
function touches({ y, height }: Rect, top: number): boolean {
  return top < y + height && top + BAND_ROWS > y;
}

function bandOf({ rows, shift }: Plane, top: number): { readonly from: number; readonly rows: number } {
  const from = top >> shift;
  return { from, rows: Math.min(BAND_ROWS >> shift, rows - from) };
}

/** With libavutil's padding between rows: so planes of one stride are copied at once. */
function copyPadded(from: Rows, to: Rows, rows: number): void {
  copyRows(from, to, Math.min(from.stride, to.stride), rows);
}
