import { advance, every } from './painted-pixels.ts';
import {
  type Code,
  i16x8,
  i32,
  i32x4,
  type Local,
  loopWhile,
  sequence,
  v128,
  type WasmFunction,
  wasmProgram,
} from './wasm-program.ts';

// Scales planes by weights for any number of source samples, first across, then down, as libav's scaler does: rows in
// between have sixteen bits, so they are not rounded to bytes twice.

/** Fixed point of weights: those of a sample add up to one. */
export const ACROSS_BITS = 14;
export const DOWN_BITS = 12;
/** What is left of the fraction in rows that are scaled across only. */
const BETWEEN_BITS = 7;
/** Weights across come in groups of these, weights down in pairs. */
export const GROUP = 8;
/** Samples that are made at once across and down; pixels that are coloured at once. */
export const MADE_ACROSS = 4;
const MADE_DOWN = 8;
export const COLORED_PX = 8;
/** Fixed point of the factors of a colour, and how many there are, in pairs. */
export const COLOR_BITS = 13;
export const COLOR_FACTORS = 7;

/** The functions of the program, on addresses in its memory. */
export interface FilmKernel {
  /**
   * Writes samples of 16 bits up to `end`, each the weighted sum of samples of the row `from`. For every four of them the
   * table has four offsets from `from`, then their weights: of each of the four the first eight, then the next. `weights`
   * is how many bytes of weights four samples have.
   */
  across(from: number, to: number, end: number, table: number, weights: number): void;
  /**
   * Writes bytes up to `end`, each the weighted sum of samples of several rows. For every two rows the table up to
   * `tableEnd` has their addresses, then both weights in one number.
   */
  down(to: number, end: number, table: number, tableEnd: number): void;
  /**
   * Writes opaque pixels of a row up to `end`. `factors` has four 32-bit numbers for each of: red by luma and V; green by
   * luma and U, and by V; blue by luma and U, each in two halves; what is added to red, green and blue.
   */
  color(y: number, u: number, v: number, to: number, end: number, factors: number): void;
}

const ACROSS: WasmFunction = {
  name: 'across',
  params: ['i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', 'i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128'],
  body: (variables) => {
    const [from, to, end, table, weights, tableEnd, ...rest] = variables as unknown as [...Six, ...Local[]];
    const near = rest.slice(0, MADE_ACROSS);
    const sums = rest.slice(MADE_ACROSS) as unknown as Four;
    return loopWhile(
      i32.isLess(to.get, end.get),
      ...near.map((at, lane) => at.set(i32.add(from.get, i32.load(table.get, 4 * lane)))),
      ...sums.map((sum) => sum.set(every(0))),
      advance(table, 4 * MADE_ACROSS),
      tableEnd.set(i32.add(table.get, weights.get)),
      loopWhile(
        i32.isLess(table.get, tableEnd.get),
        ...sums.map((sum, lane) =>
          sum.set(
            i32x4.add(sum.get, i32x4.dotOf16(i16x8.load8(near[lane]!.get), v128.load(table.get, 2 * GROUP * lane))),
          ),
        ),
        ...near.map((at) => advance(at, GROUP)),
        advance(table, 2 * GROUP * MADE_ACROSS),
      ),
      sums[0].set(halved(sums[0], sums[1])),
      sums[2].set(halved(sums[2], sums[3])),
      sums[0].set(
        i32x4.add(v128.pick(sums[0].get, sums[2].get, [0, 2, 4, 6]), v128.pick(sums[0].get, sums[2].get, [1, 3, 5, 7])),
      ),
      sums[0].set(i32x4.shiftRightSigned(sums[0].get, ACROSS_BITS - BETWEEN_BITS)),
      v128.store8(to.get, i32x4.to16(sums[0].get, sums[0].get)),
      advance(to, 2 * MADE_ACROSS),
    );
  },
};

/** Of two sums in four lanes each, those in two lanes each. */
function halved(a: Local, b: Local): Code {
  return i32x4.add(v128.pick(a.get, b.get, [0, 1, 4, 5]), v128.pick(a.get, b.get, [2, 3, 6, 7]));
}

