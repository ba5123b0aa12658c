/** Wakes whoever follows an export. Nothing is queued: a follower that wakes up looks at the export as it is then. */
export class ChangeHub {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Something about the export has changed. */
  notify(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const wake of waiting ?? []) wake();
  }

  /**
   * Starts listening now; `next` resolves at the first change from here on. Listen before you look, so that nothing
   * that happens in between is missed.
   */
  listen(id: string): { readonly next: Promise<void>; stop(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(id) ?? new Set();
    waiting.add(resolve);
    this.#waiting.set(id, waiting);
    const stop = () => {
      waiting.delete(resolve);
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
      resolve();
    };
    return { next: promise, stop };
  }
}
