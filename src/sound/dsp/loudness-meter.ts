import { SAMPLE_RATE } from '../../time.ts';
import type { Stereo } from './stereo.ts';

/** Biquads of ITU-R BS.1770-5 at 48 kHz: the head's shelf, then the high pass. */
const SHELF = {
  b0: 1.53512485958697,
  b1: -2.69169618940638,
  b2: 1.19839281085285,
  a1: -1.69065929318241,
  a2: 0.73248077421585,
};
const HIGH_PASS = { b0: 1, b1: -2, b2: 1, a1: -1.99004745483398, a2: 0.99007225036621 };

/** Blocks of 400 ms overlap by three quarters: each is four of these. */
const HOP = SAMPLE_RATE / 10;
const HOPS_PER_BLOCK = 4;
/** The short-term window: three seconds (EBU Tech 3341). */
const HOPS_SHORT_TERM = 30;

const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;

/** Loudness of the pushed samples, in LUFS (ITU-R BS.1770, EBU R 128). */
export class LoudnessMeter {
  readonly #left = new KWeighting();
  readonly #right = new KWeighting();
  readonly #hops: number[] = [];
  #energy = 0;
  #filled = 0;

  push({ left, right }: Stereo): void {
    for (let from = 0; from < left.length; ) {
      const to = Math.min(left.length, from + HOP - this.#filled);
      this.#energy += this.#left.energy(left, from, to) + this.#right.energy(right, from, to);
      this.#filled += to - from;
      from = to;
      if (this.#filled < HOP) continue;
      this.#hops.push(this.#energy / HOP);
      this.#energy = 0;
      this.#filled = 0;
    }
  }

  /** The loudness of the last three seconds, or of as much as came in; null if that is silence. */
  shortTerm(): number | null {
    const loudness = lufs(mean(this.#hops.slice(-HOPS_SHORT_TERM)));
    return loudness > ABSOLUTE_GATE ? loudness : null;
  }

  /** The loudness so far; null if nothing is above the gate, or less than 400 ms came in. */
  integrated(): number | null {
    const blocks: number[] = [];
    for (let i = HOPS_PER_BLOCK; i <= this.#hops.length; i++)
      blocks.push(mean(this.#hops.slice(i - HOPS_PER_BLOCK, i)));
    const audible = blocks.filter((power) => lufs(power) > ABSOLUTE_GATE);
    if (audible.length === 0) return null;
    const gate = lufs(mean(audible)) + RELATIVE_GATE;
    return lufs(mean(audible.filter((power) => lufs(power) > gate)));
  }
}

class KWeighting {
  #s1 = 0;
  #s2 = 0;
  #h1 = 0;
  #h2 = 0;

  /** The sum of squares of the weighted samples; both filters in transposed form, to need two memories each. */
  energy(samples: Float32Array, from: number, to: number): number {
    let sum = 0;
    for (let i = from; i < to; i++) {
      const x = samples[i]!;
      const shelved = SHELF.b0 * x + this.#s1;
      this.#s1 = SHELF.b1 * x - SHELF.a1 * shelved + this.#s2;
      this.#s2 = SHELF.b2 * x - SHELF.a2 * shelved;
      const y = HIGH_PASS.b0 * shelved + this.#h1;
      this.#h1 = HIGH_PASS.b1 * shelved - HIGH_PASS.a1 * y + this.#h2;
      this.#h2 = HIGH_PASS.b2 * shelved - HIGH_PASS.a2 * y;
      sum += y * y;
    }
    return sum;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function lufs(power: number): number {
  return -0.691 + 10 * Math.log10(power);
}
