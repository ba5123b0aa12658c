import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keyRequired } from '../wire/problem.ts';
import { sentSession } from '../wire/session-cookie.ts';
import { type ApiKeys, hasKey, sentKey } from './api-keys.ts';
import type { HttpConfig } from './http-config.ts';
import { isFromOwnPage, isReading } from './known-requesters.ts';
import type { Sessions } from './sessions.ts';

/**
 * Finds the tenant of a request, and refuses requests that need a key and have none.
 * In two steps, with the rate limit in between: guesses count by address, and a valid key counts by tenant, also on
 * routes that need none.
 */
export function identify(app: FastifyInstance, { config, keys, sessions }: IdentifyOptions): void {
  app.decorateRequest('tenant', null);
  app.decorateRequest('exportId', null);
  app.decorateRequest('isAuthorized', false);
  app.addHook('onRequest', async (request) => {
    request.tenant = keys.tenantOf(request.headers) ?? (await tenantBySession(request));
    request.isAuthorized = isAuthorized(request, config);
  });
  app.addHook('preParsing', async ({ isAuthorized }) => {
    if (!isAuthorized) throw keyRequired();
  });

  /**
   * A key in a header decides, valid or not. A browser sends a cookie for requests of any page, so a cookie allows
   * changes only from our own pages; other origins need a key. (C51)
   */
  async function tenantBySession(request: FastifyRequest): Promise<string | null> {
    if (sentKey(request.headers) !== '') return null;
    if (!isReading(request) && !isFromOwnPage(request, { ...config, corsOrigins: [] })) return null;
    return (await sessions.find(sentSession(request, config.publicUrl)))?.tenant ?? null;
  }
}

type Identified = Pick<HttpConfig, 'apiKeys' | 'metricsKey' | 'hosts' | 'publicUrl'>;

type Operated = Pick<HttpConfig, 'apiKeys' | 'metricsKey'>;

interface IdentifyOptions {
  readonly config: Identified;
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
}

/** Whether the caller is the operator: with the operator's key, or without a key if none is configured. */
export function isOperator({ headers }: Pick<FastifyRequest, 'headers'>, config: Operated): boolean {
  return config.metricsKey === null ? config.apiKeys.length === 0 : hasKey(headers, config.metricsKey);
}

function isAuthorized(request: FastifyRequest, config: Identified): boolean {
  const { routeOptions, is404, tenant } = request;
  const { open = false, operator = false } = routeOptions.config;
  if (open || is404) return true;
  // A tenant's key is not enough: these responses are about all tenants.
  if (operator) return isOperator(request, config);
  return tenant !== null;
}
