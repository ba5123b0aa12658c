import { SAMPLE_RATE } from '../../time.ts';
import type { Stereo } from './stereo.ts';

/** Every sound comes and goes within this many samples at least: 5 ms. (R15) */
export const EDGE_SAMPLES = Math.round(0.005 * SAMPLE_RATE);

/**
 * The level of a clip over its length: its gain, the 5 ms at each edge against clicks, and the fades asked for (C36).
 *
 * Asked-for fades follow a sine, so that two overlapping clips, one fading out while the other fades in, keep their power.
 */
export class ClipEnvelope {
  readonly #length: number;
  readonly #gain: number;
  readonly #edge: number;
  readonly #fadeIn: number;
  readonly #fadeOut: number;

  /** All in samples; `length` is that of what is heard. */
  constructor(length: number, gain: number, fadeIn: number, fadeOut: number) {
    this.#length = length;
    this.#gain = gain;
    this.#edge = Math.min(EDGE_SAMPLES, Math.floor(length / 2));
    this.#fadeIn = Math.min(fadeIn, length);
    this.#fadeOut = Math.min(fadeOut, length);
  }

  /** Applies the level to `sound`, whose first sample is the clip's sample `at`. */
  apply(sound: Stereo, at: number): void {
    const { left, right } = sound;
    const steady = { from: Math.max(this.#edge, this.#fadeIn), to: this.#length - Math.max(this.#edge, this.#fadeOut) };
    for (let i = 0; i < left.length; i++) {
      const place = at + i;
      const level = place >= steady.from && place < steady.to ? this.#gain : this.levelAt(place);
      left[i]! *= level;
      right[i]! *= level;
    }
  }

  /** The level at one sample of the clip, symmetrical: the last sample is as loud as the first. */
  levelAt(place: number): number {
    const after = place + 0.5;
    const before = this.#length - after;
    if (after < 0 || before < 0) return 0;
    let level = this.#gain;
    if (after < this.#edge) level *= after / this.#edge;
    if (before < this.#edge) level *= before / this.#edge;
    if (after < this.#fadeIn) level *= Math.sin((Math.PI / 2) * (after / this.#fadeIn));
    if (before < this.#fadeOut) level *= Math.sin((Math.PI / 2) * (before / this.#fadeOut));
    return level;
  }
}
