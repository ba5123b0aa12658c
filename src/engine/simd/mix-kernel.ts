import { advance } from './painted-pixels.ts';
import { i16x8, i32, type Local, loopWhile, sequence, v128, type WasmFunction, wasmProgram } from './wasm-program.ts';

/** Samples that are mixed at once. */
export const MIXED_SAMPLES = 8;

/** The functions of the program, on addresses in its memory. */
export interface MixKernel {
  /**
   * Samples of one row become those of another, up to `end`: `(from × (256 − weight) + to × weight + 128) >> 8`. Weights are 16 bits
   * each, from 0 to 256.
   */
  mixRow(from: number, to: number, end: number, weights: number): void;
}

const MIX_ROW: WasmFunction = {
  name: 'mixRow',
  params: ['i32', 'i32', 'i32', 'i32'],
  locals: ['v128', 'v128', 'v128'],
  body: (variables) => {
    const [from, to, end, weights, weight, all, half] = variables as readonly Local[] as Seven;
    const kept = i16x8.mul(i16x8.load8(from.get), i16x8.sub(all.get, weight.get));
    const added = i16x8.mul(i16x8.load8(to.get), weight.get);
    const mixed = i16x8.shiftRight(i16x8.add(i16x8.add(kept, added), half.get), 8);
    return sequence(
      all.set(i16x8.splat(i32.constant(256))),
      half.set(i16x8.splat(i32.constant(128))),
      loopWhile(
        i32.isLess(from.get, end.get),
        weight.set(v128.load(weights.get)),
        v128.store8(from.get, i16x8.toBytes(mixed, half.get)),
        advance(from, MIXED_SAMPLES),
        advance(to, MIXED_SAMPLES),
        advance(weights, 2 * MIXED_SAMPLES),
      ),
    );
  },
};

type Seven = readonly [Local, Local, Local, Local, Local, Local, Local];

/** The program as bytes; it imports a memory as `env.memory`. */
export function mixKernel(): Uint8Array<ArrayBuffer> {
  return wasmProgram([MIX_ROW]);
}
