import {
  ACROSS_BITS,
  COLOR_BITS,
  COLOR_FACTORS,
  COLORED_PX,
  DOWN_BITS,
  type FilmKernel,
  filmKernel,
  GROUP,
  MADE_ACROSS,
  PAIR_BYTES,
} from '../../engine/simd/film-kernel.ts';
import { type WasmInstance, wasmInstances } from '../../engine/simd/wasm-program.ts';
import type { Planes } from './film-planes.ts';

const instances = wasmInstances<FilmKernel>(filmKernel);

/** Strides of planes, and bytes that are read beyond a row's end. */
const STRIDE = 64;
/** Samples of the source to each side of one of the result, at its scale. */
const REACH = 2;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A part of a picture, which may begin and end between its pixels. */
interface Part extends Size {
  readonly x: number;
  readonly y: number;
}

/** How samples were made of red, green and blue. */
export interface Coding {
  readonly matrix: 'bt709' | 'bt601';
  readonly fullRange: boolean;
}

/** The share of red and blue in luma. */
const SHARES = { bt709: [0.2126, 0.0722], bt601: [0.299, 0.114] } as const;

/** A plane in the program's memory, of the source and of the result. */
interface Plane {
  readonly source: number;
  readonly sourceStride: number;
  readonly target: number;
  readonly targetStride: number;
}

/** Weights along one axis of planes: where in memory they are, and for which axis they were made. */
interface Table {
  readonly at: number;
  made: string;
  /** Bytes of weights: for four samples across, for one row down. */
  bytes: number;
}

/**
 * Scales pictures in 4:2:0 of one size to another size, by the curve of the service: libav's bicubic one. Browsers scale
 * by others, of which each rounds colours in its own way.
 */
export class FilmScaler {
  readonly #source: Size;
  readonly #target: Size;
  /** Luma, then both of chroma. */
  readonly #planes: readonly Plane[];
  readonly #between: number;
  readonly #across: readonly [Table, Table];
  readonly #down: readonly [Table, Table];
  readonly #factors: number;
  readonly #rgba: number;
  readonly #instance: WasmInstance<FilmKernel>;
  /** Whether the last picture had the right size. */
  #isWhole = false;

