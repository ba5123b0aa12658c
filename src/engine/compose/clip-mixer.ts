import type { Frame } from 'node-av/lib';
import { type Mix, shareAt } from '../../plan/frame/clip-at-frame.ts';
import type { Canvas } from '../../plan/model/canvas.ts';
import { yuvOf } from '../color/painted-color.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { PicturePool } from '../libav/picture-pool.ts';
import { MIXED_SAMPLES, type MixKernel, mixKernel } from '../simd/mix-kernel.ts';
import { wasmInstances } from '../simd/wasm-program.ts';
import { copyRows, type FramePlane, planesOf } from './planes.ts';
import { Resampler } from './resampler.ts';

/** The strides that libavutil gives frames. */
const STRIDE = 64;

const instance = wasmInstances<MixKernel>(mixKernel);

/** Makes one picture of two in yuv420p that are as large as the canvas, for a frame of a transition. (C58) */
export class ClipMixer implements Disposable {
  readonly #canvas: Canvas;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  #rows: MixedRows | null = null;
  #zoom: Resampler | null = null;

  constructor(canvas: Canvas, pool: FramePool) {
    this.#canvas = canvas;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, canvas.width, canvas.height);
  }

  /** Both pictures stay the caller's; the result is a new one. */
  mix(from: Frame, to: Frame, mix: Mix): Frame {
    return this.#pool.filled(this.#pictures.take(), (mixed) => {
      if (mix.by === 'shift') pushInto(from, to, mix.shift, mixed);
      else if (mix.by === 'color')
        this.#mixedRows().cover(mix.shown === 'from' ? from : to, this.#canvas, mix.share, mixed);
      else if (mix.by === 'edge') this.#mixedRows().mix(from, to, (x) => shareAt(mix, x), mixed);
      else this.#share(from, to, mix, mixed);
      tagBt709(mixed);
    });
  }

  [Symbol.dispose](): void {
    this.#pictures[Symbol.dispose]();
    this.#rows = null;
    this.#zoom = null;
  }

  #share(from: Frame, to: Frame, mix: Mix & { readonly by: 'share' }, into: Frame): void {
    const taken: Frame[] = [];
    try {
      taken.push(this.#enlarged(from, mix.fromScale));
      taken.push(this.#enlarged(to, mix.toScale));
      this.#mixedRows().mix(taken[0]!, taken[1]!, () => mix.share, into);
    } finally {
      for (const picture of taken) this.#pool.give(picture);
    }
  }

  /** The middle of a picture, as large as all of it. It belongs to the caller. */
  #enlarged(picture: Frame, scale: number): Frame {
    if (scale === 1) return this.#pool.share(picture);
    const { width, height } = this.#canvas;
    this.#zoom ??= new Resampler(this.#canvas, this.#canvas, 3);
    const zoom = this.#zoom;
    zoom.put(picture);
    const part = { width: width / scale, height: height / scale };
    const view = { ...part, x: (width - part.width) / 2, y: (height - part.height) / 2 };
    return this.#pool.filled(this.#pictures.take(), (enlarged) => zoom.show(view, enlarged));
  }

  #mixedRows(): MixedRows {
    this.#rows ??= new MixedRows(this.#canvas);
    return this.#rows;
  }
}

/** A plane in the program's memory: of the picture that is mixed, and of the other. */
interface MixedPlane {
  readonly mixed: number;
  readonly other: number;
  readonly stride: number;
  readonly columns: number;
  readonly rows: number;
  readonly shift: 0 | 1;
}

/** Two pictures in memory for vector instructions; the mix replaces the first. */
class MixedRows {
  readonly #memory: Uint8Array<ArrayBuffer>;
  readonly #kernel: MixKernel;
  readonly #planes: readonly MixedPlane[];
  readonly #weights: number;

  constructor({ width, height }: Pick<Canvas, 'width' | 'height'>) {
    let end = 0;
    this.#planes = ([0, 1, 1] as const).map((shift) => {
      const [columns, rows] = [width >> shift, height >> shift];
      const stride = Math.ceil(columns / STRIDE) * STRIDE;
      const mixed = end;
      end += 2 * rows * stride;
      return { mixed, other: mixed + rows * stride, stride, columns, rows, shift };
    });
    this.#weights = end;
    const { memory, exports } = instance(end + 2 * (width + MIXED_SAMPLES));
    this.#memory = memory;
    this.#kernel = exports;
  }

  /** @param shareOf how much of the second is seen at a column. */
  mix(from: Frame, to: Frame, shareOf: (x: number) => number, into: Frame): void {
    const [first, second, result] = [planesOf(from), planesOf(to), planesOf(into)];
    for (const [index, plane] of this.#planes.entries()) {
      this.#put(first[index]!, plane.mixed, plane);
      this.#put(second[index]!, plane.other, plane);
      this.#mixInto(result[index]!, plane, shareOf);
    }
  }

  /** A picture with the canvas's background colour over it, at this opacity. */
  cover(picture: Frame, { background }: Pick<Canvas, 'background'>, share: number, into: Frame): void {
    const [first, result] = [planesOf(picture), planesOf(into)];
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16));
    const color = yuvOf([red!, green!, blue!]);
    for (const [index, plane] of this.#planes.entries()) {
      this.#put(first[index]!, plane.mixed, plane);
      this.#memory.fill(Math.round(color[index]!), plane.other, plane.other + plane.rows * plane.stride);
      this.#mixInto(result[index]!, plane, () => share);
    }
  }

  #put({ bytes, stride }: FramePlane, at: number, plane: MixedPlane): void {
    const to = { bytes: this.#memory, at, stride: plane.stride };
    copyRows({ bytes, at: 0, stride }, to, Math.min(stride, plane.stride), plane.rows);
  }

  #mixInto({ bytes, stride }: FramePlane, plane: MixedPlane, shareOf: (x: number) => number): void {
    const { mixed, other, columns, rows, shift } = plane;
    const length = Math.ceil(columns / MIXED_SAMPLES) * MIXED_SAMPLES;
    const weights = new Uint16Array(this.#memory.buffer, this.#weights, length);
    for (let column = 0; column < length; column += 1) weights[column] = Math.round(256 * shareOf(column << shift));
    for (let at = 0; at < rows * plane.stride; at += plane.stride) {
      this.#kernel.mixRow(mixed + at, other + at, mixed + at + columns, this.#weights);
    }
    const from = { bytes: this.#memory, at: mixed, stride: plane.stride };
    copyRows(from, { bytes, at: 0, stride }, Math.min(stride, plane.stride), rows);
  }
}

/** The second picture behind the first, both moved to the left by even pixels. */
function pushInto(from: Frame, to: Frame, shift: number, into: Frame): void {
  const [first, second, result] = [planesOf(from), planesOf(to), planesOf(into)];
  for (const [plane, { bytes, stride }] of result.entries()) {
    const half = plane === 0 ? 0 : 1;
    const [width, rows, moved] = [into.width >> half, into.height >> half, shift >> half];
    const [left, right] = [first[plane]!, second[plane]!];
    copyRows({ ...left, at: moved }, { bytes, at: 0, stride }, width - moved, rows);
    copyRows({ ...right, at: 0 }, { bytes, at: width - moved, stride }, moved, rows);
  }
}
