import { type FrameRate, type Frames, secondsOf } from '../../time.ts';

const BAR = 24;
/** Frames differ in cost, so the speed is that of the last moments. */
const LOOKED_BACK_MS = 20_000;
/** No estimate before this time, nor before this progress or a longer time. */
const SEEN_MS = 3_000;
const SEEN_SHARE = 0.02;
const SEEN_LONG_MS = 15_000;

interface Sight {
  readonly atMs: number;
  readonly done: number;
}

/** Prints the progress of a render, its speed and, once it can be estimated, the time left. */
export class RenderMeter {
  readonly #total: Frames;
  readonly #rate: FrameRate;
  readonly #now: () => number;
  readonly #startedAtMs: number;
  /** The start of the measurement: the time before it (starting, opening, the cache) says nothing about the rest. */
  #begin: Sight | null = null;
  readonly #sights: Sight[] = [];

  constructor(total: Frames, rate: FrameRate, now: () => number) {
    this.#total = total;
    this.#rate = rate;
    this.#now = now;
    this.#startedAtMs = now();
  }

  /** One line for a person. */
  text(done: number): string {
    const perSecond = this.#speed(done);
    const share = this.#total === 0 ? 1 : done / this.#total;
    const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░');
    const counted = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done}/${this.#total} frames`;
    if (perSecond === null) return counted;
    const times = perSecond / (this.#rate.num / this.#rate.den);
    return `${counted}  ${times.toFixed(2)}×  ${minutesSeconds((this.#total - done) / perSecond)} left`;
  }

  /** The final line. */
  summary(): string {
    const took = (this.#now() - this.#startedAtMs) / 1000;
    const length = secondsOf(this.#total, this.#rate);
    return `${minutesSeconds(length)} of video in ${took.toFixed(1)} s (${(length / took).toFixed(2)}×)`;
  }

  /** Frames per second; null if there is too little data. */
  #speed(done: number): number | null {
    const atMs = this.#now();
    this.#begin ??= { atMs, done };
    const seenMs = atMs - this.#begin.atMs;
    const isSeen = seenMs >= SEEN_MS && done - this.#begin.done >= this.#total * SEEN_SHARE;
    if (done > (this.#sights.at(-1)?.done ?? -1)) this.#sights.push({ atMs, done });
    // Keeps one older sample, so that the window is always full.
    while (this.#sights.length > 2 && this.#sights[1]!.atMs <= atMs - LOOKED_BACK_MS) this.#sights.shift();
    const first = this.#sights[0]!;
    const [tookMs, frames] = [atMs - first.atMs, done - first.done];
    if (frames <= 0 || !(isSeen || seenMs >= SEEN_LONG_MS)) return null;
    return (frames * 1000) / tookMs;
  }
}

/** Seconds as `m:ss`. */
export function minutesSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
