/** Lets any process wake the one that waits for something to do. A hint that may be lost. */
export interface Bell {
  ring(): void;
  onRing(listener: () => void): void;
}

/** A bell for those in this process. */
export class LocalBell implements Bell {
  readonly #listeners: (() => void)[] = [];

  ring(): void {
    for (const listener of this.#listeners) listener();
  }

  onRing(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
