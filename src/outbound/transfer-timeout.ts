/** Less than this each second, over a whole idle period, counts as no progress. */
const MIN_BYTES_PER_SECOND = 64;

/** Aborts when there is (almost) no progress for a while, or when the total takes too long. */
export class TransferTimeout implements Disposable {
  readonly #controller = new AbortController();
  readonly #idleMs: number;
  readonly #silence: string;
  readonly #deadline: NodeJS.Timeout;
  readonly #endsAtMs: number;
  #idle: NodeJS.Timeout;
  #bytesInPeriod = 0;
  reason = '';

  /** @param silence the start of the reason if there is no progress: `nothing came` */
  constructor(idleMs: number, totalMs: number, silence: string) {
    this.#idleMs = idleMs;
    this.#silence = silence;
    this.#deadline = setTimeout(() => this.#end(`it took longer than ${totalMs / 1000} s`), totalMs);
    this.#endsAtMs = performance.now() + totalMs;
    this.#idle = this.#idleTimer();
  }

  /** The time left of the total. */
  get leftMs(): number {
    return this.#endsAtMs - performance.now();
  }

  /** Stops the idle timer; only the total is timed. */
  expectSilence(): void {
    clearTimeout(this.#idle);
  }

  /** Restarts the idle timer. */
  expectBytes(): void {
    this.#bytesInPeriod = 0;
    this.#idle = this.#idleTimer();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  moved(bytes: number): void {
    this.#bytesInPeriod += bytes;
    if (this.#bytesInPeriod < (MIN_BYTES_PER_SECOND * this.#idleMs) / 1000) return;
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
