import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { ExportError } from '../errors.ts';
import type { HttpConfig } from './server/http-config.ts';

/** The maximum number of counted callers. The caller with the oldest request is dropped first, and its count starts again. */
const MAX_CALLERS = 5_000;

interface Window {
  readonly begunMs: number;
  count: number;
}

/**
 * Counts requests in windows of monotonic time. The limiter's own store uses the time of day: after the clock was set
 * back, a client at its limit would be refused until the clock caught up.
 */
export class SteadyRateStore implements FastifyRateLimitStore {
  /** Longest silent first. */
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
    if (this.#windows.size > MAX_CALLERS) this.#windows.delete(this.#windows.keys().next().value!);
    callback(null, { current: current.count, ttl: timeWindow - (now - current.begunMs) });
  }

  child(): FastifyRateLimitStore {
    return new SteadyRateStore();
  }
}

/** Limits requests per minute: of one tenant, across its keys and addresses; without a key, of one address. */
export async function limitRequests(
  app: FastifyInstance,
  { requestsPerMinute, apiKeys }: Pick<HttpConfig, 'requestsPerMinute' | 'apiKeys'>,
): Promise<void> {
  if (requestsPerMinute === 0) return;
  await app.register(rateLimit, {
    store: SteadyRateStore,
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ tenant, ip }) => (tenant === null || apiKeys.length === 0 ? ip : `tenant ${tenant}`),
    allowList: ({ routeOptions, refusal }) => routeOptions.config.unmetered === true && refusal === null,
    errorResponseBuilder: (_request, { max }) => {
      const message = `More than the ${max} allowed requests a minute. The Retry-After header says when to retry.`;
      return new ExportError('unavailable', 'rate.exceeded', message);
    },
  });
}
