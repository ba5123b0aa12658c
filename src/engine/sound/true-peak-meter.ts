import { SAMPLE_RATE } from '../../time.ts';
import { RateConverter } from './rate-converter.ts';
import type { Stereo } from './stereo.ts';

const OVERSAMPLING = 4;

/**
 * The level of each sample and of the wave up to the next one, the larger of both channels: what a converter will make of
 * the sound, and what ITU-R BS.1770 calls true peak, by its fourfold oversampling.
 */
export class TruePeakMeter implements Disposable {
  readonly #converter = new RateConverter(SAMPLE_RATE, OVERSAMPLING * SAMPLE_RATE);
  /** The wave's peak behind the sample under way, and how many of its values are in. */
  #peak = 0;
  #values = 0;

  /** The peaks that `sound` completes, in order; the filter holds some back until more comes in. */
  push(sound: Stereo): Float32Array {
    const { left, right } = this.#converter.convert(sound);
    const peaks = new Float32Array(Math.floor((this.#values + left.length) / OVERSAMPLING));
    let done = 0;
    let at = 0;
    const take = () => {
      this.#peak = Math.max(this.#peak, Math.abs(left[at]!), Math.abs(right[at]!));
      at++;
      if (++this.#values < OVERSAMPLING) return;
      peaks[done++] = this.#peak;
      this.#peak = 0;
      this.#values = 0;
    };
    while (this.#values > 0 && at < left.length) take();
    // Most of the work, and so without a loop inside.
    for (; at + OVERSAMPLING <= left.length; at += OVERSAMPLING) {
      peaks[done++] = Math.max(
        Math.max(Math.abs(left[at]!), Math.abs(left[at + 1]!), Math.abs(left[at + 2]!), Math.abs(left[at + 3]!)),
        Math.max(Math.abs(right[at]!), Math.abs(right[at + 1]!), Math.abs(right[at + 2]!), Math.abs(right[at + 3]!)),
      );
    }
    while (at < left.length) take();
    return peaks;
  }

  [Symbol.dispose](): void {
    this.#converter[Symbol.dispose]();
  }
}
