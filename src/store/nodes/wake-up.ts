/** Longer timers than this fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Sleeper {
  readonly wake: () => void;
  readonly refuse: (cause: Error) => void;
}

/** Lets many wait for the next thing to happen in this process. It counts, so that nothing slips by before the wait. */
export class WakeUp {
  readonly #sleepers = new Set<Sleeper>();
  #count = 0;
  #closed = false;

  /** How often it rang. */
  get count(): number {
    return this.#count;
  }

  ring(): void {
    this.#count += 1;
    for (const { wake } of this.#sleepers) wake();
  }

  /**
   * True once it has rung more than `count` times; false after `timeoutMs` (infinite: no timer), or a month at the most.
   *
   * @throws `signal.reason` when that aborts first.
   */
  async wait(count: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (this.#closed) throw closed();
    if (this.#count !== count) return true;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { wake: resolve, refuse: reject };
    const stop = (): void => reject(signal.reason);
    const timer =
      timeoutMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, Math.min(timeoutMs, LONGEST_TIMER_MS));
    this.#sleepers.add(sleeper);
    signal.addEventListener('abort', stop);
    try {
      await promise;
      return this.#count !== count;
    } finally {
      clearTimeout(timer);
      this.#sleepers.delete(sleeper);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Nobody waits any more; a wait that is still on was left over by mistake. */
  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#sleepers) refuse(closed());
  }
}

function closed(): Error {
  return new Error('waiting for a queue that is closed');
}
