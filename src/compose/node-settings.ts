import { availableParallelism } from 'node:os';
import { type Config, clientLimits, fetchRules } from '../config/config.ts';
import type { Role } from '../config/deployment.ts';
import type { HttpConfig } from '../http/server/http-config.ts';
import { memoryLimitBytes } from '../sandbox/host/memory-limit.ts';
import { memoryOfEach, rendersAtOnce } from '../sandbox/host/render-memory.ts';
import type { ExportsPolicy, FramesPolicy } from './exports-ports.ts';

const HOUR_MS = 3_600_000;

/** The settings of exports. */
export function exportsPolicy(config: Config): ExportsPolicy {
  return {
    maxWaiting: config.maxWaiting,
    maxUploads: config.maxUploads,
    maxTenantUploads: config.maxTenantUploads,
    maxWaitingInAll: config.maxWaitingInAll,
    minFreeDiskBytes: config.minFreeDiskBytes,
    minFreeDiskPercent: config.minFreeDiskPercent,
    retentionMs: config.retentionHours * HOUR_MS,
    maxRetentionHours: config.maxRetentionHours,
    frames: framesPolicy(config),
    mediaRetentionMs: config.mediaRetentionHours * HOUR_MS,
    unfinishedRetentionMs: config.unfinishedRetentionHours * HOUR_MS,
    maxMediaBytes: config.maxMediaBytes,
    maxMediaFiles: config.maxMediaFiles,
    maxTenantRows: config.maxTenantRows,
    maxProjects: config.maxProjects,
    maxDrafts: config.maxDrafts,
    maxUnfinishedUploads: config.maxUnfinishedUploads,
    maxMediaParts: config.maxMediaParts,
    maxFileBytes: config.maxFileBytes,
    maxImageFileBytes: config.maxImageFileBytes,
    maxFetches: config.maxFetches,
    maxTenantFetches: config.maxTenantFetches,
    fetchRules: fetchRules(config),
    maxTenantCaptions: config.maxTenantCaptions,
    allowPrivateDestinations: config.privateAddresses,
    maxSends: config.maxSends,
    maxTenantSends: config.maxTenantSends,
    prerender: config.prerender,
    allowPrivateCallbacks: config.privateAddresses || config.privateCallbacks,
    webhookSecret: config.webhookSecret,
    webhookSecrets: config.webhookSecrets,
  };
}

/** Idle children are few and short-lived, because each holds two hundred megabytes and more. */
function framesPolicy(config: Config): FramesPolicy {
  const { maxFrames, maxTenantFrames, frameSpare: spare, childBaseSeconds } = config;
  const framesAtOnce = config.framesAtOnce || Math.max(2, Math.floor(availableParallelism() / 2));
  const kept = { keptMs: 10_000, spareMs: 600_000, maxKept: 2, maxKeptBytes: 768 * 2 ** 20 };
  return { maxFrames, maxTenantFrames, framesAtOnce, spare, frameLimitMs: childBaseSeconds * 1000, ...kept };
}

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
    apiKeys: config.apiKeys,
    sessionSeconds: config.sessionHours * 3600,
    corsOrigins: config.corsOrigins,
    requestsPerMinute: config.requestsPerMinute,
    maxDocumentMemory: config.maxDocumentMemory,
    maxOpenWaits: config.maxOpenWaits,
    waitLimitSeconds: config.waitSeconds,
    heartbeatSeconds: 15,
    socketTimeoutSeconds: Math.max(config.idleTimeoutSeconds, config.waitSeconds) + 60,
    metricsKey: config.metricsKey,
    models: config.models,
    metricsElsewhere: config.metricsAddress !== null,
    trustProxy: config.trustProxy,
    hosts: [...config.hosts, config.host.toLowerCase(), ...publicName(config)],
    publicUrl: config.publicUrl,
    version,
  };
}

/** That of `balanced`, the default. */
const DEFAULT_ENCODER_PRESET = 'veryfast';

/** How many children render at once, and the limits of each. */
export function renderCapacity({ rendersAtOnce: wanted, childMaxRssBytes, presets }: Config, role: Role) {
  const memoryBytes = memoryLimitBytes();
  const [canvas] = presets.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const usual = [{ canvas: canvas!, encoder: { preset: DEFAULT_ENCODER_PRESET } }];
  const max = wanted > 0 ? wanted : rendersAtOnce({ cores: availableParallelism(), memoryBytes }, usual);
  const renders = role === 'api' ? 0 : max;
  return { renders, presetsMemoryBytes: Math.min(childMaxRssBytes, memoryOfEach(memoryBytes, max)) };
}

/** Two even on one core: a long timeline must not block short ones. More would only take CPU from the renders. */
export function planningThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}
