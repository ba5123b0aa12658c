import { setTimeout } from 'node:timers/promises';
import { FirstSignal } from '../../platform/first-signal.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';

/** A worker that ends one job takes the next at once: spare time begins after a pause. */
const PAUSE_MS = 300;

/** The time in which no worker of a node has a job. What is done in it stops as soon as one of them has. */
export class SpareTime {
  readonly #pauseMs: number;
  #jobs = 0;
  #ended = Promise.withResolvers<void>();
  readonly #stops = new Set<AbortController>();

  constructor(pauseMs: number = PAUSE_MS) {
    this.#pauseMs = pauseMs;
  }

  /** A worker has a job, until it is disposed. */
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
   * Waits for spare time, then runs `work`. Its signal aborts when a worker takes a job.
   *
   * @throws `signal.reason` and what `work` throws, unless a job was taken: then it returns null.
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
