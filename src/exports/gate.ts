interface Waiting {
  readonly tenant: string;
  readonly admit: () => void;
}

/**
 * Limits concurrency; the others wait. The next place goes to the tenant that holds the fewest places, then to the one
 * whose last turn is the oldest, then to the first that came. No tenant can fill the queue for the others.
 */
export class Gate {
  #free: number;
  #waiting: Waiting[] = [];
  /** How many places each tenant holds. */
  readonly #held = new Map<string, number>();
  /** The number of the last turn of each tenant; removed when the tenant has no places and no waiters. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs `work` when there is a place. Rejects with the reason if `signal` aborts before that. */
  async run<T>(tenant: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(tenant, signal);
    try {
      return await work();
    } finally {
      this.#leave(tenant);
    }
  }

  async #enter(tenant: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      this.#count(tenant, 1);
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { tenant, admit: resolve };
    const giveUp = () => {
      if (!this.#waiting.includes(waiting)) return; // already admitted
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** Passes the place directly to the next waiter, so that a new caller cannot take it. */
  #leave(tenant: string): void {
    this.#count(tenant, -1);
    const next = this.#next();
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#count(next.tenant, 1);
    next.admit();
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) if (next === undefined || this.#isBefore(waiting, next)) next = waiting;
    return next;
  }

  #isBefore({ tenant: a }: Waiting, { tenant: b }: Waiting): boolean {
    const heldMore = this.#heldNow(a) - this.#heldNow(b);
    return heldMore < 0 || (heldMore === 0 && (this.#lastTurns.get(a) ?? 0) < (this.#lastTurns.get(b) ?? 0));
  }

  #heldNow(tenant: string): number {
    return this.#held.get(tenant) ?? 0;
  }

  #count(tenant: string, change: number): void {
    const heldNow = this.#heldNow(tenant) + change;
    if (change > 0) this.#lastTurns.set(tenant, ++this.#turns);
    if (heldNow > 0) this.#held.set(tenant, heldNow);
    else this.#held.delete(tenant);
    if (heldNow === 0 && !this.#waiting.some((waiting) => waiting.tenant === tenant)) this.#lastTurns.delete(tenant);
  }
}
