/** After the encoder has dropped a picture, the preview is updated at this interval for this time. */
const SLOW_MS = 500;
const SLOW_FOR_MS = 5000;

/** Decides when the live preview is updated. Recording has priority: the preview slows down while the encoder drops pictures. */
export class PreviewPace {
  #dropped = 0;
  #slowUntil = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param dropped the number of pictures that the encoder has dropped so far. */
  isDue(now: number, dropped: number): boolean {
    if (dropped > this.#dropped) this.#slowUntil = now + SLOW_FOR_MS;
    this.#dropped = dropped;
    if (now < this.#slowUntil && now - this.#last < SLOW_MS) return false;
    this.#last = now;
    return true;
  }
}
