import { SAMPLE_RATE } from '../../time.ts';
import type { Stereo } from './stereo.ts';

/** Levels are compared in steps of half a millisecond. */
const STEP = 24;
/** An edge must be louder than the loudest of the 20 ms beside it. */
const BESIDE = 40;
const CONTRAST = 2.5;
const FLOOR = 0.002;
/** An attack is where the sound reaches this share of its level within 10 ms: codecs smear a little in front. */
const ATTACK_SHARE = 0.3;
const ATTACK_STEPS = 20;
const REFRACTORY = Math.round(0.02 * SAMPLE_RATE);

const STEPS = 2 * BESIDE + 1;

/** How much further the detector must have heard to know all edges up to a place. */
export const EDGE_LOOKAHEAD = (BESIDE + 2) * STEP;

/**
 * Finds the places, counted from 0, where something begins out of the quiet or breaks off into it, to the sample: a drum,
 * a consonant, a tone.
 */
export class EdgeDetector {
  /** Absolute levels of the samples of the last steps, and of those steps; the one in the middle is judged. */
  readonly #samples = new Float32Array(STEPS * STEP);
  readonly #levels = new Float32Array(STEPS);
  #filled = 0;
  #steps = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** The edges found with `sound`, which continues the samples pushed before. */
  push({ left, right }: Stereo): number[] {
    const found: number[] = [];
    const current = this.#samples.length - STEP;
    for (let i = 0; i < left.length; i++) {
      this.#samples[current + this.#filled++] = Math.max(Math.abs(left[i]!), Math.abs(right[i]!));
      if (this.#filled < STEP) continue;
      let level = 0;
      for (let k = current; k < this.#samples.length; k++) level = Math.max(level, this.#samples[k]!);
      this.#levels[STEPS - 1] = level;
      this.#steps++;
      const edge = this.#judge();
      if (edge !== null) found.push(edge);
      this.#samples.copyWithin(0, STEP);
      this.#levels.copyWithin(0, 1);
      this.#filled = 0;
    }
    return found;
  }

  #judge(): number | null {
    const level = this.#levels[BESIDE]!;
    if (level < FLOOR) return null;
    // The neighbour alone decides almost always.
    if (level >= CONTRAST * this.#levels[BESIDE - 1]!) {
      const before = this.#loudest(0, BESIDE);
      if (level >= CONTRAST * before) return this.#onset(before);
    }
    if (level < CONTRAST * this.#levels[BESIDE + 2]!) return null;
    const after = this.#loudest(BESIDE + 2, STEPS);
    return level >= CONTRAST * after ? this.#end(after, level) : null;
  }

  #onset(before: number): number | null {
    const rise = this.#loudest(BESIDE, BESIDE + ATTACK_STEPS);
    const threshold = Math.max(1.2 * before, ATTACK_SHARE * rise);
    const end = (BESIDE + ATTACK_STEPS) * STEP;
    for (let i = (BESIDE - 1) * STEP; i < end; i++) if (this.#samples[i]! > threshold) return this.#edgeAt(i);
    return null;
  }

  #end(after: number, level: number): number | null {
    const threshold = Math.max(1.2 * after, ATTACK_SHARE * level);
    for (let i = (BESIDE + 2) * STEP - 1; i >= BESIDE * STEP; i--) {
      if (this.#samples[i]! > threshold) return this.#edgeAt(i + 1);
    }
    return null;
  }

  #edgeAt(index: number): number | null {
    const at = (this.#steps - STEPS) * STEP + index;
    if (Math.abs(at - this.#last) < REFRACTORY) return null;
    this.#last = at;
    return at;
  }

  #loudest(from: number, to: number): number {
    let level = 0;
    for (let i = from; i < to; i++) level = Math.max(level, this.#levels[i]!);
    return level;
  }
}
