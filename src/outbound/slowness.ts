/** A sender of less than this each second, over a whole idle period, is as good as silent. */
const LEAST_BYTES_A_SECOND = 64;

/** Aborts when a sender is (nearly) silent for a while, or takes too long in all. */
export class Slowness implements Disposable {
  readonly #controller = new AbortController();
  readonly #idleMs: number;
  readonly #deadline: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout;
  #bytesInPeriod = 0;
  reason = '';

  constructor(idleMs: number, totalMs: number) {
    this.#idleMs = idleMs;
    this.#deadline = setTimeout(() => this.#end(`it took longer than ${totalMs / 1000} s`), totalMs);
    this.#idle = setTimeout(() => this.#end(`nothing came for ${idleMs / 1000} s`), idleMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  arrived(bytes: number): void {
    this.#bytesInPeriod += bytes;
    if (this.#bytesInPeriod < (LEAST_BYTES_A_SECOND * this.#idleMs) / 1000) return;
    this.#bytesInPeriod = 0;
    this.#idle.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#idle);
  }

  #end(reason: string): void {
    this.reason = reason;
    this.#controller.abort();
  }
}
