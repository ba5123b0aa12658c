import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiKeys, hasKey, keyRequired } from './api-keys.ts';
import type { HttpConfig } from './http-config.ts';

/**
 * Finds out whose request it is, and turns away who needs a key and has none.
 *
 * In two steps, with the limit on requests in between: whoever tries keys is counted, by address, and whoever has one is
 * counted by it, on routes that need none as well.
 */
export function identify(app: FastifyInstance, config: Pick<HttpConfig, 'apiKeys' | 'metricsKey'>): void {
  const keys = new ApiKeys(config.apiKeys);
  app.decorateRequest('tenant', null);
  app.decorateRequest('exportId', null);
  app.decorateRequest('mayPass', false);
  app.addHook('onRequest', async (request) => {
    request.tenant = keys.tenantOf(request.headers);
    request.mayPass = mayPass(request, config);
  });
  app.addHook('preParsing', async ({ mayPass }) => {
    if (!mayPass) throw keyRequired();
  });
}

function mayPass(
  { routeOptions, is404, tenant, headers }: FastifyRequest,
  config: Parameters<typeof identify>[1],
): boolean {
  const { open = false, operator = false } = routeOptions.config;
  if (open || is404) return true;
  // A tenant's key is not the operator's: what is told there is about everybody.
  if (operator) return config.metricsKey === null ? config.apiKeys.length === 0 : hasKey(headers, config.metricsKey);
  return tenant !== null;
}
