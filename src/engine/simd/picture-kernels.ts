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
  i16x8,
  i32,
  i32x4,
  ifElse,
  ifThen,
  type Local,
  loopWhile,
  sequence,
  v128,
  type WasmFunction,
  wasmProgram,
} from './wasm-program.ts';

// The colours of painted pixels are multiplied by their alpha, so blending is a sum without a division. Whole numbers
// give the same result on every machine. test/engine/compose/plain-canvas.ts blends sample by sample.

const HALF = 1 << (FRACTION_BITS - 1);
/** 1/255 in fixed point is about 257, which is 2 ** 8 + 1. */
const SHARE_SHIFT = FRACTION_BITS / 2;
const SHARE = 2 ** SHARE_SHIFT + 1;

/** Pixels of two rows that are blended at once. */
export const BLENDED_PX = 8;
/** Bytes from one row of thresholds to the next. A row has its pattern twice, so that a read can start anywhere in it. */
export const DITHER_STRIDE = 2 * 2 * BLENDED_PX;
/** A threshold that rounds as usual, without a pattern. */
export const EVEN_ROUNDING = HALF;
/** Bytes that are dimmed at once. */
export const DIMMED_BYTES = 16;

/** The functions of the program, on addresses in its memory. */
export interface PictureKernels {
  /**
   * Sets `to` to `(from * through + added + dither) >> 8`, sixteen bytes at a time, up to `end`. No result may exceed
   * 255. `dither` has eight numbers of 16 bits, which repeat.
   */
  dim(from: number, to: number, end: number, through: number, added: number, dither: number): void;
  /**
   * Blends two rows of pixels over two rows of luma and one of each chroma plane, eight pixels at a time. The rows are
   * `rgba`, up to `rgbaEnd`, and the one `rgbaStride` bytes after it. Pixels beyond the picture's end must be empty;
   * samples there stay the same. `dither` has eight numbers of 16 bits for each row, `DITHER_STRIDE` apart. They round
   * luma where pixels are not opaque.
   */
  blendRows(
    rgba: number,
    rgbaEnd: number,
    rgbaStride: number,
    y: number,
    yStride: number,
    u: number,
    v: number,
    dither: number,
  ): void;
}

const DIM: WasmFunction = {
  name: 'dim',
  params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['v128', 'v128', 'v128'],
  body: (variables) => {
    const [from, to, end, through, added, dither, bytes, factor, sum] = variables as Nine;
    const dimmed = (half: Code) => i16x8.shiftRight(i16x8.add(i16x8.mul(half, factor.get), sum.get), 8);
    return sequence(
      factor.set(i16x8.splat(through.get)),
      sum.set(i16x8.add(i16x8.splat(added.get), v128.load(dither.get))),
      loopWhile(
        i32.isLess(from.get, end.get),
        bytes.set(v128.load(from.get)),
        v128.store(to.get, i16x8.toBytes(dimmed(i16x8.lowOf8(bytes.get)), dimmed(i16x8.highOf8(bytes.get)))),
        advance(from, DIMMED_BYTES),
        advance(to, DIMMED_BYTES),
      ),
    );
  },
};

// 255 times its share is a little less than black, which must stay unchanged under opaque pixels.
const HALF_IF_OPAQUE = HALF + (BLACK << FRACTION_BITS) - 255 * BLACK * SHARE;

/** Constants of a blend, built once. Colours have one 16-bit lane for each channel. */
const CONSTANTS = {
  pair: every(PAIR),
  // The part beyond 16 bits with a sign is subtracted, and added again in 32 bits.
  lumaOfRb: pairs(YR, YB),
  lumaOfGa: pairs(YG - 2 ** 16, BLACK * SHARE),
  uOfRb: pairs(UR, UB),
  uOfGa: pairs(UG, GREY * SHARE - 2 ** 16),
  vOfRb: pairs(VR, VB),
  vOfGa: pairs(VG, GREY * SHARE - 2 ** 16),
  opaque: every16(255),
  share: every16(SHARE),
  halfIfOpaque: every16(HALF_IF_OPAQUE),
  halfOfOpaque: every(HALF_IF_OPAQUE),
  opaqueFour: every(4 * 255),
  upper: every(0xffff0000),
  alpha: every(0xff000000),
  halfOfFour: every(4 * HALF),
} as const;
type Constants = Readonly<Record<keyof typeof CONSTANTS, Local>>;

