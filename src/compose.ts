import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { exportsPolicy } from './compose/exports-policy.ts';
import { lineLog } from './compose/line-log.ts';
import { openFiles } from './compose/open-files.ts';
import { openFront } from './compose/open-front.ts';
import { openStore } from './compose/open-store.ts';
import { planningThreads, renderCapacity } from './compose/render-capacity.ts';
import { sandboxCheck } from './compose/sandbox-check.ts';
import { type Config, childAllowance, jsonLimits, mediaLimits, timelineLimits } from './config/config.ts';
import { deploymentOf, type Role } from './config/deployment.ts';
import { composeExports } from './exports/compose-exports.ts';
import { Gate } from './exports/gate.ts';
import type { Log } from './exports/log.ts';
import { RunningExports } from './exports/run/running-exports.ts';
import { ThreadPlanner } from './exports/submit/planner.ts';
import type { RequestRules } from './exports/submit/read-request.ts';
import { Metrics } from './http/server/metrics.ts';
import { startMetricsServer } from './http/server/metrics-server.ts';
import { callbackMetadata } from './http/wire/absolute-addresses.ts';
import { ENGINE_VERSION } from './plan/keys/engine-version.ts';
import { RenderCgroups } from './sandbox/cgroup/render-cgroups.ts';
import { warmCompileCache } from './sandbox/compile-cache.ts';
import { RenderHost } from './sandbox/render-host.ts';
import { type SandboxStatus, sandboxStatus } from './sandbox/sandbox-status.ts';
import { ContentRecords } from './store/content-records.ts';
import { DeliveryRecords } from './store/delivery-records.ts';
import { EndedSessionRecords } from './store/ended-session-records.ts';
import { ExportRecords } from './store/export-records.ts';
import type { LocalFiles } from './store/local-files.ts';
import { MediaRecords } from './store/media-records.ts';
import type { NodeStoreEvents } from './store/nodes/node-store.ts';
import { OutputRecords } from './store/output-records.ts';
import { ChunkCache } from './store/parts/chunk-cache.ts';
import { PartRecords } from './store/parts/part-records.ts';
import { TenantChunks } from './store/parts/tenant-chunks.ts';
import { UnfinishedMedia } from './store/unfinished-media.ts';

/** Where releases before 0.2 kept rendered pieces, by their keys alone. */
const LEGACY_CHUNKS = 'chunks';

/** A node that is up. */
export interface RunningNode {
  /** Where it listens; null where it answers nobody. */
  readonly url: string | null;
  readonly sandbox: SandboxStatus;
  /** How many videos it renders at once. */
  readonly renders: number;
  /** Stops taking requests, puts what is being rendered back into the queue, and closes everything. */
  stop(): Promise<void>;
}

