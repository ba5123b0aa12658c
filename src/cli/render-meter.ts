import { type FrameRate, type Frames, secondsOf } from '../time.ts';

const BAR = 24;

/** Says how far a render has come, how fast it goes and how long it will still take. */
export class RenderMeter {
  readonly #total: Frames;
  readonly #rate: FrameRate;
  readonly #now: () => number;
  readonly #startedAtMs: number;

  constructor(total: Frames, rate: FrameRate, now: () => number) {
    this.#total = total;
    this.#rate = rate;
    this.#now = now;
    this.#startedAtMs = now();
  }

  /** One line for a person. */
  text(done: number): string {
    const elapsed = (this.#now() - this.#startedAtMs) / 1000;
    const perSecond = elapsed > 0 ? done / elapsed : 0;
    const share = this.#total === 0 ? 1 : done / this.#total;
    const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░');
    const speed = perSecond / (this.#rate.num / this.#rate.den);
    const left = perSecond > 0 ? ` ${clock((this.#total - done) / perSecond)} left` : '';
    return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done}/${this.#total} frames  ${speed.toFixed(2)}×${left}`;
  }

  /** What it came to, once done. */
  summary(bytes: number): string {
    const took = (this.#now() - this.#startedAtMs) / 1000;
    const length = secondsOf(this.#total, this.#rate);
    return `${clock(length)} of video in ${took.toFixed(1)} s (${(length / took).toFixed(2)}×), ${(bytes / 1e6).toFixed(1)} MB`;
  }
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
