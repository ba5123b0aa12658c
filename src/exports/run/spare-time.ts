import { setTimeout } from 'node:timers/promises';
import { FirstSignal, unlessAborted } from '../../platform/signals.ts';

/** A worker that ends a job claims the next at once, so spare time starts after a pause. */
const PAUSE_MS = 300;

/** The time in which no worker of a node has a job. Work in spare time stops as soon as a worker claims one. */
export class SpareTime {
  readonly #pauseMs: number;
  #jobs = 0;
  #ended = Promise.withResolvers<void>();
  readonly #stops = new Set<AbortController>();

  constructor(pauseMs: number = PAUSE_MS) {
    this.#pauseMs = pauseMs;
  }

  /** Marks a worker as busy until disposed. */
  job(): Disposable {
    this.#jobs += 1;
    for (const stop of this.#stops) stop.abort(new Error('a job was taken'));
    return {
      [Symbol.dispose]: () => {
        this.#jobs -= 1;
        this.#ended.resolve();
        this.#ended = Promise.withResolvers();
      },
    };
  }

  /**
   * Waits for spare time, then runs `work`. Its signal aborts when a worker claims a job.
   *
   * @returns null if a job was claimed.
   * @throws `signal.reason` and the errors of `work`, unless a job was claimed.
   */
  async use<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T | null> {
    for (;;) {
      while (this.#jobs > 0) await unlessAborted(this.#ended.promise, signal);
      const stop = new AbortController();
      this.#stops.add(stop);
      using either = new FirstSignal(signal, stop.signal);
      try {
        await setTimeout(this.#pauseMs, undefined, { signal: either.signal });
        return await work(either.signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!stop.signal.aborted) throw error;
        return null;
      } finally {
        this.#stops.delete(stop);
      }
    }
  }
}
