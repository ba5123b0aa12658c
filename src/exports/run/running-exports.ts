import { ExportError } from '../../errors.ts';
import { FirstSignal } from '../../platform/first-signal.ts';

/** A piece of work in progress. */
interface RunningWork extends Disposable {
  readonly signal: AbortSignal;
  /** Ends this one alone. */
  stop(reason: Error): void;
}

/** The work in progress by export, so that it can be stopped at once when its export is removed. */
export class RunningExports {
  readonly #stops = new Map<string, Set<AbortController>>();

  /** Registers a piece of work; its signal aborts when it or its export is stopped or `outer` aborts. */
  enter(exportId: string, outer: AbortSignal): RunningWork {
    const stop = new AbortController();
    const stops = this.#stops.get(exportId) ?? new Set();
    stops.add(stop);
    this.#stops.set(exportId, stops);
    const either = new FirstSignal(outer, stop.signal);
    return {
      signal: either.signal,
      stop: (reason) => stop.abort(reason),
      [Symbol.dispose]: () => {
        either[Symbol.dispose]();
        stops.delete(stop);
        if (stops.size === 0) this.#stops.delete(exportId);
      },
    };
  }

  /** Ends all work on an export that nobody wants any more. */
  cancel(exportId: string): void {
    for (const stop of this.#stops.get(exportId) ?? []) stop.abort(renderCancelled());
  }

  /** How many pieces of work are under way. */
  get size(): number {
    return [...this.#stops.values()].reduce((sum, stops) => sum + stops.size, 0);
  }
}

/** Nobody wants it any more. */
export function renderCancelled(): ExportError {
  return new ExportError('cancelled', 'render.cancelled', 'The render was cancelled.');
}
