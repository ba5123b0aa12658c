import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Micros } from '../../time.ts';

/** What a tick lasts: seconds as a fraction. */
export interface TimeBase {
  readonly num: number;
  readonly den: number;
}

/** Containers that round to ticks finer than this do round; a coarser tick is the clip's own rate, and exact. */
const COARSEST_ROUNDING_MICROS = 2_000;
/** Source times are rounded down to the microsecond. */
const ROUNDING_MICROS = 1;

/** Turns a stream's timestamps into source time, and says which frames are due. */
export class SourceClock {
  readonly #microsATick: number;
  readonly #origin: number;
  readonly #tolerance: number;

  /** @param origin the file's presentation start; source time 0. */
  constructor(timeBase: TimeBase, origin: Micros) {
    this.#microsATick = (timeBase.num * 1_000_000) / timeBase.den;
    this.#origin = origin;
    const rounded = this.#microsATick <= COARSEST_ROUNDING_MICROS;
    this.#tolerance = ROUNDING_MICROS + (rounded ? this.#microsATick / 2 : 0);
  }

  /** Source time in microseconds, fractions kept; null where there is no timestamp. */
  sourceTime(timestamp: bigint): number | null {
    return timestamp === AV_NOPTS_VALUE ? null : Number(timestamp) * this.#microsATick - this.#origin;
  }

  /**
   * Whether a frame of source time `time` counts as shown at `at`. A container that rounds may have moved a timestamp up
   * by half a tick (WebM: to the next millisecond), which must not show the frame before in its place. (R5)
   */
  isDue(time: number, at: Micros): boolean {
    return time - this.#tolerance <= at;
  }
}
