import type { Frame } from 'node-av/lib';
import type { ClipView } from '../../plan/frame/clip-at-frame.ts';
import {
  ACROSS_SAMPLES,
  acrossBytes,
  DOWN_SAMPLES,
  type ResampleKernels,
  resampleKernels,
  type Taps,
  WEIGHT_BITS,
} from '../simd/resample-kernel.ts';
import { wasmInstances } from '../simd/wasm-program.ts';
import { copyRows, planesOf } from './planes.ts';

const instance = wasmInstances<ResampleKernels>(resampleKernels);

const ONE = 2 ** WEIGHT_BITS;
/** The strides that libavutil gives frames. */
const STRIDE = 64;
/** Samples are read beyond a row's end, and weighted with 0. */
const SLACK = 64;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A plane in the program's memory. */
interface Plane {
  readonly source: number;
  readonly sourceStride: number;
  readonly target: number;
  readonly targetStride: number;
  /** 0 for luma; 1 for chroma, which has one sample for two pixels in each direction. */
  readonly shift: 0 | 1;
}

/**
 * Scales parts of a picture that begin and end anywhere between its pixels: so a movement of less than a pixel a frame
 * has no steps. Bicubic, first down, then across, in whole numbers: the result is the same on every machine. libav's
 * scalers cut at whole pixels.
 */
export class Resampler {
  readonly #source: Size;
  readonly #target: Size;
  readonly #planes: readonly Plane[];
  readonly #row: number;
  readonly #table: number;
  readonly #lines: number;
  readonly #memory: Uint8Array<ArrayBuffer>;
  readonly #kernels: ResampleKernels;

