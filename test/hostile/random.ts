/** A repeatable random generator: the same seed gives the same numbers on every machine (Mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number from 0 up to, not including, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** One of a list. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
