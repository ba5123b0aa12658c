import { BLACK, FRACTION_BITS, GREY, UB, UG, UR, VB, VG, VR, YB, YG, YR } from '../color/painted-color.ts';
import {
  advance,
  allOf,
  anyOf,
  every,
  loadPixels,
  lumaOf,
  PAIR,
  pairs,
  rowByRow,
  samplesOf,
} from './painted-pixels.ts';
import {
  type Code,
  f64x2,
  i16x8,
  i32,
  i32x4,
  ifElse,
  type Local,
  loopWhile,
  sequence,
  v128,
  type WasmFunction,
  wasmProgram,
} from './wasm-program.ts';

// The colours of painted pixels are multiplied by their alpha. A block that is all opaque or all empty is converted in
// whole numbers; any other by the same divisions as in JavaScript, for the same result.
// test/engine/compose/plain-planes.ts converts sample by sample.

const HALF = 1 << (FRACTION_BITS - 1);
const BLACK_ROUNDED = (BLACK << FRACTION_BITS) + HALF;
const GREY_ROUNDED = (GREY << FRACTION_BITS) + HALF;

/** Pixels of two rows that are converted at once. */
export const CONVERTED_PX = 8;

/** The functions of the program, on addresses in its memory. */
export interface PaintedKernel {
  /**
   * Converts two rows of pixels to two rows of luma and of alpha, `stride` apart, and one of each chroma plane, eight
   * pixels at a time. The rows are `rgba`, up to `rgbaEnd`, and the one `rgbaStride` bytes after it.
   */
  convertRows(
    rgba: number,
    rgbaEnd: number,
    rgbaStride: number,
    y: number,
    a: number,
    stride: number,
    u: number,
    v: number,
  ): void;
}

const CONSTANTS = {
  pair: every(PAIR),
  lumaOfRb: pairs(YR, YB),
  // The part beyond 16 bits with a sign is subtracted, and added again in 32 bits.
  lumaOfGa: pairs(YG - 2 ** 16, 0),
  uOfRb: pairs(UR, UB),
  uOfGa: pairs(UG, 0),
  vOfRb: pairs(VR, VB),
  vOfGa: pairs(VG, 0),
  alpha: every(0xff000000),
  one: every(1),
  black: every(BLACK_ROUNDED),
  greyOfFour: every(4 * GREY_ROUNDED),
  blackExact: f64x2.constant(BLACK_ROUNDED),
  greyExact: f64x2.constant(GREY_ROUNDED),
  opaque: f64x2.constant(255),
} as const;
type Name = keyof typeof CONSTANTS;
const NAMES = Object.keys(CONSTANTS) as Name[];
const VECTORS = [
  'p0',
  'p1',
  'p2',
  'p3',
  'rb0',
  'rb1',
  'ga0',
  'ga1',
  'rb',
  'ga',
  'left',
  'right',
  'seen',
  'low',
] as const;
type Vectors = Readonly<Record<(typeof VECTORS)[number] | Name, Local>>;

