import type { Seconds } from '../../time.ts';

/** Samples in a second, as the voice model takes them. */
export const SPEECH_RATE = 16_000;
/** A smaller gap between two pieces is a rounding of their times. */
const MIN_GAP: Seconds = 0.05;

/** Turns decoded sound into what the voice model takes: one channel at 16 kHz, from the start of the file. */
export class VoiceResampler {
  readonly #push: (sound: Float32Array) => void;
  /** Samples pushed so far. */
  #made = 0;
  /** The sum and the weight of the sample that is being made. */
  #sum = 0;
  #weight = 0;

  constructor(push: (sound: Float32Array) => void) {
    this.#push = push;
  }

  /** @param planes the channels. @param at the time of the first sample. */
  push(planes: readonly Float32Array[], rate: number, at: Seconds): void {
    this.#fillTo(at);
    const length = planes[0]?.length ?? 0;
    const out = new Float32Array(Math.ceil((length * SPEECH_RATE) / rate) + 1);
    let filled = 0;
    // Each sample is the mean of the part of the source that it covers.
    const share = SPEECH_RATE / rate;
    for (let index = 0; index < length; index += 1) {
      let value = 0;
      for (const plane of planes) value += plane[index]!;
      value /= planes.length;
      let left = share;
      while (this.#weight + left >= 1 - 1e-9) {
        const part = 1 - this.#weight;
        out[filled++] = this.#sum + value * part;
        left -= part;
        this.#sum = this.#weight = 0;
        if (left < 1e-9) left = 0;
        if (left < 1) break;
      }
      this.#sum += value * left;
      this.#weight += left;
    }
    this.#send(out.subarray(0, filled));
  }

  /** Silence where the file has no sound. */
  #fillTo(at: Seconds): void {
    const missing = Math.round(at * SPEECH_RATE) - this.#made;
    if (missing > MIN_GAP * SPEECH_RATE) this.#send(new Float32Array(missing));
  }

  #send(sound: Float32Array): void {
    this.#made += sound.length;
    if (sound.length > 0) this.#push(sound);
  }
}
