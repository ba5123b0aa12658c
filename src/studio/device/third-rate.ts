/** Taps of the low pass. */
const TAPS = 96;
const STEP = 3;
/** Of the new rate, below half of it. */
const CUTOFF = 0.46;

/** Turns sound at 48 kHz into sound at 16 kHz, piece by piece: sample `n` is around sample `3n` of the source. */
export class ThirdRate {
  readonly #filter = lowPass();
  /** What the next samples need; as many zeros are before the source. */
  #held = new Float32Array(TAPS / 2);
  /** Where the next sample is, in what is held. */
  #next = TAPS / 2;

  push(sound: Float32Array): Float32Array {
    const source = new Float32Array(this.#held.length + sound.length);
    source.set(this.#held);
    source.set(sound, this.#held.length);
    const reach = TAPS / 2;
    const count = Math.max(0, Math.ceil((source.length - reach - this.#next) / STEP));
    const made = new Float32Array(count);
    for (let n = 0; n < count; n += 1) {
      const from = this.#next + n * STEP - reach;
      let sum = 0;
      for (let tap = 0; tap < TAPS; tap += 1) sum += this.#filter[tap]! * source[from + tap]!;
      made[n] = sum;
    }
    const kept = this.#next + count * STEP - reach;
    this.#held = source.slice(kept);
    this.#next = reach;
    return made;
  }
}

/** A windowed sinc whose centre is tap `TAPS / 2`. */
function lowPass(): Float32Array {
  const taps = Float32Array.from({ length: TAPS }, (_, tap) => {
    const at = tap - TAPS / 2;
    const window = 0.42 + 0.5 * Math.cos((2 * Math.PI * at) / TAPS) + 0.08 * Math.cos((4 * Math.PI * at) / TAPS);
    const x = (2 * Math.PI * CUTOFF * at) / STEP;
    return window * (at === 0 ? 1 : Math.sin(x) / x);
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}
