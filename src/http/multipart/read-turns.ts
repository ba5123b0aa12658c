/**
 * Lets one caller go on in each turn of the event loop, in the order they came.
 *
 * Work that cannot be cut short (one read of a socket, parsed) then delays other requests by one such piece at a time, however
 * many clients cause it.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#onTurn);
    });
  }

  readonly #onTurn = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#onTurn);
  };
}
