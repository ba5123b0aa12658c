import type { Stereo } from '../../sound/dsp/stereo.ts';
import { SAMPLE_RATE } from '../../time.ts';

/** Samples between two levels: 10 ms. */
const STEP = SAMPLE_RATE / 100;
/** A stretch that a filter can learn from: half a second, in levels. */
const STRETCH = 50;
/** In dB of full scale: quieter sound is not room noise. */
const SILENCE = -80;
/** How far noise is below the loudest, at least: otherwise it may be voice. */
const MIN_RANGE = 15;

/** Noise alone, and how loud it is in dB of full scale. */
export interface FoundNoise {
  readonly level: number;
  readonly sound: Stereo;
}

/** Looks for the quietest half second of a sound that is not silence. */
export class NoiseFinder {
  readonly #energies: number[] = [];
  #sum = 0;
  #count = 0;

  /** Takes the next samples. */
  push({ left, right }: Stereo): void {
    for (let i = 0; i < left.length; i++) {
      this.#sum += (left[i]! * left[i]! + right[i]! * right[i]!) / 2;
      this.#count += 1;
      if (this.#count < STEP) continue;
      this.#energies.push(this.#sum / STEP);
      this.#sum = 0;
      this.#count = 0;
    }
  }

  /** Its range in all samples so far; null if none is quiet enough compared with the rest. */
  find(): { readonly at: number; readonly length: number; readonly level: number } | null {
    const energies = this.#energies;
    const silence = 10 ** (SILENCE / 10);
    let best: { at: number; energy: number } | null = null;
    for (let at = 0; at + STRETCH <= energies.length; at += 5) {
      const stretch = energies.slice(at, at + STRETCH);
      if (stretch.some((energy) => energy < silence)) continue;
      const energy = stretch.reduce((sum, each) => sum + each, 0) / STRETCH;
      if (best === null || energy < best.energy) best = { at, energy };
    }
    if (best === null) return null;
    const loudest = energies.toSorted((a, b) => a - b)[Math.floor(0.99 * (energies.length - 1))]!;
    if (decibels(loudest) - decibels(best.energy) < MIN_RANGE) return null;
    return { at: best.at * STEP, length: STRETCH * STEP, level: decibels(best.energy) };
  }
}

function decibels(energy: number): number {
  return 10 * Math.log10(energy);
}
