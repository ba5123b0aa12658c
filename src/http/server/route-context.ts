import type { BatchesApi } from '../../exports/api/batches-api.ts';
import type { ExportsApi } from '../../exports/api/exports-api.ts';
import type { MediaApi } from '../../exports/api/media-api.ts';
import type { DraftsApi, ProjectsApi } from '../../exports/api/projects-api.ts';
import type { CaptionsApi } from '../../exports/api/speech-api.ts';
import type { DocumentMemory } from '../multipart/body-reader.ts';
import type { HttpConfig } from './http-config.ts';
import type { ApiKeys, Sessions } from './identify.ts';
import type { Metrics } from './metrics.ts';
import type { OpenWaits } from './wait-within.ts';

/** The dependencies of every route. */
export interface RouteContext {
  readonly api: ExportsApi;
  readonly media: MediaApi;
  readonly projects: ProjectsApi;
  readonly batches: BatchesApi;
  readonly drafts: DraftsApi;
  readonly speech: CaptionsApi;
  readonly config: HttpConfig;
  readonly metrics: Metrics;
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
  /** The memory of documents that are read. */
  readonly documents: DocumentMemory;
  /** The connections that are open and wait. */
  readonly waits: OpenWaits;
  /** Aborts when the service starts to shut down. */
  readonly closing: AbortSignal;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no key: pages, health, and addresses that cannot be guessed. */
    readonly open?: boolean;
    /** For the operator, not for tenants. */
    readonly operator?: boolean;
    /** Accepts any host name: for load balancers; the response contains nothing secret. */
    readonly anyHost?: boolean;
    /** A key that can only read may send it, whatever the method: what it leads to is checked there. */
    readonly reads?: boolean;
    /** Whether it does not count against the request limit. */
    readonly unmetered?: boolean;
  }
  interface FastifyRequest {
    /** The tenant of the request; null without a valid key, which only open routes accept. */
    tenant: string | null;
    /** What it lacks: a key, or a scope of its key; null: nothing. Open routes answer without. */
    refusal: 'key' | 'operator' | 'read' | 'render' | null;
    /** Whether the caller is the operator. */
    isOperator: boolean;
    /** The code of its error, for the log; null without one. */
    problem: string | null;
    /** The export that it created or found, for the log. */
    exportId: string | null;
  }
}
