import { EDGE_SAMPLES } from '../plan/envelope/sound-envelope.ts';
import type { Stereo } from './dsp/stereo.ts';

/**
 * Joins the passes of a loop without a click, a dip or a shift in time: where the next pass does not begin at the level at
 * which the last one left off, the difference is added to it and dies away over 5 ms. A loop that fits stays untouched.
 */
export class LoopSeam {
  readonly #left = new SeamSide();
  readonly #right = new SeamSide();

  /** Call it with everything that is played, in order; `pass` counts from 0 and `at` from the beginning of the pass. */
  smooth(sound: Stereo, pass: number, at: number): void {
    this.#left.smooth(sound.left, pass, at);
    this.#right.smooth(sound.right, pass, at);
  }
}

class SeamSide {
  #last = 0;
  #lastButOne = 0;
  #step = 0;

  smooth(samples: Float32Array, pass: number, at: number): void {
    if (samples.length === 0) return;
    if (at === 0) this.#step = pass === 0 ? 0 : this.#stepTo(samples[0]!);
    const end = Math.min(samples.length, EDGE_SAMPLES - at);
    if (this.#step !== 0) for (let i = 0; i < end; i++) samples[i]! -= this.#step * (1 - (at + i) / EDGE_SAMPLES);
    this.#lastButOne = samples.length > 1 ? samples[samples.length - 2]! : this.#last;
    this.#last = samples[samples.length - 1]!;
  }

  /** How far `next` is from the continuation of the wave, or from its last value, whichever is nearer. */
  #stepTo(next: number): number {
    const fromHeld = next - this.#last;
    const fromHeading = fromHeld - (this.#last - this.#lastButOne);
    return Math.abs(fromHeading) < Math.abs(fromHeld) ? fromHeading : fromHeld;
  }
}