/** Puts a node together and starts it. The only place that knows every adapter. */
export async function startNode(config: Config, role: Role, version: string): Promise<RunningNode> {
  const deployment = deploymentOf(config, role);
  const { dataDir } = deployment;
  await using held = new AsyncDisposableStack();
  const running = new RunningExports();
  const log: { to: Log } = { to: () => {} };
  const events: NodeStoreEvents = {
    onCancelled: (exportId) => running.cancel(exportId),
    onFault: (what, error) => log.to('error', 'the store stumbled', { what, error }),
  };
  const store = await openStore(deployment, events, config);
  held.defer(() => store.close());
  const { database } = store;
  const { blobs, local, partials, addresses } = await openFiles(deployment, config);
  const stuck = await local.sweep();
  const compileCacheDir = join(dataDir, 'compile-cache');
  const cgroups = RenderCgroups.open(config.sandbox === 'off' ? 'off' : config.cgroup);
  const sandbox = await prepareChildren(config, compileCacheDir, local);

  const metrics = held.use(new Metrics());
  const host = new RenderHost({
    mode: config.sandbox,
    allowance: childAllowance(config),
    mediaLimits: mediaLimits(config),
    cgroups,
    standBack: config.standBack,
    compileCacheDir,
    onChildEnded: (code) => metrics.childEnded(code),
    log: (message, detail) => log.to('debug', message, { detail }),
  });
  const { renders, shapesMemoryBytes } = renderCapacity(config, role);
  const limitBytes = config.chunkCacheBytes;
  const partRecords = new PartRecords();
  const cache = await ChunkCache.open({ database, parts: partRecords, blobs, local, limitBytes, now: Date.now });
  if (store.alone) await cache.adoptFiles(LEGACY_CHUNKS);
  // Without keys there is one tenant, whose pieces need no fence.
  const chunks = new TenantChunks(cache, { shared: config.sharedCache || config.apiKeys.length === 0 });
  const rules: RequestRules = {
    json: jsonLimits(config),
    timeline: timelineLimits(config),
    presets: config.presets,
    engineVersion: ENGINE_VERSION,
  };
  // As many may wait as may be sent at once, so that nobody is turned away who was let in.
  const planner = held.use(new ThreadPlanner(rules, { threads: planningThreads(), mostWaiting: config.maxUploads }));
  const { api, media, housekeeper, webhooks, frames, worker } = composeExports({
    ...store,
    records: new ExportRecords(),
    outputs: new OutputRecords(),
    deliveries: new DeliveryRecords(),
    media: new MediaRecords(),
    contents: new ContentRecords(),
    parts: partRecords,
    unfinished: new UnfinishedMedia(),
    partials,
    running,
    blobs,
    local,
    addresses,
    chunks,
    host,
    rules,
    planner,
    shapesMemoryBytes,
    policy: exportsPolicy(config),
    // More than one even on a small machine: a request with files that take long must not hold up all others.
    probing: new Gate(Math.max(2, availableParallelism())),
    now: Date.now,
    meter: metrics,
    log: (level, message, detail) => log.to(level, message, detail),
    describe: (view) => callbackMetadata(view, config.publicUrl),
    checks: async () => [sandboxCheck(sandbox, cgroups.detail)],
  });
  const uploads = held.use(await local.scratch());
  held.use(frames);
  const endedSessions = new EndedSessionRecords(database);
  const parts = { api, media, metrics, endedSessions, config, version, uploadFolder: uploads.path };
  const front = role === 'work' ? null : await openFront(parts);
  log.to = front?.log ?? lineLog(config.logLevel, process.stdout);
  for (const { name, error } of stuck) log.to('warn', 'old work could not be removed', { error, name });
  if (!sandbox.complete) {
    log.to('warn', 'renders are not fully locked in on this machine', { missing: sandbox.missing });
  }

  await housekeeper.recover();
  const stop = new AbortController();
  const upkeep = async (signal: AbortSignal) => {
    await Promise.all([housekeeper.run(signal), webhooks.run(signal)]);
  };
  const rendering = Array.from({ length: renders }, () => worker().run(stop.signal));
  const work = [store.leader.run('upkeep', upkeep, stop.signal), ...rendering];
  held.defer(async () => {
    stop.abort();
    await Promise.all([front?.close(), ...work]);
  });
  const url = (await front?.listen()) ?? null;
  const { metricsAddress: address, metricsKey: key } = config;
  const status = () => api.status();
  if (address !== null) held.use(await startMetricsServer({ address, key, metrics, status }));
  const open = held.move();
  return { url, sandbox, renders, stop: () => open.disposeAsync() };
}

/** Finds out how well children are locked in here, and makes them start fast. In the work folder: a crash leaves nothing. */
async function prepareChildren({ sandbox: mode }: Config, cache: string, local: LocalFiles): Promise<SandboxStatus> {
  await using folder = await local.scratch();
  const [sandbox] = await Promise.all([sandboxStatus(mode, folder.path), warmCompileCache(cache, folder.path)]);
  return sandbox;
}
