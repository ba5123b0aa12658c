import { SAMPLE_RATE } from '../../time.ts';
import { type Stereo, silentStereo } from './stereo.ts';
import { TRUE_PEAK_GAIN, TRUE_PEAK_REACH, truePeakAt } from './true-peak.ts';

/** −1 dBTP. (R15) */
export const CEILING = 10 ** (-1 / 20);

/** How long before a peak the gain begins to fall, in samples: 5 ms. */
const ATTACK = Math.round(0.005 * SAMPLE_RATE);
/** What is left of a reduction after each sample of release: a time constant of 100 ms. */
const RELEASE = Math.exp(-1 / (0.1 * SAMPLE_RATE));

const HISTORY = TRUE_PEAK_REACH;
/** Samples that must have come in before a given one can go out. */
const LOOKAHEAD = ATTACK - 1 + TRUE_PEAK_REACH;
/** Peaks are looked for by groups, since most groups are quiet enough to be passed over. */
const GROUP = 32;

/**
 * Keeps true peaks at or below −1 dB and leaves everything else alone, bit for bit.
 *
 * Each sample needs a gain that brings its peak to the ceiling. The smallest need of the next 5 ms, released slowly and
 * averaged over the last 5 ms, never exceeds any sample's own need and has no corners. Both channels get the same gain, so
 * that the picture of the room stays put.
 *
 * Latency is the caller's only through the sizes: what goes in comes out sample for sample, the last of it by `flush`.
 */
export class TruePeakLimiter {
  /** From `HISTORY` samples before the next one due, which is index `HISTORY`, to the latest that came in. */
  #input = silentStereo(4096);
  #needs = new Float32Array(4096).fill(1);
  #length = HISTORY;
  #needsKnown = HISTORY;
  /** Samples of `needs` from the next one due that lie before the last need below 1, itself included. */
  #restless = 0;
  #released = 1;
  readonly #recent = new Float64Array(ATTACK).fill(1);
  #recentAt = 0;
  #recentSum = ATTACK;
  #recentReduced = 0;
  #peak = 0;

  /** The highest level so far, at most the ceiling: true peak where it comes near that, sample peak where it does not. */
  get peak(): number {
    return this.#peak;
  }

  /** Takes `sound` in and gives what is due. */
  process(sound: Stereo): Stereo {
    this.#append(sound);
    return this.#emit(Math.max(0, this.#length - HISTORY - LOOKAHEAD));
  }

  /** Gives the rest. */
  flush(): Stereo {
    const rest = this.#length - HISTORY;
    this.#append(silentStereo(LOOKAHEAD));
    return this.#emit(rest);
  }

  #append(sound: Stereo): void {
    const count = sound.left.length;
    if (this.#length + count > this.#needs.length) this.#grow(this.#length + count);
    this.#input.left.set(sound.left, this.#length);
    this.#input.right.set(sound.right, this.#length);
    this.#length += count;
    const end = this.#length - TRUE_PEAK_REACH;
    for (let from = this.#needsKnown; from < end; from += GROUP) this.#findNeeds(from, Math.min(from + GROUP, end));
    this.#needsKnown = Math.max(this.#needsKnown, end);
  }

  #findNeeds(from: number, to: number): void {
    const { left, right } = this.#input;
    let loudest = 0;
    for (let i = from - TRUE_PEAK_REACH; i < to + TRUE_PEAK_REACH; i++) {
      const here = Math.max(Math.abs(left[i]!), Math.abs(right[i]!));
      if (here > loudest) loudest = here;
    }
    if (loudest > this.#peak) this.#peak = Math.min(loudest, CEILING);
    if (loudest * TRUE_PEAK_GAIN <= CEILING) {
      this.#needs.fill(1, from, to);
      return;
    }
    for (let i = from; i < to; i++) {
      const peak = Math.max(truePeakAt(left, i), truePeakAt(right, i));
      this.#needs[i] = peak > CEILING ? CEILING / peak : 1;
      if (peak > CEILING) this.#restless = i - HISTORY + 1;
      if (peak > this.#peak) this.#peak = Math.min(peak, CEILING);
    }
  }

  #emit(count: number): Stereo {
    const { left, right } = this.#input;
    const out = {
      left: left.slice(HISTORY, HISTORY + count),
      right: right.slice(HISTORY, HISTORY + count),
    };
    const idle = this.#restless <= 0 && this.#recentReduced === 0 && this.#released === 1;
    if (!idle) this.#reduce(out);
    this.#shift(count);
    return out;
  }

  #reduce(out: Stereo): void {
    const count = out.left.length;
    let least = 1;
    let leastAt = -1;
    for (let i = 0; i < count; i++) {
      const first = HISTORY + i;
      const last = first + ATTACK - 1;
      if (leastAt < first) {
        least = 1;
        for (let k = first; k <= last; k++) {
          if (this.#needs[k]! <= least) {
            least = this.#needs[k]!;
            leastAt = k;
          }
        }
      } else if (this.#needs[last]! <= least) {
        least = this.#needs[last]!;
        leastAt = last;
      }
      const gain = this.#smoothed(least);
      if (gain === 1) continue;
      out.left[i]! *= gain;
      out.right[i]! *= gain;
    }
  }

  /** The mean of the released needs of the last `ATTACK` samples. */
  #smoothed(need: number): number {
    const rising = 1 - (1 - this.#released) * RELEASE;
    const released = Math.min(need, rising > 1 - 1e-6 ? 1 : rising);
    const leaving = this.#recent[this.#recentAt]!;
    this.#recent[this.#recentAt] = released;
    this.#recentAt = (this.#recentAt + 1) % ATTACK;
    this.#recentReduced += (released < 1 ? 1 : 0) - (leaving < 1 ? 1 : 0);
    // A running sum gathers rounding; whenever nothing is reduced it is known exactly.
    this.#recentSum = this.#recentReduced === 0 ? ATTACK : this.#recentSum + released - leaving;
    this.#released = released;
    return this.#recentReduced === 0 ? 1 : this.#recentSum / ATTACK;
  }

  #shift(count: number): void {
    for (const samples of [this.#input.left, this.#input.right, this.#needs])
      samples.copyWithin(0, count, this.#length);
    this.#length -= count;
    this.#needsKnown -= count;
    this.#restless -= count;
  }

  #grow(length: number): void {
    const size = length * 2;
    const { left, right } = this.#input;
    this.#input = silentStereo(size);
    this.#input.left.set(left);
    this.#input.right.set(right);
    const needs = new Float32Array(size).fill(1);
    needs.set(this.#needs);
    this.#needs = needs;
  }
}
