/** The pause between two turns, in which the event loop serves others. */
const PAUSE_MS = 50;

/**
 * Lets callers continue one after the other, in the order of arrival, with a pause between any two.
 * Work that cannot be interrupted (one parsed read of a socket) then delays other requests by one such read at a time,
 * and uses a bounded share of the processor, however many clients cause it.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  #isPausing = false;

  /** Calls `go` at the caller's turn. */
  next(go: () => void): void {
    this.#waiting.push(go);
    if (!this.#isPausing) this.#onTurn();
  }

  readonly #onTurn = (): void => {
    const go = this.#waiting.shift();
    this.#isPausing = go !== undefined;
    if (go === undefined) return;
    setTimeout(this.#onTurn, PAUSE_MS);
    go();
  };
}
