import { StreamClock } from './stream-clock.ts';

/** Stamps further than this from their arrival have another origin. */
const OTHER_ORIGIN_MS = 10_000;

/** When pictures were captured, on the page's clock. It starts again when the stamps of the device do. */
export class PictureClock {
  #clock = new StreamClock();
  #lastStamp: number | null = null;

  /** Adds a picture that arrived at page time `now`. @returns when it was captured. */
  captured(stamp: number, now: number): number {
    const isElsewhere = Math.abs(now - this.#clock.toPage(stamp)) > OTHER_ORIGIN_MS;
    if (this.#lastStamp !== null && (stamp <= this.#lastStamp || isElsewhere)) this.#clock = new StreamClock();
    this.#lastStamp = stamp;
    this.#clock.add(stamp, now);
    return this.#clock.toPage(stamp);
  }
}
