import type { ExportsApi } from '../../exports/exports-api.ts';
import type { HttpConfig } from './http-config.ts';
import type { Metrics } from './metrics.ts';

/** What every route works with. */
export interface RouteContext {
  readonly api: ExportsApi;
  readonly config: HttpConfig;
  readonly metrics: Metrics;
  /** Aborts when the service begins to shut down. */
  readonly closing: AbortSignal;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no key: pages, health, and addresses that nobody can guess. */
    readonly open?: boolean;
    /** Not counted against the limit on requests. */
    readonly unmetered?: boolean;
  }
  interface FastifyRequest {
    /** Whose request it is; null on routes that need no key. */
    tenant: string | null;
    /** The export it made or found, for the log. */
    exportId: string | null;
  }
}
