import type { TimelineLimits } from '../../timeline/limits.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { MultipartLimits } from '../multipart/read-multipart.ts';

/** What a key allows: reading, everything of its tenant, or what only the operator may do. (C95) */
export type KeyScope = 'read' | 'render' | 'operate';

/** A tenant and its key. */
export interface ApiKey {
  readonly tenant: string;
  readonly key: string;
  /** Absent: `read` and `render`. */
  readonly scopes?: readonly KeyScope[];
}

/** The settings of HTTP; the composition root makes them from the configuration. */
export interface HttpConfig {
  readonly limits: MultipartLimits &
    TimelineLimits & {
      readonly headersTimeoutSeconds: number;
      /** Of a JSON text. */
      readonly maxJsonDepth: number;
      readonly maxJsonValues: number;
    };
  /** What `/limits` returns, by name. (C70) */
  readonly shownLimits: Readonly<Record<string, number>>;
  readonly presets: Presets;
  /** The folder of arriving uploads; on the disk of the blobs, so that keeping one is a rename. */
  readonly uploadFolder: string;
  /** If empty, all requests belong to the one default tenant. */
  readonly apiKeys: readonly ApiKey[];
  /** How long a session lasts. (C51) */
  readonly sessionSeconds: number;
  /** The key of `/metrics`; null: open without API keys, closed with them. */
  readonly metricsKey: string | null;
  /** Whether `/metrics` has its own address and is not found here. */
  readonly metricsElsewhere: boolean;
  /** Origins whose pages may call the API; `*` for any, empty for none. */
  readonly corsOrigins: readonly string[];
  /** Requests per minute of one tenant or address; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Bytes of documents that requests in progress have in memory, of all tenants; one tenant may have half. (H60) */
  readonly maxDocumentMemory: number;
  /** Connections of one tenant or address that are open and wait: event streams, waits for renders. (H61) */
  readonly maxOpenWaits: number;
  /** How long a create or a download waits for its render before another response. (C8, C27) */
  readonly waitLimitSeconds: number;
  /** How often an idle event stream sends a comment. */
  readonly heartbeatSeconds: number;
  /** How long a connection may be idle during a transfer. */
  readonly socketTimeoutSeconds: number;
  /** Whose X-Forwarded-For is trusted: none, that of this many proxies in a row, or that of these networks. */
  readonly trustProxy: false | number | readonly string[];
  /** Host names of the service, in lower case; loopback names and addresses are always accepted. (C50) */
  readonly hosts: readonly string[];
  /** The public address of the service, without a slash at the end; null if not configured. (C41) */
  readonly publicUrl: string | null;
  /** Who installs speech models: the operator, or the service at first use. (C77) */
  readonly models: 'ask' | 'auto';
  readonly version: string;
}

/**
 * The configured trust in the framework's form.
 * A number of hops becomes a function, because the framework trusts no proxy if it gets the bare number. The client's
 * address is then the one that our outermost proxy saw; entries that the client wrote are further left.
 */
export function trustedHops(
  trust: HttpConfig['trustProxy'],
): false | string[] | ((address: string, hop: number) => boolean) {
  if (trust === false) return false;
  return typeof trust === 'number' ? (_, hop) => hop < trust : [...trust];
}
