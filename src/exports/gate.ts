interface Waiting {
  readonly party: string;
  readonly callIn: () => void;
}

/**
 * Limits concurrency; the others wait. The next place goes to the party that holds the fewest places, then to the one
 * whose last turn is the oldest, then to the first that came. No party can fill the queue for the others.
 */
export class Gate {
  #free: number;
  #waiting: Waiting[] = [];
  readonly #inside = new Map<string, number>();
  /** The number of the last turn of each party; removed when the party has no places and no waiters. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs `work` when there is a place. Rejects with the reason if `signal` aborts before that. */
  async run<T>(party: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(party, signal);
    try {
      return await work();
    } finally {
      this.#leave(party);
    }
  }

  async #enter(party: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      this.#count(party, 1);
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { party, callIn: resolve };
    const giveUp = () => {
      if (!this.#waiting.includes(waiting)) return; // already called in
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** Passes the place directly to the next waiter, so that a new caller cannot take it. */
  #leave(party: string): void {
    this.#count(party, -1);
    const next = this.#next();
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#count(next.party, 1);
    next.callIn();
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) if (next === undefined || this.#isBefore(waiting, next)) next = waiting;
    return next;
  }

  #isBefore({ party: a }: Waiting, { party: b }: Waiting): boolean {
    const heldMore = this.#held(a) - this.#held(b);
    return heldMore < 0 || (heldMore === 0 && (this.#lastTurns.get(a) ?? 0) < (this.#lastTurns.get(b) ?? 0));
  }

  #held(party: string): number {
    return this.#inside.get(party) ?? 0;
  }

  #count(party: string, change: number): void {
    const held = this.#held(party) + change;
    if (change > 0) this.#lastTurns.set(party, ++this.#turns);
    if (held > 0) this.#inside.set(party, held);
    else this.#inside.delete(party);
    if (held === 0 && !this.#waiting.some((waiting) => waiting.party === party)) this.#lastTurns.delete(party);
  }
}
