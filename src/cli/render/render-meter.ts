import { type FrameRate, type Frames, secondsOf } from '../../time.ts';

const BAR = 24;
/** Frames differ in what they cost, so how fast it goes is what was seen of late. */
const LOOKED_BACK_MS = 20_000;
/** Before it has been seen at work for so long, and either come so far or longer still, a guess would be a bad one. */
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
  /** Where measuring begins: what came before (starting, opening, the cache) says nothing of the rest. */
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

  /** What it came to, once done. */
  summary(): string {
    const took = (this.#now() - this.#startedAtMs) / 1000;
    const length = secondsOf(this.#total, this.#rate);
    return `${minutesSeconds(length)} of video in ${took.toFixed(1)} s (${(length / took).toFixed(2)}×)`;
  }

  /** Frames a second; null where too little was seen to say. */
  #speed(done: number): number | null {
    const atMs = this.#now();
    this.#begin ??= { atMs, done };
    const seenMs = atMs - this.#begin.atMs;
    const isSeen = seenMs >= SEEN_MS && done - this.#begin.done >= this.#total * SEEN_SHARE;
    if (done > (this.#sights.at(-1)?.done ?? -1)) this.#sights.push({ atMs, done });
    // One that is older stays, so that there is always as much to look back on.
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