  constructor(source: Size, target: Size) {
    this.#source = source;
    this.#target = target;
    let end = 0;
    const room = (bytes: number): number => {
      const start = end;
      end += padded(bytes + STRIDE);
      return start;
    };
    this.#planes = [0, 1, 1].map((shift) => {
      const [sourceStride, targetStride] = [padded(halved(source.width, shift)), padded(halved(target.width, shift))];
      return {
        source: room(sourceStride * halved(source.height, shift)),
        sourceStride,
        target: room(targetStride * halved(target.height, shift)),
        targetStride,
      };
    });
    this.#between = room(2 * padded(target.width) * source.height);
    const samples = (from: number, to: number) => Math.ceil(2 * REACH * Math.max(1, from / to)) + 2;
    const table = (bytes: number): Table => ({ at: room(bytes), made: '', bytes: 0 });
    const ofAcross = padded(target.width) * (4 + 2 * (samples(source.width, target.width) + GROUP));
    const ofDown = target.height * PAIR_BYTES * samples(source.height, target.height);
    this.#across = [table(ofAcross), table(ofAcross)];
    this.#down = [table(ofDown), table(ofDown)];
    this.#factors = room(16 * COLOR_FACTORS);
    this.#rgba = room(4 * target.width * target.height);
    this.#instance = instances(end);
  }

  /** Scales a part of a picture. */
  scale({ y, u, v }: Planes, part: Part): void {
    const { width, height } = this.#source;
    this.#isWhole =
      part.x === 0 && part.y === 0 && part.width === width && part.height === height && sameSize(this.#target, part);
    for (const [index, bytes] of [y, u, v].entries()) {
      const shift = index === 0 ? 0 : 1;
      const { source, sourceStride, target, targetStride } = this.#planes[index]!;
      const [columns, rows] = [halved(width, shift), halved(height, shift)];
      const [to, stride] = this.#isWhole ? [target, targetStride] : [source, sourceStride];
      for (let row = 0; row < rows; row += 1) {
        this.#instance.memory.set(bytes.subarray(row * columns, (row + 1) * columns), to + row * stride);
      }
      if (!this.#isWhole) this.#scalePlane(index, part);
    }
  }

  /** The scaled picture in RGBA: valid until the next call. */
  colors({ matrix, fullRange }: Coding): Uint8ClampedArray<ArrayBuffer> {
    const { memory, exports } = this.#instance;
    const { width, height } = this.#target;
    const [y, u, v] = this.#planes as [Plane, Plane, Plane];
    this.#writeFactors(SHARES[matrix], fullRange);
    // The end of a row that is no multiple is written over by the next row.
    for (let row = 0; row < height; row += 1) {
      const to = this.#rgba + 4 * width * row;
      const chroma = (row >> 1) * u.targetStride;
      exports.color(
        ...([y.target + row * y.targetStride, u.target + chroma, v.target + chroma] as const),
        ...([to, to + 4 * width, this.#factors] as const),
      );
    }
    return new Uint8ClampedArray(memory.buffer, this.#rgba, 4 * width * height);
  }

  /** The scaled picture, as it is coded. */
  planes(): Planes {
    const { width, height } = this.#target;
    const [y, u, v] = this.#planes.map(({ target, targetStride }, index) => {
      const shift = index === 0 ? 0 : 1;
      const [columns, rows] = [halved(width, shift), halved(height, shift)];
      const bytes = new Uint8Array(columns * rows);
      for (let row = 0; row < rows; row += 1) {
        const at = target + row * targetStride;
        bytes.set(this.#instance.memory.subarray(at, at + columns), row * columns);
      }
      return bytes;
    }) as [Uint8Array, Uint8Array, Uint8Array];
    return { width, height, y, u, v };
  }

  #scalePlane(index: number, part: Part): void {
    const shift = index === 0 ? 0 : 1;
    const { source, sourceStride, target, targetStride } = this.#planes[index]!;
    const { exports } = this.#instance;
    const width = padded(halved(this.#target.width, shift), COLORED_PX);
    const height = halved(this.#target.height, shift);
    const [across, down] = [this.#across[shift], this.#down[shift]];
    // Chroma samples are at the left one of two columns, and between two rows.
    const columns = axis(part.x, part.width, this.#target.width, this.#source.width, shift, shift === 0 ? 0.5 : 1);
    const rows = axis(part.y, part.height, this.#target.height, this.#source.height, shift, shift === 0 ? 0.5 : 1);
    this.#writeAcross(across, columns, width);
    const stride = 2 * padded(this.#target.width);
    this.#writeDown(down, rows, height, stride);
    for (let row = rows.first; row < rows.end; row += 1) {
      const to = this.#between + (row - rows.first) * stride;
      exports.across(source + row * sourceStride, to, to + 2 * width, across.at, across.bytes);
    }
    for (let row = 0; row < height; row += 1) {
      const [to, at] = [target + row * targetStride, down.at + row * down.bytes];
      exports.down(to, to + width, at, at + down.bytes);
    }
  }

  #writeAcross(table: Table, along: Axis, width: number): void {
    const made = JSON.stringify(along);
    if (table.made === made) return;
    table.made = made;
    const groups = Math.ceil(tapsOf(along) / GROUP);
    table.bytes = 2 * GROUP * MADE_ACROSS * groups;
    const view = new DataView(this.#instance.memory.buffer);
    const weights = new Int32Array(GROUP * groups);
    for (let column = 0; column < width; column += 1) {
      const lane = column % MADE_ACROSS;
      const at = table.at + ((column - lane) / MADE_ACROSS) * (4 * MADE_ACROSS + table.bytes);
      view.setInt32(at + 4 * lane, weigh(along, column, ACROSS_BITS, weights), true);
      for (const [tap, weight] of weights.entries()) {
        const group = 2 * GROUP * (MADE_ACROSS * Math.floor(tap / GROUP) + lane);
        view.setInt16(at + 4 * MADE_ACROSS + group + 2 * (tap % GROUP), weight, true);
      }
    }
  }

  #writeDown(table: Table, along: Axis, height: number, stride: number): void {
    const made = JSON.stringify(along);
    if (table.made === made) return;
    table.made = made;
    const pairs = Math.ceil(tapsOf(along) / 2);
    table.bytes = PAIR_BYTES * pairs;
    const view = new DataView(this.#instance.memory.buffer);
    const weights = new Int32Array(2 * pairs);
    for (let row = 0; row < height; row += 1) {
      const first = weigh(along, row, DOWN_BITS, weights);
      for (let pair = 0; pair < pairs; pair += 1) {
        const at = table.at + row * table.bytes + pair * PAIR_BYTES;
        for (const half of [0, 1]) {
          const line = Math.min(along.end - 1, first + 2 * pair + half) - along.first;
          view.setInt32(at + 4 * half, this.#between + line * stride, true);
          view.setInt16(at + 8 + 2 * half, weights[2 * pair + half]!, true);
        }
      }
    }
  }

  #writeFactors([ofRed, ofBlue]: readonly [number, number], fullRange: boolean): void {
    const ofGreen = 1 - ofRed - ofBlue;
    const [luma, chroma, black] = fullRange ? [1, 1, 0] : [255 / 219, 255 / 224, 16];
    const red = 2 * (1 - ofRed) * chroma;
    const blue = 2 * (1 - ofBlue) * chroma;
    const greenOfU = (-blue * ofBlue) / ofGreen;
    const greenOfV = (-red * ofRed) / ofGreen;
    const fixed = (factor: number) => Math.round(factor * 2 ** COLOR_BITS);
    const plus = (...factors: number[]) =>
      fixed(0.5) - black * fixed(luma) - 128 * factors.reduce((sum, factor) => sum + fixed(factor), 0);
    const rows: readonly (readonly [number, number] | number)[] = [
      ...([
        [fixed(luma), fixed(red)],
        [fixed(luma), fixed(greenOfU)],
        [0, fixed(greenOfV)],
      ] as const),
      ...([[fixed(luma), fixed(blue)], plus(red), plus(greenOfU, greenOfV), plus(blue)] as const),
    ];
    const numbers = new Int32Array(this.#instance.memory.buffer, this.#factors, 4 * COLOR_FACTORS);
    for (const [index, row] of rows.entries()) {
      numbers.fill(typeof row === 'number' ? row : (row[0] & 0xffff) | (row[1] << 16), 4 * index, 4 * index + 4);
    }
  }
}

/** Where the samples of a row or a column come from, in samples of the source: the first place, and how far the next is. */
interface Axis {
  readonly start: number;
  readonly step: number;
  /** The samples that may be used. */
  readonly first: number;
  readonly end: number;
}

/** @param site where in its pixels a sample is. */
function axis(from: number, length: number, target: number, source: number, shift: 0 | 1, site: number): Axis {
  const [scale, pixels] = [length / target, 1 << shift];
  return {
    start: (from + scale * site - site) / pixels,
    step: scale,
    first: Math.max(0, Math.floor(from)) >> shift,
    end: halved(Math.min(source, Math.ceil(from + length)), shift),
  };
}

function tapsOf({ step }: Axis): number {
  return Math.ceil(2 * REACH * Math.max(1, step)) + 1;
}

/**
 * Fills in the weights of all samples that sample `index` is made of, which add up to one. Beyond an edge, the last sample
 * repeats. @returns the number of the first.
 */
function weigh({ start, step, first, end }: Axis, index: number, bits: number, weights: Int32Array): number {
  const place = start + index * step;
  const stretch = Math.max(1, step);
  const reach = REACH * stretch;
  const [low, high] = [Math.floor(place - reach) + 1, Math.ceil(place + reach) - 1];
  const base = within(low, first, end);
  const shares = new Float64Array(weights.length);
  for (let at = low; at <= high; at += 1) shares[within(at, first, end) - base]! += curve((at - place) / stretch);
  const sum = shares.reduce((total, share) => total + share, 0);
  let left = 2 ** bits;
  weights.forEach((_, tap) => {
    weights[tap] = Math.round((shares[tap]! / sum) * 2 ** bits);
    left -= weights[tap]!;
  });
  weights[shares.indexOf(Math.max(...shares))]! += left;
  return base;
}

/** libav's bicubic curve, whose parameters are 0 and 0.6. */
function curve(distance: number): number {
  const x = Math.abs(distance);
  if (x >= REACH) return 0;
  return x < 1 ? (1.4 * x - 2.4) * x * x + 1 : ((-0.6 * x + 3) * x - 4.8) * x + 2.4;
}

function within(index: number, first: number, end: number): number {
  return Math.min(end - 1, Math.max(first, index));
}

function sameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height;
}

/** A side of a plane; chroma has one sample for two pixels. */
function halved(side: number, shift: number): number {
  return shift === 0 ? side : Math.ceil(side / 2);
}

function padded(bytes: number, to = STRIDE): number {
  return Math.ceil(bytes / to) * to;
}
