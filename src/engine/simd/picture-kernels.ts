import { BLACK, FRACTION_BITS, GREY, UB, UG, UR, VB, VG, VR, YB, YG, YR } from '../color/painted-color.ts';
import {
  type Code,
  i16x8,
  i32,
  i32x4,
  loopWhile,
  sequence,
  type Variable,
  v128,
  type WasmFunction,
  wasmProgram,
  when,
} from './wasm-program.ts';

// Painted pixels come with colours multiplied by their alpha: blending is a sum, without a division. In whole numbers, so that it comes
// out the same on every machine; test/engine/compose/plain-canvas.ts does the same sample by sample.

const HALF = 1 << (FRACTION_BITS - 1);
/** One part in 255, in fixed point. */
const SHARE = Math.round(2 ** FRACTION_BITS / 255);
/** Red and blue of a pixel, with room to add up four; green and alpha, shifted there. */
const PAIR = 0xff00ff;

/** Pixels of two rows that are blended at once. */
export const BLENDED_PX = 8;
/** Bytes that are dimmed at once. */
export const DIMMED_BYTES = 16;

/** What the program can do, on addresses in its memory. */
export interface PictureKernels {
  /** `to` becomes `(from * through + added) >> 8`, which none must take beyond 255, by sixteen bytes up to `end`. */
  dim(from: number, to: number, end: number, through: number, added: number): void;
  /**
   * Puts two rows of pixels, `rgba` and the one `rgbaStride` behind it up to `rgbaEnd`, over two rows of luma and one of each
   * difference, by eight pixels. Beyond the picture's end pixels must be empty; samples there are written as they were.
   */
  blendRows(rgba: number, rgbaEnd: number, rgbaStride: number, y: number, yStride: number, u: number, v: number): void;
}

const DIM: WasmFunction = {
  name: 'dim',
  params: ['i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['v128', 'v128', 'v128'],
  body: (variables) => {
    const [from, to, end, through, added, bytes, factor, sum] = variables as Eight;
    const dimmed = (half: Code) => i16x8.shiftRight(i16x8.add(i16x8.mul(half, factor.get), sum.get), 8);
    return sequence(
      factor.set(i16x8.splat(through.get)),
      sum.set(i16x8.splat(added.get)),
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

const BLEND_ROWS: WasmFunction = {
  name: 'blendRows',
  params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
  body: (variables) => {
    const [rgba, rgbaEnd, rgbaStride, y, yStride, u, v] = variables as Eight;
    const [below, yBelow, p0, p1, p2, p3, under, alpha, rb, ga] = variables.slice(7) as unknown as Ten;
    const [left, right] = variables.slice(17) as unknown as [Variable, Variable];

    /** Eight pixels of a row over their luma. */
    const lumaRow = (at: Variable, first: Variable, second: Variable): Code =>
      sequence(
        under.set(i16x8.lowOf8(v128.load8(at.get))),
        left.set(lumaOver(first, i32x4.lowOf16(under.get), alpha)),
        right.set(lumaOver(second, i32x4.highOf16(under.get), alpha)),
        v128.store8(at.get, bytesOf(left.get, right.get)),
      );
    /** Sums of two by two pixels of two channels each, four of them. */
    const sums = (channels: (pixel: Code) => Code): Code =>
      sequence(
        left.set(i32x4.add(channels(p0.get), channels(p2.get))),
        right.set(i32x4.add(channels(p1.get), channels(p3.get))),
        i32x4.add(v128.pick(left.get, right.get, [0, 2, 4, 6]), v128.pick(left.get, right.get, [1, 3, 5, 7])),
      );
    /** Four samples of a difference, of which the colours make up `added`. */
    const difference = (at: Variable, [r, g, b]: readonly [number, number, number]): Code => {
      const added = i32x4.add(
        i32x4.add(times(low(rb.get), r), times(low(ga.get), g)),
        times(i32x4.shiftRight(rb.get, 16), b),
      );
      const through = i32x4.sub(i32x4.constant(4 * 255), alpha.get);
      const seen = i32x4.lowOf16(i16x8.lowOf8(v128.load4(at.get)));
      const rest = times(i32x4.add(times(alpha.get, GREY), i32x4.mul(seen, through)), SHARE);
      const sum = i32x4.shiftRightSigned(i32x4.add(added, rest), 2);
      return sequence(left.set(rounded(sum)), v128.store4(at.get, bytesOf(left.get, left.get)));
    };

    return loopWhile(
      i32.isLess(rgba.get, rgbaEnd.get),
      below.set(i32.add(rgba.get, rgbaStride.get)),
      p0.set(v128.load(rgba.get)),
      p1.set(v128.load(rgba.get, 16)),
      p2.set(v128.load(below.get)),
      p3.set(v128.load(below.get, 16)),
      when(
        v128.isAny(v128.or(v128.or(p0.get, p1.get), v128.or(p2.get, p3.get))),
        lumaRow(y, p0, p1),
        yBelow.set(i32.add(y.get, yStride.get)),
        lumaRow(yBelow, p2, p3),
        rb.set(sums((pixel) => v128.and(pixel, i32x4.constant(PAIR)))),
        ga.set(sums((pixel) => v128.and(i32x4.shiftRight(pixel, 8), i32x4.constant(PAIR)))),
        alpha.set(i32x4.shiftRight(ga.get, 16)),
        difference(u, [UR, UG, UB]),
        difference(v, [VR, VG, VB]),
      ),
      advance(rgba, 4 * BLENDED_PX),
      advance(y, BLENDED_PX),
      advance(u, BLENDED_PX / 2),
      advance(v, BLENDED_PX / 2),
    );
  },
};

/** The program as bytes; it imports a memory as `env.memory`. */
export function pictureKernels(): Uint8Array<ArrayBuffer> {
  return wasmProgram([DIM, BLEND_ROWS]);
}

type Eight = readonly [Variable, Variable, Variable, Variable, Variable, Variable, Variable, Variable];
type Ten = readonly [...Eight, Variable, Variable];

function lumaOver(pixels: Variable, under: Code, alpha: Variable): Code {
  const channel = (shift: number) => v128.and(i32x4.shiftRight(pixels.get, shift), i32x4.constant(255));
  const luma = i32x4.add(
    i32x4.add(times(v128.and(pixels.get, i32x4.constant(255)), YR), times(channel(8), YG)),
    times(channel(16), YB),
  );
  const through = i32x4.sub(i32x4.constant(255), alpha.get);
  const rest = times(i32x4.add(times(alpha.get, BLACK), i32x4.mul(under, through)), SHARE);
  const isOpaque = i32x4.isEqual(alpha.get, i32x4.constant(255));
  const ground = v128.select(i32x4.constant(BLACK << FRACTION_BITS), rest, isOpaque);
  return sequence(alpha.set(i32x4.shiftRight(pixels.get, 24)), rounded(i32x4.add(luma, ground)));
}

function rounded(lanes: Code): Code {
  return i32x4.shiftRightSigned(i32x4.add(lanes, i32x4.constant(HALF)), FRACTION_BITS);
}

function bytesOf(left: Code, right: Code): Code {
  const eight = i32x4.to16(left, right);
  return i16x8.toBytes(eight, eight);
}

function times(lanes: Code, factor: number): Code {
  return i32x4.mul(lanes, i32x4.constant(factor));
}

/** The lower half of each lane. */
function low(lanes: Code): Code {
  return v128.and(lanes, i32x4.constant(0xffff));
}

function advance(address: Variable, bytes: number): Code {
  return address.set(i32.add(address.get, i32.constant(bytes)));
}
