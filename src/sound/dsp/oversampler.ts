import { type Stereo, silentStereo, stereoView } from './stereo.ts';

/** By how much a true peak meter raises the rate. (ITU-R BS.1770) */
export const OVERSAMPLING = 4;
/** Input samples that one output sample looks at. */
export const OVERSAMPLING_TAPS = 32;

/** Raises the rate of 48 kHz by `OVERSAMPLING`. The result is valid until the next call. */
export interface Oversampler extends Disposable {
  convert(sound: Stereo): Stereo;
}

const CENTER = (OVERSAMPLING_TAPS - 2) / 2;
const KAISER_BETA = 9;

/** A sinc under a Kaiser window, each phase with sum 1: the filter of libswresample for this ratio. */
const PHASES: readonly Float32Array[] = Array.from({ length: OVERSAMPLING }, (_, phase) => {
  const taps = Float64Array.from({ length: OVERSAMPLING_TAPS }, (_tap, i) => {
    const x = Math.PI * (i - CENTER - phase / OVERSAMPLING);
    const w = (2 * x) / (OVERSAMPLING_TAPS * Math.PI);
    return (x === 0 ? 1 : Math.sin(x) / x) * bessel(KAISER_BETA * Math.sqrt(Math.max(1 - w * w, 0)));
  });
  const sum = taps.reduce((all, tap) => all + tap, 0);
  return Float32Array.from(taps, (tap) => tap / sum);
});

/** For programs without libswresample, which takes a tenth of the time. */
export class PlainOversampler implements Oversampler {
  #kept = silentStereo(CENTER);
  #room = silentStereo(0);

  convert(sound: Stereo): Stereo {
    const all = silentStereo(this.#kept.left.length + sound.left.length);
    const count = Math.max(0, all.left.length - OVERSAMPLING_TAPS + 1);
    const length = count * OVERSAMPLING;
    if (this.#room.left.length < length) this.#room = silentStereo(2 * length);
    for (const side of ['left', 'right'] as const) {
      all[side].set(this.#kept[side]);
      all[side].set(sound[side], this.#kept[side].length);
      raise(all[side], this.#room[side], count);
    }
    this.#kept = { left: all.left.slice(count), right: all.right.slice(count) };
    return stereoView(this.#room, 0, length);
  }

  [Symbol.dispose](): void {
    this.#room = silentStereo(0);
  }
}

function raise(from: Float32Array, to: Float32Array, count: number): void {
  for (const [phase, taps] of PHASES.entries()) {
    for (let n = 0; n < count; n += 1) {
      let sum = 0;
      for (let k = 0; k < OVERSAMPLING_TAPS; k += 1) sum += taps[k]! * from[n + k]!;
      to[n * OVERSAMPLING + phase] = sum;
    }
  }
}

/** The modified Bessel function of the first kind, of order zero. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; k < 50; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
