/** Less than this each second, over a whole idle period, is as good as nothing. */
const LEAST_BYTES_A_SECOND = 64;

/** Aborts when (nearly) nothing moves for a while, or all of it takes too long. */
export class Slowness implements Disposable {
  readonly #controller = new AbortController();
  readonly #idleMs: number;
  readonly #silence: string;
  readonly #deadline: NodeJS.Timeout;
  readonly #endsAtMs: number;
  #idle: NodeJS.Timeout;
  #bytesInPeriod = 0;
  reason = '';

  /** @param silence how the reason begins where nothing moves: `nothing came` */
  constructor(idleMs: number, totalMs: number, silence: string) {
    this.#idleMs = idleMs;
    this.#silence = silence;
    this.#deadline = setTimeout(() => this.#end(`it took longer than ${totalMs / 1000} s`), totalMs);
    this.#endsAtMs = performance.now() + totalMs;
    this.#idle = this.#idleTimer();
  }

  /** Until it takes too long in all. */
  get leftMs(): number {
    return this.#endsAtMs - performance.now();
  }

  /** Nothing was asked for: only the whole is timed. */
  expectSilence(): void {
    clearTimeout(this.#idle);
  }

  /** Asked again: silence counts from now on. */
  expectBytes(): void {
    this.#bytesInPeriod = 0;
    this.#idle = this.#idleTimer();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  moved(bytes: number): void {
    this.#bytesInPeriod += bytes;
    if (this.#bytesInPeriod < (LEAST_BYTES_A_SECOND * this.#idleMs) / 1000) return;
    this.#bytesInPeriod = 0;
    this.#idle.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#idle);
  }

  #idleTimer(): NodeJS.Timeout {
    return setTimeout(() => this.#end(`${this.#silence} for ${this.#idleMs / 1000} s`), this.#idleMs);
  }

  #end(reason: string): void {
    this.reason = reason;
    this.#controller.abort();
  }
}
