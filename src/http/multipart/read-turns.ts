/** Between two turns: the rest of the event loop's time is for others. */
const PAUSE_MS = 50;

/**
 * Lets callers go on one after the other, in the order they came, with a pause between any two.
 *
 * Work that cannot be cut short (one read of a socket, parsed) then delays other requests by one such read at a time, and takes a
 * part of the processor at most, however many clients cause it.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  #isPausing = false;

  /** Calls `go` when it is the caller's turn. */
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
