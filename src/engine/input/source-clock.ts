import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Micros } from '../../time.ts';

/** The duration of a tick: seconds as a fraction. */
export interface TimeBase {
  readonly num: number;
  readonly den: number;
}

/** Source times are rounded down to the microsecond. */
const ROUNDING_MICROS = 1;

/** Turns a stream's timestamps into source time, and says which frames are due. */
export class SourceClock {
  readonly #microsATick: number;
  readonly #origin: number;

  /** @param origin the file's presentation start; source time 0. */
  constructor(timeBase: TimeBase, origin: Micros) {
    this.#microsATick = (timeBase.num * 1_000_000) / timeBase.den;
    this.#origin = origin;
  }

  /** Source time in microseconds, fractions kept; null if there is no timestamp. */
  sourceTime(timestamp: bigint): number | null {
    return timestamp === AV_NOPTS_VALUE ? null : Number(timestamp) * this.#microsATick - this.#origin;
  }

  /** Whether a frame of source time `time` counts as shown at `at`. (R5) */
  isDue(time: number, at: Micros): boolean {
    return time - ROUNDING_MICROS <= at;
  }
}
