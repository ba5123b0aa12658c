import type { TimelineLimits } from '../../timeline/limits.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { MultipartLimits } from '../multipart/read-multipart.ts';

/** Someone who may use the service, and the word that proves it. */
export interface ApiKey {
  readonly tenant: string;
  readonly key: string;
}

/** What HTTP depends on; the composition root makes it of the configuration. */
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
  /** Where uploads lie while they arrive; on the disk the blobs are on, so that keeping one is a rename. */
  readonly uploadFolder: string;
  /** Where the built studio is kept for the next start; null: nowhere. */
  readonly studioFolder: string | null;
  /** Empty: everybody is the one tenant there is. */
  readonly apiKeys: readonly ApiKey[];
  /** How long a session lasts. (C51) */
  readonly sessionSeconds: number;
  /** What opens `/metrics`; null: anybody without API keys, nobody with them. */
  readonly metricsKey: string | null;
  /** Whether `/metrics` has an address of its own, and is not found here. */
  readonly metricsElsewhere: boolean;
  /** Origins that pages may call us from; `*` for any, empty for none. */
  readonly corsOrigins: readonly string[];
  /** Requests one tenant or address may make in a minute; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** How long a create or a download waits for its render before it answers otherwise. (C8, C27) */
  readonly waitLimitSeconds: number;
  /** How often a silent event stream says that it is alive. */
  readonly heartbeatSeconds: number;
  /** How long a connection may stand still while we have something to send or to read. */
  readonly socketTimeoutSeconds: number;
  /** Whose X-Forwarded-For is believed: nobody's, that of so many proxies in a row, or that of these networks. */
  readonly trustProxy: false | number | readonly string[];
  /** Host names of the service, in lower case; loopback names and addresses are always accepted. (C50) */
  readonly hosts: readonly string[];
  /** Where everybody reaches the service, without a slash at the end; null where nobody has said. (C41) */
  readonly publicUrl: string | null;
  readonly version: string;
}
