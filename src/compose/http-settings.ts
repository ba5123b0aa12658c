import { type Config, clientLimits } from '../config/config.ts';
import type { HttpConfig } from '../http/server/http-config.ts';
import { cloneCache } from '../platform/clone-cache.ts';

/** The public host name also counts as ours. (C50) */
function publicName({ publicUrl }: Config): string[] {
  return publicUrl === null ? [] : [new URL(publicUrl).hostname];
}

/** The settings of HTTP. */
export function httpSettings(config: Config, uploadFolder: string, version: string): HttpConfig {
  return {
    limits: config,
    shownLimits: clientLimits(config),
    presets: config.presets,
    uploadFolder,
    studioFolder: cloneCache('studio'),
    apiKeys: config.apiKeys,
    sessionSeconds: config.sessionHours * 3600,
    corsOrigins: config.corsOrigins,
    requestsPerMinute: config.requestsPerMinute,
    waitLimitSeconds: config.waitSeconds,
    heartbeatSeconds: 15,
    socketTimeoutSeconds: Math.max(config.idleTimeoutSeconds, config.waitSeconds) + 60,
    metricsKey: config.metricsKey,
    metricsElsewhere: config.metricsAddress !== null,
    trustProxy: config.trustProxy,
    hosts: [...config.hosts, config.host.toLowerCase(), ...publicName(config)],
    publicUrl: config.publicUrl,
    version,
  };
}
