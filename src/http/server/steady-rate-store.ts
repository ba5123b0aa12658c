import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** Callers remembered at once; the one that was silent longest is forgotten first, and begins anew. */
const MOST_CALLERS = 5_000;

interface Window {
  readonly begunMs: number;
  count: number;
}

/**
 * Counts requests in windows of time that pass evenly. The limiter's own store goes by the time of day: after the
 * machine's clock was set back, a client that had used up its window would be refused until the clock caught up.
 */
export class SteadyRateStore implements FastifyRateLimitStore {
  /** The longest silent first. */
  readonly #windows = new Map<string, Window>();

  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow = 60_000,
  ): void {
    const now = performance.now();
    const open = this.#windows.get(key);
    const current = open !== undefined && now - open.begunMs < timeWindow ? open : { begunMs: now, count: 0 };
    current.count += 1;
    this.#windows.delete(key);
    this.#windows.set(key, current);
    if (this.#windows.size > MOST_CALLERS) this.#windows.delete(this.#windows.keys().next().value!);
    callback(null, { current: current.count, ttl: timeWindow - (now - current.begunMs) });
  }

  child(): FastifyRateLimitStore {
    return new SteadyRateStore();
  }
}