const BLEND_ROWS: WasmFunction = {
  name: 'blendRows',
  params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', ...Array.from({ length: 14 + Object.keys(CONSTANTS).length }, () => 'v128' as const)],
  body: (variables) => {
    const [rgba, rgbaEnd, rgbaStride, y, yStride, u, v, dither, below, yBelow, ...vectors] = variables as Ten;
    const [p0, p1, p2, p3, rb0, rb1, ga0, ga1, rb, ga, left, right, pattern, patternBelow, ...kept] =
      vectors as unknown as Fourteen;
    const names = Object.keys(CONSTANTS) as (keyof typeof CONSTANTS)[];
    const constants = Object.fromEntries(names.map((name, index) => [name, kept[index]!])) as Constants;
    const { pair, opaqueFour, upper, alpha, halfOfFour, uOfRb, uOfGa, vOfRb, vOfGa } = constants;
    const pixels = { p0, p1, p2, p3, rb0, rb1, ga0, ga1, rb, ga, pair };
    const row = { rb0, rb1, ga0, ga1, left, right };
    /** Eight pixels of both rows, which are all opaque or not. */
    const blendEight = (lumaRow: typeof lumaRowUnder, difference: (seen: Local, sum: Code) => Code): Code =>
      sequence(
        rowByRow(pixels, lumaRow(y, row, constants, pattern), lumaRow(yBelow, row, constants, patternBelow)),
        p0.set(i32x4.sub(opaqueFour.get, i32x4.shiftRight(ga.get, 16))),
        p1.set(i32x4.add(v128.and(ga.get, upper.get), halfOfFour.get)),
        left.set(difference(u, i32x4.add(p1.get, samplesOf(rb, ga, uOfRb, uOfGa)))),
        right.set(difference(v, i32x4.add(p1.get, samplesOf(rb, ga, vOfRb, vOfGa)))),
        left.set(i32x4.to16(left.get, right.get)),
        left.set(i16x8.toBytes(left.get, left.get)),
        v128.store4(u.get, left.get, 0),
        v128.store4(v.get, left.get, 1),
      );
    const underFour = (at: Local, sum: Code): Code =>
      sequence(p2.set(i32x4.mul(four(at), p0.get)), roundedFour(i32x4.add(sum, shareOf(p2))));

    return sequence(
      ...names.map((name) => constants[name].set(CONSTANTS[name])),
      pattern.set(v128.load(dither.get)),
      patternBelow.set(v128.load(dither.get, DITHER_STRIDE)),
      loopWhile(
        i32.isLess(rgba.get, rgbaEnd.get),
        below.set(i32.add(rgba.get, rgbaStride.get)),
        loadPixels(pixels, rgba, below),
        ifThen(
          v128.isAny(anyOf(pixels)),
          yBelow.set(i32.add(y.get, yStride.get)),
          ifElse(
            v128.isAny(v128.without(alpha.get, allOf(pixels))),
            blendEight(lumaRowUnder, underFour),
            blendEight(lumaRowOpaque, (_, sum) => roundedFour(sum)),
          ),
        ),
        advance(rgba, 4 * BLENDED_PX),
        advance(y, BLENDED_PX),
        advance(u, BLENDED_PX / 2),
        advance(v, BLENDED_PX / 2),
      ),
    );
  },
};

/** The program as bytes; it imports a memory as `env.memory`. */
export function pictureKernels(): Uint8Array<ArrayBuffer> {
  return wasmProgram([DIM, BLEND_ROWS]);
}

type Eight = readonly [Local, Local, Local, Local, Local, Local, Local, Local];
type Nine = readonly [...Eight, Local];
type Ten = readonly [...Nine, Local, ...Local[]];
type Fourteen = readonly [...Nine, Local, Local, Local, Local, Local, ...Local[]];

/** Channels of eight pixels, in pairs, and room for two vectors. */
type Row = Readonly<Record<'rb0' | 'rb1' | 'ga0' | 'ga1' | 'left' | 'right', Local>>;

/** Eight pixels of a row over what is below them: their luma. */
function lumaRowUnder(at: Local, row: Row, { lumaOfRb, lumaOfGa, ...constants }: Constants, pattern: Local): Code {
  const { rb0, rb1, ga0, ga1, left, right } = row;
  const { opaque, share, halfIfOpaque } = constants;
  const sum = (rb: Local, ga: Local, seen: Code, rounding: Code) =>
    i32x4.add(lumaOf(rb, ga, lumaOfRb, lumaOfGa), i32x4.add(seen, rounding));
  return sequence(
    right.set(v128.upperHalves(ga0.get, ga1.get)),
    left.set(i16x8.mul(i16x8.load8(at.get), i16x8.sub(opaque.get, right.get))),
    right.set(v128.select(halfIfOpaque.get, pattern.get, i16x8.isEqual(right.get, opaque.get))),
    storeWhole(
      at,
      sum(rb0, ga0, i32x4.mulLowOf16(left.get, share.get), i32x4.lowOf16(right.get)),
      sum(rb1, ga1, i32x4.mulHighOf16(left.get, share.get), i32x4.highOf16(right.get)),
    ),
  );
}

/** The same if the layer is opaque. */
function lumaRowOpaque(at: Local, { rb0, rb1, ga0, ga1 }: Row, constants: Constants): Code {
  const { lumaOfRb, lumaOfGa, halfOfOpaque } = constants;
  const sum = (rb: Local, ga: Local) => i32x4.add(lumaOf(rb, ga, lumaOfRb, lumaOfGa), halfOfOpaque.get);
  return storeWhole(at, sum(rb0, ga0), sum(rb1, ga1));
}

function shareOf(parts: Local): Code {
  return i32x4.add(parts.get, i32x4.shiftLeft(parts.get, SHARE_SHIFT));
}

/** Of sums of four pixels. */
function roundedFour(sums: Code): Code {
  return i32x4.shiftRightSigned(sums, FRACTION_BITS + 2);
}

/** Four bytes of memory as numbers. */
function four(at: Local): Code {
  return i32x4.lowOf16(i16x8.lowOf8(v128.load4(at.get)));
}

/** Stores the whole parts of eight numbers as bytes. */
function storeWhole(at: Local, left: Code, right: Code): Code {
  return v128.store8(at.get, i16x8.toBytes(v128.upperHalves(left, right), v128.constant([0, 0, 0, 0])));
}

function every16(lane: number): Code {
  return v128.constant(Array.from({ length: 8 }, () => lane));
}
