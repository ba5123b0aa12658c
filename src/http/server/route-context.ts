import type { CaptionsApi } from '../../exports/captions-api.ts';
import type { DraftsApi } from '../../exports/drafts-api.ts';
import type { ExportsApi } from '../../exports/exports-api.ts';
import type { MediaApi } from '../../exports/media-api.ts';
import type { ProjectsApi } from '../../exports/projects-api.ts';
import type { ApiKeys } from './api-keys.ts';
import type { HttpConfig } from './http-config.ts';
import type { Metrics } from './metrics.ts';
import type { Sessions } from './sessions.ts';

/** What every route works with. */
export interface RouteContext {
  readonly api: ExportsApi;
  readonly media: MediaApi;
  readonly projects: ProjectsApi;
  readonly drafts: DraftsApi;
  readonly speech: CaptionsApi;
  readonly config: HttpConfig;
  readonly metrics: Metrics;
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
  /** Aborts when the service begins to shut down. */
  readonly closing: AbortSignal;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no key: pages, health, and addresses that nobody can guess. */
    readonly open?: boolean;
    /** For the operator, not for tenants. */
    readonly operator?: boolean;
    /** Answered under any name: for balancers, and it tells nobody anything. */
    readonly anyHost?: boolean;
    /** Not counted against the limit on requests. */
    readonly unmetered?: boolean;
  }
  interface FastifyRequest {
    /** Whose request it is; null without a known key, which only open routes let through. */
    tenant: string | null;
    /** Whether it has the key it needs, or needs none. */
    mayPass: boolean;
    /** The export it made or found, for the log. */
    exportId: string | null;
  }
}
