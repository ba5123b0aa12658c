interface Waiting {
  readonly party: string;
  readonly callIn: () => void;
}

/**
 * Lets so many through at a time; the others wait their turn. Next is whose party holds the fewest places, and of those
 * who came first: nobody can fill the queue for everyone else.
 */
export class Gate {
  #free: number;
  #waiting: Waiting[] = [];
  readonly #inside = new Map<string, number>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs `work` when there is a place for it. Gives up its turn, with the reason, when `signal` aborts before. */
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

  /** The place goes straight to the next, so that nobody slips in between. */
  #leave(party: string): void {
    this.#count(party, -1);
    const fewest = Math.min(...this.#waiting.map((waiting) => this.#held(waiting.party)));
    const next = this.#waiting.find((waiting) => this.#held(waiting.party) === fewest);
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#count(next.party, 1);
    next.callIn();
  }

  #held(party: string): number {
    return this.#inside.get(party) ?? 0;
  }

  #count(party: string, change: number): void {
    const held = this.#held(party) + change;
    if (held === 0) this.#inside.delete(party);
    else this.#inside.set(party, held);
  }
}