const CONVERT_ROWS: WasmFunction = {
  name: 'convertRows',
  params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', ...[...VECTORS, ...NAMES].map(() => 'v128' as const)],
  body: (variables) => {
    const [rgba, rgbaEnd, rgbaStride, y, a, stride, u, v, below, ...rest] = variables as readonly [
      ...[Local, Local, Local, Local, Local, Local, Local, Local, Local],
      ...Local[],
    ];
    const vectors = Object.fromEntries([...VECTORS, ...NAMES].map((name, i) => [name, rest[i]!])) as Vectors;
    const { rb, ga, left, right, seen, alpha } = vectors;
    const { uOfRb, uOfGa, vOfRb, vOfGa } = vectors;
    const belowOf = (at: Local) => i32.add(at.get, stride.get);
    const eight = (luma: Straight, difference: Straight): Code =>
      sequence(
        rowByRow(vectors, storeRow(vectors, y.get, a.get, luma), storeRow(vectors, belowOf(y), belowOf(a), luma)),
        seen.set(i32x4.max(i32x4.shiftRight(ga.get, 16), vectors.one.get)),
        left.set(samplesOf(rb, ga, uOfRb, uOfGa)),
        left.set(difference(left, seen)),
        right.set(samplesOf(rb, ga, vOfRb, vOfGa)),
        right.set(difference(right, seen)),
        left.set(i32x4.to16(left.get, right.get)),
        left.set(i16x8.toBytes(left.get, left.get)),
        v128.store4(u.get, left.get, 0),
        v128.store4(v.get, left.get, 1),
      );
    return sequence(
      ...NAMES.map((name) => vectors[name].set(CONSTANTS[name])),
      loopWhile(
        i32.isLess(rgba.get, rgbaEnd.get),
        below.set(i32.add(rgba.get, rgbaStride.get)),
        loadPixels(vectors, rgba, below),
        ifElse(
          // Neither all opaque nor all empty.
          i32.and(v128.isAny(v128.without(alpha.get, allOf(vectors))), v128.isAny(anyOf(vectors))),
          eight(
            (sum, seen) => exact(vectors, sum, seen, vectors.blackExact),
            (sum, seen) =>
              sequence(
                vectors.low.set(exact(vectors, sum, seen, vectors.greyExact)),
                i32x4.shiftRightSigned(vectors.low.get, FRACTION_BITS),
              ),
          ),
          eight(
            (sum) => i32x4.add(sum.get, vectors.black.get),
            (sum) => i32x4.shiftRightSigned(i32x4.add(sum.get, vectors.greyOfFour.get), FRACTION_BITS + 2),
          ),
        ),
        advance(rgba, 4 * CONVERTED_PX),
        advance(y, CONVERTED_PX),
        advance(a, CONVERTED_PX),
        advance(u, CONVERTED_PX / 2),
        advance(v, CONVERTED_PX / 2),
      ),
    );
  },
};

/** The program as bytes; it imports a memory as `env.memory`. */
export function paintedKernel(): Uint8Array<ArrayBuffer> {
  return wasmProgram([CONVERT_ROWS]);
}

/** From premultiplied colours to straight ones, plus black or grey. */
type Straight = (sum: Local, alpha: Local) => Code;

/** The same result as `sum * (255 / alpha) + added` in JavaScript, four times. */
function exact({ opaque, low }: Vectors, sum: Local, alpha: Local, added: Local): Code {
  const two = (half: (four: Code) => Code): Code => {
    const weight = f64x2.div(opaque.get, f64x2.ofInts(half(alpha.get)));
    return f64x2.toInts(f64x2.add(f64x2.mul(f64x2.ofInts(half(sum.get)), weight), added.get));
  };
  const upper = (four: Code) => v128.pick(four, four, [2, 3, 2, 3]);
  return sequence(low.set(two((four) => four)), v128.pick(low.get, two(upper), [0, 1, 4, 5]));
}

/** Luma and alpha of a row's eight pixels. */
function storeRow(vectors: Vectors, y: Code, a: Code, straight: Straight): Code {
  const { rb0, rb1, ga0, ga1, left, right, seen, one } = vectors;
  const luma = (into: Local, rb: Local, ga: Local): Code =>
    sequence(
      into.set(lumaOf(rb, ga, vectors.lumaOfRb, vectors.lumaOfGa)),
      seen.set(i32x4.max(i32x4.shiftRight(ga.get, 16), one.get)),
      into.set(straight(into, seen)),
    );
  return sequence(
    luma(left, rb0, ga0),
    luma(right, rb1, ga1),
    v128.store8(y, i16x8.toBytes(v128.upperHalves(left.get, right.get), v128.constant([0, 0, 0, 0]))),
    v128.store8(a, i16x8.toBytes(v128.upperHalves(ga0.get, ga1.get), v128.constant([0, 0, 0, 0]))),
  );
}