  /** @param planes 3, or 4 with alpha. */
  constructor(source: Size, target: Size, planes: 3 | 4) {
    // The size is copied, because frames are reused.
    this.#source = { width: source.width, height: source.height };
    this.#target = { width: target.width, height: target.height };
    let end = 0;
    const room = (bytes: number): number => {
      const start = end;
      end += Math.ceil((bytes + SLACK) / STRIDE) * STRIDE;
      return start;
    };
    this.#planes = ([0, 1, 1, 0] as const).slice(0, planes).map((shift) => {
      const [sourceStride, targetStride] = [padded(source.width >> shift), padded(target.width >> shift)];
      return {
        source: room(sourceStride * (source.height >> shift)),
        sourceStride,
        target: room(targetStride * (target.height >> shift)),
        targetStride,
        shift,
      };
    });
    this.#row = room(padded(source.width));
    this.#table = room((padded(target.width) / ACROSS_SAMPLES) * acrossBytes(8));
    this.#lines = room(4 * 12);
    const { memory, exports } = instance(end);
    this.#memory = memory;
    this.#kernels = exports;
  }

  /** Takes a picture, in yuv420p or yuva420p; later calls show parts of it. */
  put(frame: Frame): void {
    for (const [index, { bytes, stride }] of planesOf(frame, this.#planes.length).entries()) {
      const { source, sourceStride, shift } = this.#planes[index]!;
      const to = { bytes: this.#memory, at: source, stride: sourceStride };
      copyRows({ bytes, at: 0, stride }, to, Math.min(stride, sourceStride), this.#source.height >> shift);
    }
  }

  /** Writes a part, which must be within the picture and at most twice as large as the frame, into a frame. */
  show(view: ClipView, into: Frame): void {
    this.#scale(0, view);
    this.#scale(1, view);
    for (const [index, { bytes, stride }] of planesOf(into, this.#planes.length).entries()) {
      const plane = this.#planes[index]!;
      const from = { bytes: this.#memory, at: plane.target, stride: plane.targetStride };
      const rows = this.#target.height >> plane.shift;
      copyRows(from, { bytes, at: 0, stride }, Math.min(stride, plane.targetStride), rows);
    }
  }

  /** Makes the planes of one size, which have their weights in common. */
  #scale(shift: 0 | 1, view: ClipView): void {
    const planes = this.#planes.filter((plane) => plane.shift === shift);
    // Chroma samples are halfway between two rows, and at the left one of two columns.
    const across = line(view.x, view.width / this.#target.width, shift === 0 ? 1 : 2, 0.5);
    const down = line(view.y, view.height / this.#target.height, shift === 0 ? 1 : 2, shift === 0 ? 0.5 : 1);
    const [columns, rows] = [this.#source.width >> shift, this.#source.height >> shift];
    const width = this.#target.width >> shift;
    const acrossTaps = tapsFor(across.step);
    this.#writeTable(across, acrossTaps, width, columns);
    const downTaps = tapsFor(down.step);
    // Only the part of the row that is read is computed.
    const first = Math.max(0, Math.floor(across.start) - acrossTaps);
    const last = Math.min(columns, Math.ceil(across.start + across.step * width) + acrossTaps);
    const [rowStart, rowEnd] = [first & ~(DOWN_SAMPLES - 1), last];
    const acrossKernel = this.#kernels[`across${acrossTaps}`];
    const downKernel = this.#kernels[`down${downTaps}`];
    const lines = new Int32Array(this.#memory.buffer, this.#lines, 12);
    const weights = new Int32Array(downTaps);
    for (let row = 0; row < this.#target.height >> shift; row += 1) {
      const top = tapWeights(down.start + row * down.step, down.step, weights);
      for (let pair = 0; pair < downTaps / 2; pair += 1) {
        lines[downTaps + pair] = pack(weights[2 * pair]!, weights[2 * pair + 1]!);
      }
      for (const { source, sourceStride, target, targetStride } of planes) {
        for (let tap = 0; tap < downTaps; tap += 1) {
          lines[tap] = source + within(top + tap, rows) * sourceStride + rowStart;
        }
        downKernel(this.#row + rowStart, this.#row + rowEnd, this.#lines);
        const to = target + row * targetStride;
        acrossKernel(this.#row, to, to + width, this.#table);
      }
    }
  }

  #writeTable({ start, step }: Line, taps: Taps, width: number, columns: number): void {
    const view = new DataView(this.#memory.buffer);
    const weights = new Int32Array(taps);
    let base = 0;
    for (let column = 0; column < Math.ceil(width / ACROSS_SAMPLES) * ACROSS_SAMPLES; column += 1) {
      const lane = column % ACROSS_SAMPLES;
      const at = this.#table + ((column - lane) / ACROSS_SAMPLES) * acrossBytes(taps);
      const first = tapWeights(start + Math.min(width - 1, column) * step, step, weights);
      if (lane === 0) {
        base = within(first, columns);
        view.setInt32(at, base, true);
      }
      for (let tap = 0; tap < taps; tap += 1) {
        const place = at + 16 + 32 * (tap >> 1) + 4 * lane + 2 * (tap & 1);
        view.setUint16(place, 0x8000 | (within(first + tap, columns) - base), true);
        view.setInt16(place + 16, weights[tap]!, true);
      }
    }
  }
}

/** Where the samples of a row or a column come from: the first, and how far the next is. In samples of the source. */
interface Line {
  readonly start: number;
  readonly step: number;
}

/** @param site where a sample is in its pixels; it covers `pixels` of them. */
function line(offset: number, scale: number, pixels: number, site: number): Line {
  return { start: (offset + scale * site - site) / pixels, step: scale };
}

/** As many as the curve reaches when it is stretched to the step: two samples of the result to either side. */
function tapsFor(step: number): Taps {
  return step <= 1 ? 4 : step <= 1.5 ? 6 : 8;
}

/** The weights of all samples that one at `place` is made of, which add up to one. Returns the number of the first. */
function tapWeights(place: number, step: number, weights: Int32Array): number {
  const taps = weights.length;
  const first = Math.floor(place) - taps / 2 + 1;
  const stretch = Math.max(1, step);
  let sum = 0;
  for (let tap = 0; tap < taps; tap += 1) sum += bicubic((first + tap - place) / stretch);
  let left = ONE;
  for (let tap = 0; tap < taps; tap += 1) {
    weights[tap] = Math.round((bicubic((first + tap - place) / stretch) / sum) * ONE);
    left -= weights[tap]!;
  }
  weights[taps / 2 - (place - Math.floor(place) < 0.5 ? 1 : 0)]! += left;
  return first;
}

/** Catmull-Rom's curve: it goes through the samples themselves, and is as sharp as libav's scaling. */
function bicubic(distance: number): number {
  const x = Math.abs(distance);
  if (x >= 2) return 0;
  return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

/** Beyond an edge, the last sample repeats. */
function within(index: number, count: number): number {
  return Math.min(count - 1, Math.max(0, index));
}

function pack(lower: number, upper: number): number {
  return (lower & 0xffff) | (upper << 16);
}

function padded(width: number): number {
  return Math.ceil(width / STRIDE) * STRIDE;
}
