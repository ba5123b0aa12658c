/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Sleeper {
  readonly wake: () => void;
  readonly refuse: (cause: Error) => void;
}

/** Lets many callers wait for the next event in this process. It counts, so that no event before the wait is missed. */
export class WakeUp {
  readonly #sleepers = new Set<Sleeper>();
  #count = 0;
  #closed = false;

  /** The number of events so far. */
  get count(): number {
    return this.#count;
  }

  ring(): void {
    this.#count += 1;
    for (const { wake } of this.#sleepers) wake();
  }

  /**
   * True once there were more than `count` events; false after `timeoutMs` (infinite: no timer), or a month at most.
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

  /** Ends it. A caller that still waits is a bug. */
  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#sleepers) refuse(closed());
  }
}

function closed(): Error {
  return new Error('waiting for a queue that is closed');
}
