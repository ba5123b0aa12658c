import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { HttpConfig } from './http-config.ts';
import { SteadyRateStore } from './steady-rate-store.ts';

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
    allowList: ({ routeOptions, isAuthorized }) => routeOptions.config.unmetered === true && isAuthorized,
    errorResponseBuilder: (_request, { max }) => {
      const message = `More than the ${max} allowed requests a minute. The Retry-After header says when to retry.`;
      return new ExportError('unavailable', 'rate.exceeded', message);
    },
  });
}
