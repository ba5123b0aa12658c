import { SAMPLE_RATE } from '../../time.ts';

/** A state-variable filter, one step a sample. */
export class BandPass {
  #low = 0;
  #band = 0;

  next(sample: number, center: number, damping: number): number {
    const tune = 2 * Math.sin((Math.PI * center) / SAMPLE_RATE);
    this.#low += tune * this.#band;
    this.#band += tune * (sample - this.#low - damping * this.#band);
    return this.#band;
  }
}

/** The growth of a tone's phase in one sample. */
export function turns(hertz: number): number {
  return (2 * Math.PI * hertz) / SAMPLE_RATE;
}

/** A tone with some edge. */
export function buzz(phase: number): number {
  return 0.5 * Math.sin(phase) + 0.25 * Math.sin(2 * phase) + 0.12 * Math.sin(3 * phase);
}

/** Fades the end, so that it has no click. */
export function tail(t: number, seconds: number): number {
  const left = seconds - t;
  return left >= TAIL_SECONDS ? 1 : Math.max(0, left / TAIL_SECONDS);
}

const TAIL_SECONDS = 0.04;

/** The same noise from −1 to 1 on every machine (xorshift32). */
export function noiseFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 0x80000000;
  };
}
