import { advance } from './painted-pixels.ts';
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

/** Source samples for one output sample, in one direction: 4 to enlarge, 8 to halve the size. */
export type Taps = 4 | 6 | 8;

/** Fixed point of weights: those of a sample add up to one. */
export const WEIGHT_BITS = 14;
/** Samples that are made at once across and down. */
export const ACROSS_SAMPLES = 4;
export const DOWN_SAMPLES = 8;
/** Bytes that `acrossN` reads of its table for each four samples. */
export const acrossBytes = (taps: Taps): number => 16 + 16 * taps;

/** The functions of the program, on addresses in its memory; `N` is the number of taps. */
export interface ResampleKernels {
  /**
   * Writes samples up to `end`. Each is the weighted sum of N samples, one of each row. The table has the addresses of
   * the rows, then their weights, two in each number, the first in its lower half.
   */
  down4(to: number, end: number, table: number): void;
  down6(to: number, end: number, table: number): void;
  down8(to: number, end: number, table: number): void;
  /**
   * Writes samples up to `end`. Each is the weighted sum of N neighbours in a row. For every four samples the table has
   * sixteen bytes with the offset from `from` of the sixteen source bytes that they use; then, for every two taps, the
   * numbers of these bytes and their weights.
   */
  across4(from: number, to: number, end: number, table: number): void;
  across6(from: number, to: number, end: number, table: number): void;
  across8(from: number, to: number, end: number, table: number): void;
}

function down(taps: Taps): WasmFunction {
  return {
    name: `down${taps}`,
    params: ['i32', 'i32', 'i32'],
    locals: [
      ...Array.from({ length: taps }, () => 'i32' as const),
      ...Array.from({ length: 3 + taps / 2 }, () => 'v128' as const),
    ],
    body: (variables) => {
      const [to, end, table] = variables as unknown as Three;
      const rows = variables.slice(3, 3 + taps);
      const [two, low, high, ...weights] = variables.slice(3 + taps) as unknown as Three;
      const addTwo = (pair: number): Code =>
        sequence(
          two.set(v128.mergeBytes(v128.load8(rows[2 * pair]!.get), v128.load8(rows[2 * pair + 1]!.get))),
          low.set(i32x4.add(low.get, i32x4.dotOf16(i16x8.lowOf8(two.get), weights[pair]!.get))),
          high.set(i32x4.add(high.get, i32x4.dotOf16(i16x8.highOf8(two.get), weights[pair]!.get))),
        );
      return sequence(
        ...rows.map((row, tap) => row.set(i32.load(table.get, 4 * tap))),
        ...weights.map((weight, pair) => weight.set(i32x4.splat(i32.load(table.get, 4 * (taps + pair))))),
        loopWhile(
          i32.isLess(to.get, end.get),
          low.set(HALF),
          high.set(HALF),
          ...weights.map((_, pair) => addTwo(pair)),
          v128.store8(to.get, bytesOf(whole(low), whole(high))),
          advance(to, DOWN_SAMPLES),
          ...rows.map((row) => advance(row, DOWN_SAMPLES)),
        ),
      );
    },
  };
}

function across(taps: Taps): WasmFunction {
  return {
    name: `across${taps}`,
    params: ['i32', 'i32', 'i32', 'i32'],
    locals: ['v128', 'v128'],
    body: (variables) => {
      const [from, to, end, table, near, sum] = variables as unknown as Six;
      const addTwo = (pair: number): Code => {
        const picked = v128.pickBytes(near.get, v128.load(table.get, 16 + 32 * pair));
        return sum.set(i32x4.add(sum.get, i32x4.dotOf16(picked, v128.load(table.get, 32 + 32 * pair))));
      };
      return loopWhile(
        i32.isLess(to.get, end.get),
        near.set(v128.load(i32.add(from.get, i32.load(table.get)))),
        sum.set(HALF),
        ...Array.from({ length: taps / 2 }, (_, pair) => addTwo(pair)),
        sum.set(whole(sum)),
        v128.store4(to.get, bytesOf(sum.get, sum.get), 0),
        advance(to, ACROSS_SAMPLES),
        advance(table, acrossBytes(taps)),
      );
    },
  };
}

const HALF = v128.constant(Array.from({ length: 4 }, () => 1 << (WEIGHT_BITS - 1)));

type Three = readonly [Local, Local, Local, ...Local[]];
type Six = readonly [Local, Local, Local, Local, Local, Local];

function whole(sums: Local): Code {
  return i32x4.shiftRightSigned(sums.get, WEIGHT_BITS);
}

/** The nearest bytes of eight numbers. */
function bytesOf(low: Code, high: Code): Code {
  return i16x8.toBytes(i32x4.to16(low, high), v128.constant([0, 0, 0, 0]));
}

/** The program as bytes; it imports a memory as `env.memory`. */
export function resampleKernels(): Uint8Array<ArrayBuffer> {
  return wasmProgram(([4, 6, 8] as const).flatMap((taps) => [down(taps), across(taps)]));
}
