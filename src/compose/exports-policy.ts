import { availableParallelism } from 'node:os';
import { type Config, fetchRules } from '../config/config.ts';
import type { ExportsPolicy, FramesPolicy } from '../exports/exports-ports.ts';

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
