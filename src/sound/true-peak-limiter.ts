import { SAMPLE_RATE } from '../time.ts';
import { OVERSAMPLING, OVERSAMPLING_TAPS, type Oversampler } from './dsp/oversampler.ts';
import { peakOf, type Stereo, StereoQueue, silentStereo, stereoView } from './dsp/stereo.ts';

/** −1.5 dBTP: AAC raises peaks by some tenths of a decibel, and those of the file are to stay below −1 dB. (R15) */
export const CEILING = 10 ** (-1.5 / 20);

/** How long before a peak the gain begins to fall, in samples: 5 ms. */
const ATTACK = Math.round(0.005 * SAMPLE_RATE);
/** The part of a reduction that remains after each sample of release: a time constant of 100 ms. */
const RELEASE = Math.exp(-1 / (0.1 * SAMPLE_RATE));
/** Silence in front, in which the gain may fall for a peak at the very beginning. */
const LEAD = ATTACK - 1;
/** Enough silence to flush the meter and the attack. */
const TAIL = ATTACK + 256;

/**
 * Keeps true peaks at or below the ceiling and leaves everything else alone, bit for bit.
 *
 * Each sample needs a gain that brings its peak to the ceiling. The smallest need of the next 5 ms, released slowly and
 * averaged over the last 5 ms, never exceeds any sample's own need and has no corners. Both channels get the same gain,
 * so that the stereo image does not move.
 *
 * The caller sees the latency only in block sizes: the output has the input's samples one by one, the last of them by
 * `flush`.
 */
export class TruePeakLimiter implements Disposable {
  readonly #meter: TruePeakMeter;
  readonly #waiting = new StereoQueue();
  /** Needs of the samples that wait, as far as the meter knows them, and how many of those lie before a need below 1. */
  #needs = new Float32Array(4096).fill(1);
  #known = LEAD;
  #restless = 0;
  #leadLeft = LEAD;
  /** The last `ATTACK` released needs, as a ring; their sum; how many of them are below 1. */
  readonly #recent = new Float64Array(ATTACK).fill(1);
  #recentAt = 0;
  #recentSum = ATTACK;
  #recentReduced = 0;
  #released = 1;
  #peak = 0;

  /** @param oversampler raises 48 kHz fourfold; each call makes another. */
  constructor(oversampler: () => Oversampler) {
    this.#meter = new TruePeakMeter(CEILING, oversampler);
    this.#waiting.pushSilence(LEAD);
  }

  /** The highest true peak of the input, or the ceiling if that is lower. Soft sound counts by its samples alone. */
  get peak(): number {
    return Math.min(this.#peak, CEILING);
  }

  /** Takes `sound` and returns the samples that are due. */
  process(sound: Stereo): Stereo {
    this.#waiting.push(sound);
    this.#learn(this.#meter.push(sound));
    return this.#emit(Math.max(0, this.#known - ATTACK + 1));
  }

  /** Returns the rest. Nothing may be processed afterwards. */
  flush(): Stereo {
    const rest = this.#waiting.length;
    const tail = silentStereo(TAIL);
    this.#waiting.push(tail);
    this.#learn(this.#meter.push(tail));
    return this.#emit(rest);
  }

  [Symbol.dispose](): void {
    this.#meter[Symbol.dispose]();
  }

  #learn(peaks: TruePeaks): void {
    const from = this.#known;
    const to = from + peaks.count;
    if (to > this.#needs.length) {
      const larger = new Float32Array(to * 2);
      larger.set(this.#needs);
      this.#needs = larger;
    }
    this.#known = to;
    // The meter's filter drops frequencies just below half the sample rate; the samples themselves do not.
    const { left, right } = stereoView(this.#waiting.peek(to), from, to);
    const highest = Math.max(peaks.highest, peakOf(left), peakOf(right));
    this.#peak = Math.max(this.#peak, highest);
    this.#needs.fill(1, from, to);
    if (highest <= CEILING) return;
    peaks.list().forEach((wave, i) => {
      const peak = Math.max(wave, Math.abs(left[i]!), Math.abs(right[i]!));
      if (peak <= CEILING) return;
      this.#restless = from + i + 1;
      this.#needs[from + i] = CEILING / peak;
    });
  }

  #emit(count: number): Stereo {
    const due = this.#waiting.peek(count);
    const out = { left: due.left.slice(), right: due.right.slice() };
    const idle = this.#restless <= 0 && this.#recentReduced === 0 && this.#released === 1;
    if (!idle) this.#reduce(out);
    this.#waiting.drop(count);
    this.#needs.copyWithin(0, count, this.#known);
    this.#known -= count;
    this.#restless -= count;
    const lead = Math.min(this.#leadLeft, count);
    this.#leadLeft -= lead;
    return stereoView(out, lead, count);
  }

  #reduce({ left, right }: Stereo): void {
    let min = 1;
    let minAt = -1;
    for (let i = 0; i < left.length; i++) {
      const last = i + ATTACK - 1;
      if (minAt < i) {
        min = Number.POSITIVE_INFINITY;
        for (let k = i; k <= last; k++) {
          if (this.#needs[k]! > min) continue;
          min = this.#needs[k]!;
          minAt = k;
        }
      } else if (this.#needs[last]! <= min) {
        min = this.#needs[last]!;
        minAt = last;
      }
      const gain = this.#smoothed(min);
      if (gain === 1) continue;
      left[i]! *= gain;
      right[i]! *= gain;
    }
  }

  /** The mean of the last `ATTACK` released needs, `need` being the latest. */
  #smoothed(need: number): number {
    const rising = 1 - (1 - this.#released) * RELEASE;
    const released = Math.min(need, rising > 1 - 1e-6 ? 1 : rising);
    const leaving = this.#recent[this.#recentAt]!;
    this.#recent[this.#recentAt] = released;
    this.#recentAt = (this.#recentAt + 1) % ATTACK;
    this.#recentReduced += (released < 1 ? 1 : 0) - (leaving < 1 ? 1 : 0);
    // A running sum collects rounding errors; whenever nothing is reduced its exact value is known.
    this.#recentSum = this.#recentReduced === 0 ? ATTACK : this.#recentSum + released - leaving;
    this.#released = released;
    return this.#recentReduced === 0 ? 1 : this.#recentSum / ATTACK;
  }
}

/** More than the filter looks back. */
const HISTORY = 4 * OVERSAMPLING_TAPS;

/** The peaks of samples in a row, until the meter is given more. */
interface TruePeaks {
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
class TruePeakMeter implements Disposable {
  readonly #converter: Oversampler;
  readonly #wave = new StereoQueue();
  readonly #softUpTo: number;
  #returned = 0;
  #wasSoft = false;

  constructor(floor: number, oversampler: () => Oversampler) {
    this.#converter = oversampler();
    this.#softUpTo = floor / maxOvershoot(oversampler);
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

/** How far the filter's wave can rise above the samples it goes through: the worst case is where all its taps agree. */
function maxOvershoot(oversampler: () => Oversampler): number {
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
