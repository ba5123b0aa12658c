/** How long a turn lasts. Its one read takes a part of it, and the event loop serves others in the rest. */
const TURN_MS = 50;
/** How long the reads of one pass of the event loop may take together. */
const PASS_MS = 5;

interface Turn {
  begin(): void;
  /** Called before the next turn begins. */
  end?(): void;
}

/**
 * Shares the event loop between connections whose bytes are costly to parse.
 * Work that cannot be interrupted (one parsed read of a socket) then delays other requests by one such read at a time,
 * and uses a bounded share of the processor, however many clients cause it.
 */
class ReadTurns {
  readonly #waiting: Turn[] = [];
  readonly #reads: (() => void)[] = [];
  #current: Turn | null = null;

  /** Begins the turn when it is the caller's, in the order of arrival. Turns do not overlap. */
  next(turn: Turn): void {
    this.#waiting.push(turn);
    if (this.#current === null) this.#onTurn();
  }

  /** Calls `go` in a pass of the event loop that still has time. */
  soon(go: () => void): void {
    this.#reads.push(go);
    if (this.#reads.length === 1) setImmediate(this.#onPass);
  }

  readonly #onTurn = (): void => {
    // An end may ask for another turn: it waits behind the others.
    this.#current?.end?.();
    this.#current = this.#waiting.shift() ?? null;
    if (this.#current === null) return;
    setTimeout(this.#onTurn, TURN_MS);
    this.#current.begin();
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
