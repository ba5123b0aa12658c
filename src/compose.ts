import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, childAllowance, jsonLimits, mediaLimits, shownLimits, timelineLimits } from './config/config.ts';
import { ChangeHub } from './exports/change-hub.ts';
import { composeExports, type FramesPolicy } from './exports/compose-exports.ts';
import { Gate } from './exports/gate.ts';
import { LiveProgress } from './exports/live-progress.ts';
import type { Log } from './exports/log.ts';
import { RunningExports } from './exports/run/running-exports.ts';
import { ThreadPlanner } from './exports/submit/planner.ts';
import type { RequestRules } from './exports/submit/read-request.ts';
import { createApp } from './http/app.ts';
import type { HttpConfig } from './http/server/http-config.ts';
import { Metrics } from './http/server/metrics.ts';
import { startMetricsServer } from './http/server/metrics-server.ts';
import { callbackMetadata } from './http/wire/absolute-addresses.ts';
import { ENGINE_VERSION } from './plan/keys/engine-version.ts';
import { RenderCgroups } from './sandbox/cgroup/render-cgroups.ts';
import { warmCompileCache } from './sandbox/compile-cache.ts';
import { memoryLimitBytes } from './sandbox/host/memory-limit.ts';
import { memoryOfEach, rendersAtOnce } from './sandbox/host/render-memory.ts';
import { RenderHost } from './sandbox/render-host.ts';
import { type SandboxStatus, sandboxStatus } from './sandbox/sandbox-status.ts';
import type { BlobStore } from './store/blob-store.ts';
import { ChunkCache } from './store/chunk-cache.ts';
import { DeliveryRecords } from './store/delivery-records.ts';
import { DiskBlobStore } from './store/disk/disk-blob-store.ts';
import { DiskPartialFiles } from './store/disk/disk-partial-files.ts';
import { EndedSessionRecords } from './store/ended-session-records.ts';
import { ExportRecords } from './store/export-records.ts';
import { MediaRecords } from './store/media-records.ts';
import { OutputRecords } from './store/output-records.ts';
import { SqliteDatabase } from './store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from './store/sqlite/sqlite-job-queue.ts';
import { TenantChunks } from './store/tenant-chunks.ts';
import { UnfinishedMedia } from './store/unfinished-media.ts';

const HOUR_MS = 3_600_000;
/** That of `balanced`, which nobody has to ask for. */
const USUAL_ENCODER_PRESET = 'veryfast';

