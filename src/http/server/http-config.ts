import type { TimelineLimits } from '../../timeline/limits.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { MultipartLimits } from '../multipart/read-multipart.ts';

/** A tenant and its key. */
export interface ApiKey {
  readonly tenant: string;
  readonly key: string;
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
  /** The cache of the built studio; null for none. */
  readonly studioFolder: string | null;
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
  readonly version: string;
}