const DOWN: WasmFunction = {
  name: 'down',
  params: ['i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128'],
  body: (variables) => {
    const [to, end, table, tableEnd, at, column, ...vectors] = variables as unknown as [...Six, ...Local[]];
    const [first, second, weights, low, high] = vectors as unknown as [...Four, Local];
    const row = (index: 0 | 1): Code => v128.load(i32.add(i32.load(at.get, 4 * index), column.get));
    const added = (sum: Local, half: 0 | 1): Code =>
      sum.set(i32x4.add(sum.get, i32x4.dotOf16(v128.merge16(first.get, second.get, half), weights.get)));
    const shift = DOWN_BITS + BETWEEN_BITS;
    return loopWhile(
      i32.isLess(to.get, end.get),
      low.set(every(1 << (shift - 1))),
      high.set(every(1 << (shift - 1))),
      at.set(table.get),
      loopWhile(
        i32.isLess(at.get, tableEnd.get),
        first.set(row(0)),
        second.set(row(1)),
        weights.set(i32x4.splat(i32.load(at.get, 8))),
        added(low, 0),
        added(high, 1),
        advance(at, PAIR_BYTES),
      ),
      low.set(i32x4.to16(i32x4.shiftRightSigned(low.get, shift), i32x4.shiftRightSigned(high.get, shift))),
      v128.store8(to.get, i16x8.toBytes(low.get, low.get)),
      advance(to, MADE_DOWN),
      advance(column, 2 * MADE_DOWN),
    );
  },
};

/** Of two rows in the table of `down`. */
export const PAIR_BYTES = 12;

/** The numbers of bytes that are picked: a byte in a lane of 32 bits, in its lower or its upper half; and none. */
const NONE = 255;
const pickLower = (of: (lane: number) => number, first: number) =>
  v128.constant([0, 1, 2, 3].map((lane) => of(first + lane) | (NONE << 8) | (NONE << 16) | (NONE << 24)));
const pickUpper = (of: (lane: number) => number, first: number) =>
  v128.constant([0, 1, 2, 3].map((lane) => NONE | (NONE << 8) | (of(first + lane) << 16) | (NONE << 24)));

const COLOR: WasmFunction = {
  name: 'color',
  params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  locals: Array.from({ length: 6 + COLOR_FACTORS }, () => 'v128' as const),
  body: (variables) => {
    const [y, u, v, to, end, table, luma, reds, blues, withV, withU, sum, ...factors] = variables as unknown as [
      ...[...Six, ...Six],
      ...Local[],
    ];
    const [redOf, greenOfU, greenOfV, blueOf, redPlus, greenPlus, bluePlus] = factors as unknown as [...Six, Local];
    const four = (first: 0 | 4): Code =>
      sequence(
        sum.set(
          v128.pickBytes(
            luma.get,
            pickLower((lane) => lane, first),
          ),
        ),
        withV.set(
          v128.pickBytes(
            reds.get,
            pickUpper((lane) => lane >> 1, first),
          ),
        ),
        withU.set(
          v128.or(
            sum.get,
            v128.pickBytes(
              blues.get,
              pickUpper((lane) => lane >> 1, first),
            ),
          ),
        ),
        // Blue, then green, then red, each a byte above the one before.
        sum.set(v128.or(sum.get, withV.get)),
        v128.store(
          i32.add(to.get, i32.constant(4 * first)),
          v128.or(
            v128.or(
              level(i32x4.add(i32x4.dotOf16(sum.get, redOf.get), redPlus.get)),
              i32x4.shiftLeft(
                level(
                  i32x4.add(
                    i32x4.add(i32x4.dotOf16(withU.get, greenOfU.get), i32x4.dotOf16(withV.get, greenOfV.get)),
                    greenPlus.get,
                  ),
                ),
                8,
              ),
            ),
            v128.or(
              i32x4.shiftLeft(level(i32x4.add(i32x4.dotOf16(withU.get, blueOf.get), bluePlus.get)), 16),
              every(0xff000000),
            ),
          ),
        ),
      );
    return sequence(
      ...factors.map((factor, index) => factor.set(v128.load(table.get, 16 * index))),
      loopWhile(
        i32.isLess(to.get, end.get),
        luma.set(v128.load8(y.get)),
        blues.set(v128.load4(u.get)),
        reds.set(v128.load4(v.get)),
        four(0),
        four(4),
        advance(y, COLORED_PX),
        advance(u, COLORED_PX / 2),
        advance(v, COLORED_PX / 2),
        advance(to, 4 * COLORED_PX),
      ),
    );
  },
};

/** A sum as a level from 0 to 255. */
function level(sum: Code): Code {
  return i32x4.max(i32x4.min(i32x4.shiftRightSigned(sum, COLOR_BITS), every(255)), every(0));
}

/** The program as bytes; it imports a memory as `env.memory`. */
export function filmKernel(): Uint8Array<ArrayBuffer> {
  return wasmProgram([ACROSS, DOWN, COLOR]);
}

type Four = readonly [Local, Local, Local, Local];
type Six = readonly [Local, Local, Local, Local, Local, Local];
