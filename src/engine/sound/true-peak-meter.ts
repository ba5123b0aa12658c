import { peakOf } from '../../sound/dsp/level.ts';
import { type Stereo, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { StereoQueue } from '../../sound/dsp/stereo-queue.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { RateConverter, TAPS } from './rate-converter.ts';

const OVERSAMPLING = 4;
/** More than the filter looks back. */
const HISTORY = 4 * TAPS;

/** The peaks of samples in a row, until the meter is given more. */
export interface TruePeaks {
  readonly count: number;
  /** The highest of them; if none can reach the meter's floor, that of the samples themselves. */
  readonly highest: number;
  /** Each of them, where `highest` is above the floor. */
  list(): Float32Array;
}

/**
 * The level of each sample and of the wave up to the next one, the larger of both channels: the output of a converter,
 * and true peak by ITU-R BS.1770, with its fourfold oversampling. Sound so soft that no wave through its samples can
 * reach `floor` is not oversampled.
 */
export class TruePeakMeter implements Disposable {
  readonly #converter = oversampler();
  readonly #wave = new StereoQueue();
  readonly #softUpTo: number;
  #returned = 0;
  #wasSoft = false;

  constructor(floor: number) {
    this.#softUpTo = floor / maxOvershoot();
  }

  /** The peaks that `sound` completes, in order; the filter holds some back until more comes in. */
  push(sound: Stereo): TruePeaks {
    const { length } = sound.left;
    const level = Math.max(peakOf(sound.left), peakOf(sound.right));
    const isSoft = level <= this.#softUpTo;
    const skips = isSoft && this.#wasSoft && length >= HISTORY;
    this.#wasSoft = isSoft;
    if (skips) {
      // Enough for the filter to continue as if it had seen everything.
      this.#converter.convert(stereoView(sound, length - HISTORY, length));
      return { count: length, highest: level, list: () => new Float32Array(length) };
    }
    this.#wave.drop(this.#returned * OVERSAMPLING);
    this.#wave.push(this.#converter.convert(sound));
    const count = Math.floor(this.#wave.length / OVERSAMPLING);
    this.#returned = count;
    const wave = this.#wave.peek(count * OVERSAMPLING);
    const highest = Math.max(peakOf(wave.left), peakOf(wave.right));
    return { count, highest, list: () => peaksOf(wave, count) };
  }

  [Symbol.dispose](): void {
    this.#converter[Symbol.dispose]();
  }
}

function oversampler(): RateConverter {
  return new RateConverter(SAMPLE_RATE, OVERSAMPLING * SAMPLE_RATE);
}

/** How far the filter's wave can rise above the samples it goes through: the worst case is where all its taps agree. */
function maxOvershoot(): number {
  using converter = oversampler();
  const impulse = silentStereo(4 * HISTORY);
  impulse.left[HISTORY] = 1;
  const phases = new Array<number>(OVERSAMPLING).fill(0);
  converter.convert(impulse).left.forEach((tap, i) => {
    phases[i % OVERSAMPLING]! += Math.abs(tap);
  });
  return Math.max(...phases);
}

function peaksOf({ left, right }: Stereo, count: number): Float32Array {
  const peaks = new Float32Array(count);
  for (let n = 0, at = 0; n < count; n++, at += OVERSAMPLING) {
    peaks[n] = Math.max(
      Math.max(Math.abs(left[at]!), Math.abs(left[at + 1]!), Math.abs(left[at + 2]!), Math.abs(left[at + 3]!)),
      Math.max(Math.abs(right[at]!), Math.abs(right[at + 1]!), Math.abs(right[at + 2]!), Math.abs(right[at + 3]!)),
    );
  }
  return peaks;
}
