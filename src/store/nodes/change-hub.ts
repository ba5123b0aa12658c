import type { Changes } from './node-store.ts';

/** Wakes followers in this process. Nothing is queued: a follower reads the current state when it wakes. */
export class ChangeHub implements Changes {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** The followed exports. */
  get followed(): string[] {
    return [...this.#waiting.keys()];
  }

  notify(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const wake of waiting ?? []) wake();
  }

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
