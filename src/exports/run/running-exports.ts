import { FirstSignal } from '../../first-signal.ts';

/** The work in progress by export, so that it can be stopped at once when its export is removed. */
export class RunningExports {
  readonly #stops = new Map<string, Set<AbortController>>();

  /** Registers a piece of work; its signal aborts when the export is stopped or `outer` aborts. */
  enter(exportId: string, outer: AbortSignal): { readonly signal: AbortSignal } & Disposable {
    const stop = new AbortController();
    const stops = this.#stops.get(exportId) ?? new Set();
    stops.add(stop);
    this.#stops.set(exportId, stops);
    const either = new FirstSignal(outer, stop.signal);
    return {
      signal: either.signal,
      [Symbol.dispose]: () => {
        either[Symbol.dispose]();
        stops.delete(stop);
        if (stops.size === 0) this.#stops.delete(exportId);
      },
    };
  }

  /** Ends all work on the export. */
  stop(exportId: string, reason: Error): void {
    for (const stop of this.#stops.get(exportId) ?? []) stop.abort(reason);
  }

  /** How many pieces of work are under way. */
  get size(): number {
    return [...this.#stops.values()].reduce((sum, stops) => sum + stops.size, 0);
  }
}
