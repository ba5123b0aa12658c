/** Lets any process wake a loop that waits for work. The notice is a hint and may be lost. */
export interface Bell {
  ring(): void;
  onRing(listener: () => void): void;
}

/** A bell within this process. */
export class LocalBell implements Bell {
  readonly #listeners: (() => void)[] = [];

  ring(): void {
    for (const listener of this.#listeners) listener();
  }

  onRing(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