/** A service that is up. */
export interface RunningService {
  /** Where it listens. */
  readonly url: string;
  readonly sandbox: SandboxStatus;
  /** Stops taking requests, puts what is being rendered back into the queue, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Puts the embedded service together and starts it: SQLite and a data folder, nothing else. The only place that knows
 * every adapter.
 */
export async function startService(config: Config, version: string): Promise<RunningService> {
  const dataDir = resolve(config.dataDir);
  const database = await SqliteDatabase.open(dataDir);
  const blobs = await DiskBlobStore.open(dataDir);
  const stuck = await blobs.sweepWork();
  const compileCacheDir = join(dataDir, 'compile-cache');
  const cgroups = RenderCgroups.open(config.sandbox === 'off' ? 'off' : config.cgroup);
  const sandbox = await prepareChildren(config, compileCacheDir, blobs);

  const log: { to: Log } = { to: () => {} };
  const metrics = new Metrics();
  const host = new RenderHost({
    mode: config.sandbox,
    allowance: childAllowance(config),
    mediaLimits: mediaLimits(config),
    cgroups,
    compileCacheDir,
    onChildEnded: (code) => metrics.childEnded(code),
    log: (message, detail) => log.to('debug', message, { detail }),
  });
  const { renders, shapesMemoryBytes } = renderCapacity(config);
  const running = new RunningExports();
  const jobs = new SqliteJobQueue(database, { onCancelled: (exportId) => running.cancel(exportId) });
  const cache = await ChunkCache.open(blobs, config.chunkCacheBytes);
  // Without keys there is one tenant, whose pieces need no fence.
  const chunks = new TenantChunks(cache, { shared: config.sharedCache || config.apiKeys.length === 0 });
  const rules: RequestRules = {
    json: jsonLimits(config),
    timeline: timelineLimits(config),
    presets: config.presets,
    engineVersion: ENGINE_VERSION,
  };
  // As many may wait as may be sent at once, so that nobody is turned away who was let in.
  const planner = new ThreadPlanner(rules, { threads: planningThreads(), mostWaiting: config.maxUploads });
  const { api, media, housekeeper, webhooks, frames, worker } = composeExports({
    database,
    records: new ExportRecords(),
    outputs: new OutputRecords(),
    deliveries: new DeliveryRecords(),
    media: new MediaRecords(),
    unfinished: new UnfinishedMedia(),
    partials: await DiskPartialFiles.open(dataDir),
    jobs,
    running,
    blobs,
    chunks,
    host,
    rules,
    planner,
    shapesMemoryBytes,
    policy: {
      maxWaiting: config.maxWaiting,
      maxUploads: config.maxUploads,
      maxTenantUploads: config.maxTenantUploads,
      maxWaitingInAll: config.maxWaitingInAll,
      minFreeDiskBytes: config.minFreeDiskBytes,
      minFreeDiskPercent: config.minFreeDiskPercent,
      retentionMs: config.retentionHours * HOUR_MS,
      frames: framesPolicy(config),
      mediaRetentionMs: config.mediaRetentionHours * HOUR_MS,
      unfinishedRetentionMs: config.unfinishedRetentionHours * HOUR_MS,
      maxMediaBytes: config.maxMediaBytes,
      maxMediaFiles: config.maxMediaFiles,
      maxUnfinishedUploads: config.maxUnfinishedUploads,
      maxMediaParts: config.maxMediaParts,
      prerender: config.prerender,
      allowPrivateCallbacks: config.privateCallbacks,
      webhookSecret: config.webhookSecret,
      webhookSecrets: config.webhookSecrets,
    },
    changes: new ChangeHub(),
    progress: new LiveProgress(),
    // More than one even on a small machine: a request with files that take long must not hold up all others.
    probing: new Gate(Math.max(2, availableParallelism())),
    now: Date.now,
    meter: metrics,
    log: (level, message, detail) => log.to(level, message, detail),
    describe: (view) => callbackMetadata(view, config.publicUrl),
    checks: async () => [sandboxCheck(sandbox, cgroups.detail)],
  });
  const uploads = await blobs.workFolder();
  const app = await createApp({
    api,
    media,
    config: httpConfig(config, uploads.path, version),
    metrics,
    endedSessions: new EndedSessionRecords(database),
    log: { level: config.logLevel },
  });
  log.to = (level, message, { error, ...detail }: { error?: unknown }) =>
    app.log[level]({ err: error, ...detail }, message);
  for (const { name, error } of stuck) app.log.warn({ err: error, name }, 'old work could not be removed');
  if (!sandbox.complete) app.log.warn({ missing: sandbox.missing }, 'renders are not fully locked in on this machine');

  await housekeeper.start();
  const stop = new AbortController();
  const work = [webhooks.run(stop.signal), ...Array.from({ length: renders }, () => worker().run(stop.signal))];
  const url = await app.listen({ host: config.host, port: config.port });
  const { metricsAddress: address, metricsKey: key } = config;
  const status = () => api.status();
  const metricsServer = address === null ? null : await startMetricsServer({ address, key, metrics, status });
  return {
    url,
    sandbox,
    stop: async () => {
      stop.abort();
      await metricsServer?.[Symbol.asyncDispose]();
      await Promise.all([app.close(), ...work, housekeeper.stop()]);
      await frames[Symbol.asyncDispose]();
      metrics[Symbol.dispose]();
      await uploads[Symbol.asyncDispose]();
      await planner[Symbol.asyncDispose]();
      await jobs.close();
      await database.close();
    },
  };
}

/** Finds out how well children are locked in here, and makes them start fast. In the work folder: a crash leaves nothing. */
async function prepareChildren({ sandbox: mode }: Config, cache: string, blobs: BlobStore): Promise<SandboxStatus> {
  await using folder = await blobs.workFolder();
  const [sandbox] = await Promise.all([sandboxStatus(mode, folder.path), warmCompileCache(cache, folder.path)]);
  return sandbox;
}

/** How many children render at once, and what each of them may take. */
function renderCapacity({ rendersAtOnce: wanted, childMaxRssBytes, presets }: Config) {
  const memoryBytes = memoryLimitBytes();
  const [canvas] = presets.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const usual = [{ canvas: canvas!, encoder: { preset: USUAL_ENCODER_PRESET } }];
  const renders = wanted > 0 ? wanted : rendersAtOnce({ cores: availableParallelism(), memoryBytes }, usual);
  return { renders, shapesMemoryBytes: Math.min(childMaxRssBytes, memoryOfEach(memoryBytes, renders)) };
}

/** Children that wait are few and not for long: each holds two hundred megabytes and more. */
function framesPolicy(config: Config): FramesPolicy {
  const { maxFrames, maxTenantFrames, frameSpare: spare, childBaseSeconds } = config;
  const framesAtOnce = config.framesAtOnce || Math.max(2, Math.floor(availableParallelism() / 2));
  const kept = { keptMs: 10_000, spareMs: 600_000, mostKept: 2, mostKeptBytes: 768 * 2 ** 20 };
  return { maxFrames, maxTenantFrames, framesAtOnce, spare, frameLimitMs: childBaseSeconds * 1000, ...kept };
}

/** Two even on one core: a long timeline must not hold up all short ones. More would only take from the renders. */
function planningThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}

function sandboxCheck(
  { mode, complete, missing, layers, selfTest }: SandboxStatus,
  cgroup: string,
): {
  name: string;
  ok: boolean;
  detail: string;
} {
  const stands = layers.map(({ name, detail }) => `${name} (${detail})`);
  const lacks = missing.map(({ name, reason }) => `missing: ${name} (${reason})`);
  // A wall that stands and does not hold, to whoever tries it from inside.
  const broken = selfTest.filter(({ passed }) => !passed).map(({ name, outcome }) => `${name}: ${outcome}`);
  const failed = broken.length === 0 || missing.length > 0 ? [] : [`self-test failed: ${broken.join(', ')}`];
  const tried = `self-test: ${selfTest.length - broken.length} of ${selfTest.length}`;
  const detail = [...lacks, ...failed, ...stands, `cgroup (${cgroup})`, tried].join('; ');
  // `auto` and `off` are the operator's choice: reported, not held against readiness.
  return { name: `sandbox (${mode})`, ok: complete || mode !== 'required', detail };
}

/** The public address is ours as well. (C50) */
function publicName({ publicUrl }: Config): string[] {
  return publicUrl === null ? [] : [new URL(publicUrl).hostname];
}

function httpConfig(config: Config, uploadFolder: string, version: string): HttpConfig {
  return {
    limits: config,
    shownLimits: shownLimits(config),
    presets: config.presets,
    uploadFolder,
    studioFolder: join(resolve(config.dataDir), 'studio'),
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
