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
    for (let i = 0; i < left.length; i++) {
      this.#peak = Math.max(this.#peak, Math.abs(left[i]!), Math.abs(right[i]!));
      if (++this.#values < OVERSAMPLING) continue;
      peaks[done++] = this.#peak;
      this.#peak = 0;
      this.#values = 0;
    }
    return peaks;
  }

  [Symbol.dispose](): void {
    this.#converter[Symbol.dispose]();
  }
}
