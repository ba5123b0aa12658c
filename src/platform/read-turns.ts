/** The pause between two turns, in which the event loop serves others. */
const PAUSE_MS = 50;
/** How long the reads of one pass of the event loop may take together. */
const PASS_MS = 5;

/**
 * Shares the event loop between connections whose bytes are costly to parse.
 * Work that cannot be interrupted (one parsed read of a socket) then delays other requests by one such read at a time,
 * and uses a bounded share of the processor, however many clients cause it.
 */
class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  readonly #reads: (() => void)[] = [];
  #isPausing = false;

  /** Calls `go` at the caller's turn: in the order of arrival, with a pause between any two. */
  next(go: () => void): void {
    this.#waiting.push(go);
    if (!this.#isPausing) this.#onTurn();
  }

  /** Calls `go` in a pass of the event loop that still has time. */
  soon(go: () => void): void {
    this.#reads.push(go);
    if (this.#reads.length === 1) setImmediate(this.#onPass);
  }

  readonly #onTurn = (): void => {
    const go = this.#waiting.shift();
    this.#isPausing = go !== undefined;
    if (go === undefined) return;
    setTimeout(this.#onTurn, PAUSE_MS);
    go();
  };

  readonly #onPass = (): void => {
    const reads = this.#reads.splice(0);
    const endMs = performance.now() + PASS_MS;
    let done = 0;
    do reads[done++]!();
    while (done < reads.length && performance.now() < endMs);
    this.#reads.unshift(...reads.slice(done));
    if (this.#reads.length > 0) setImmediate(this.#onPass);
  };
}

/** All connections of the process share one event loop, so they share the turns. */
export const READ_TURNS = new ReadTurns();
