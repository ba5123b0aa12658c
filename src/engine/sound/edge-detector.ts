import { SAMPLE_RATE } from '../../time.ts';
import type { Stereo } from './stereo.ts';

/** Levels are compared in steps of half a millisecond. */
const STEP = 24;
/** What an edge has to stand out from: the loudest of the 20 ms beside it. */
const BESIDE = 40;
const CONTRAST = 2.5;
const FLOOR = 0.002;
const REFRACTORY = Math.round(0.02 * SAMPLE_RATE);

/** How much further the detector must have heard to know all edges up to a place. */
export const EDGE_LOOKAHEAD = (BESIDE + 2) * STEP;

/**
 * Finds the places, counted from 0, where something begins out of the quiet or breaks off into it, to the sample: a drum,
 * a consonant, a tone. `ends` says whether those of the second sort are wanted.
 */
export class EdgeDetector {
  readonly #ends: boolean;
  /** Absolute levels: of the samples of the last steps, and of the steps. */
  readonly #samples = new Float32Array((BESIDE + 2) * STEP);
  readonly #levels = new Float32Array(BESIDE + 2);
  #filled = 0;
  #steps = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(ends: boolean) {
    this.#ends = ends;
  }

  /** The edges found with the help of `sound`, which follows on what was pushed before. */
  push({ left, right }: Stereo): number[] {
    const found: number[] = [];
    const current = this.#samples.length - STEP;
    let level = 0;
    for (let i = 0; i < left.length; i++) {
      const a = Math.abs(left[i]!);
      const b = Math.abs(right[i]!);
      this.#samples[current + this.#filled++] = Math.max(a, b);
      if (this.#filled < STEP) continue;
      level = 0;
      for (let k = current; k < current + STEP; k++) if (this.#samples[k]! > level) level = this.#samples[k]!;
      this.#levels[BESIDE + 1] = level;
      this.#steps++;
      const edge = this.#end() ?? this.#onset();
      if (edge !== null) found.push(edge);
      this.#samples.copyWithin(0, STEP);
      this.#levels.copyWithin(0, 1);
      this.#filled = 0;
    }
    return found;
  }

  /** Whether the step just heard stands out from those before it. */
  #onset(): number | null {
    const level = this.#levels[BESIDE + 1]!;
    if (level < FLOOR) return null;
    const background = this.#loudest(1, BESIDE);
    if (level < CONTRAST * background) return null;
    const threshold = 1.2 * background + 0.03 * level;
    const from = this.#samples.length - 2 * STEP;
    for (let i = from; i < this.#samples.length; i++) if (this.#samples[i]! > threshold) return this.#edgeAt(i);
    return null;
  }

  /** Whether the oldest step but one stands out from all after it. */
  #end(): number | null {
    const level = this.#levels[1]!;
    if (!this.#ends || level < FLOOR) return null;
    const background = this.#loudest(3, BESIDE + 1);
    if (level < CONTRAST * background) return null;
    const threshold = 1.2 * background + 0.03 * level;
    for (let i = 3 * STEP - 1; i >= STEP; i--) if (this.#samples[i]! > threshold) return this.#edgeAt(i + 1);
    return null;
  }

  #edgeAt(index: number): number | null {
    const at = (this.#steps - BESIDE - 2) * STEP + index;
    if (at < this.#last + REFRACTORY && at > this.#last - REFRACTORY) return null;
    this.#last = at;
    return at;
  }

  #loudest(from: number, to: number): number {
    let level = 0;
    for (let i = from; i <= to; i++) if (this.#levels[i]! > level) level = this.#levels[i]!;
    return level;
  }
}
