import { availableParallelism } from 'node:os';
import { readKeys } from './compose/api-keys.ts';
import { composeExports } from './compose/compose-exports.ts';
import type { ExportsParts } from './compose/exports-ports.ts';
import { exportsPolicy, planningThreads, renderCapacity } from './compose/node-settings.ts';
import { openChildren, sandboxCheck } from './compose/open-children.ts';
import { openChunks, openFiles } from './compose/open-files.ts';
import { type Front, lineLog, openFront, unlistenable } from './compose/open-front.ts';
import { openStore, recordsOfExports } from './compose/open-store.ts';
import { type Config, jsonLimits, modelsDirOf, timelineLimits } from './config/config.ts';
import { deploymentOf, type Role } from './config/deployment.ts';
import { signingOf } from './exports/deliver/send-webhook.ts';
import { Gate } from './exports/gate.ts';
import type { Log } from './exports/log.ts';
import { RunningExports } from './exports/run/running-exports.ts';
import { InstallModels } from './exports/speech/install-models.ts';
import { ThreadPlanner } from './exports/submit/planner.ts';
import type { RequestRules } from './exports/submit/read-request.ts';
import { BATCH } from './http/replies/batch-replies.ts';
import { callbackMetadata } from './http/replies/export-replies.ts';
import { KeyRing } from './http/server/identify.ts';
import { Metrics, startMetricsServer } from './http/server/metrics.ts';
import { ENGINE_VERSION } from './plan/keys/engine-version.ts';
import type { SandboxStatus } from './sandbox/sandbox-status.ts';
import { installModel } from './speech/models/install-model.ts';
import { InstalledModels } from './speech/models/installed-models.ts';
import { ChunkRecords } from './store/chunks/chunk-records.ts';
import type { NodeStore } from './store/nodes/node-store.ts';
import { EndedSessionRecords } from './store/records/ended-session-records.ts';

/** A running node. */
interface RunningNode {
  /** The address that it listens on; null if it serves no requests. */
  readonly url: string | null;
  readonly sandbox: SandboxStatus;
  /** How many videos it renders at once. */
  readonly renders: number;
  /** Stops accepting requests, releases running jobs to the queue, and closes everything. */
  stop(): Promise<void>;
}

/** Composes a node and starts it. The only place that knows every adapter. */
export async function startNode(given: Config, role: Role, version: string): Promise<RunningNode> {
  const nodeKeys = await readKeys(given);
  const config = { ...given, apiKeys: nodeKeys.keys };
  const deployment = deploymentOf(config, role);
  await using held = new AsyncDisposableStack();
  const running = new RunningExports();
  // The log exists once the node serves; nothing is logged before.
  const written: { to: Log } = { to: () => {} };
  const log: Log = (level, message, detail) => written.to(level, message, detail);
  const events = {
    onCancelled: (exportId: string) => running.cancel(exportId),
    onOvertaken: (jobId: string) => running.stop(jobId),
    onFault: (what: string, error: unknown) => log('error', 'store failed', { what, error }),
  };
  const store = await openStore(deployment, events, config);
  held.defer(() => store.close());
  const files = await openFiles(deployment, config, store.now);
  const stuck = await files.local.sweep();
  const metrics = held.use(new Metrics());
  const children = await openChildren(config, { local: files.local, metrics, log });
  const { host, sandbox, cgroups } = children;
  const chunkRecords = new ChunkRecords();
  const rules = requestRules(config);
  const { renders, presetsMemoryBytes } = renderCapacity(config, role);
  const modelsDir = modelsDirOf(config);
  const models = await InstalledModels.open(modelsDir, config);
  const exports = composeExports({
    ...store,
    ...files,
    ...recordsOfExports(),
    chunkRecords,
    running,
    chunks: await openChunks(config, store, files, chunkRecords),
    host,
    models,
    installs: held.use(
      new InstallModels({
        ...{ modelsDir, models, install: installModel, log, now: store.now },
        installsAtFirstUse: config.models === 'auto',
      }),
    ),
    rules,
    // The queue has room for all concurrent uploads, so that no admitted request is refused.
    planner: held.use(new ThreadPlanner(rules, { threads: planningThreads(), maxWaiting: config.maxUploads })),
    presetsMemoryBytes,
    policy: exportsPolicy(config),
    // At least two, even on a small machine: one request with slow files must not block all others.
    probing: new Gate(Math.max(2, availableParallelism())),
    now: store.now,
    meter: metrics,
    log,
    describe: (view) => callbackMetadata(view, config.publicUrl),
    describeBatch: (view) => BATCH.write(view),
    checks: async () => [
      sandboxCheck(sandbox, cgroups.detail),
      // Unsigned webhooks are the operator's choice: reported, but the node is ready.
      { name: 'webhooks', ok: true, detail: signingOf(config) },
    ],
  });
  const { api, media, projects, batches, drafts, speech } = exports;
  const uploads = held.use(await files.local.scratch());
  held.use(exports.frames);
  held.use(exports.usage);
  const endedSessions = new EndedSessionRecords(store.database);
  const ring = new KeyRing(nodeKeys.keys);
  const answering = {
    ring,
    api,
    media,
    projects,
    batches,
    drafts,
    speech,
    metrics,
    endedSessions,
    config,
    version,
    uploadFolder: uploads.path,
  };
  const front = role === 'work' ? null : await openFront(answering);
  written.to = front?.log ?? lineLog(config.logLevel, process.stdout);
  if (front !== null) held.use(await nodeKeys.follow(ring, log));
  for (const { name, error } of stuck) log('warn', 'old work folder not removed', { error, name });
  if (config.webhookSecret === null && role !== 'work')
    log('info', 'webhooks unsigned', { webhooks: signingOf(config) });
  if (!sandbox.complete) log('warn', 'sandbox incomplete', { missing: sandbox.missing });

  await exports.housekeeper.recover();
  held.use(startWork(store, exports, front, renders));
  const url = (await front?.listen()) ?? null;
  const { metricsAddress: address, metricsKey: key } = config;
  const status = () => api.status();
  if (address !== null) {
    const started = startMetricsServer({ address, key, metrics, status }).catch((cause: unknown) => {
      throw unlistenable(cause, address, 'TIERCUT_METRICS_ADDRESS');
    });
    held.use(await started);
  }
  const open = held.move();
  return { url, sandbox, renders, stop: () => open.disposeAsync() };
}

function requestRules(config: Config): RequestRules {
  return {
    json: jsonLimits(config),
    timeline: timelineLimits(config),
    presets: config.presets,
    engineVersion: ENGINE_VERSION,
  };
}

/** Renders queued jobs, and does the housekeeping and feeds batches if this node leads; ends with the last response. */
function startWork(
  { leader }: Pick<NodeStore, 'leader'>,
  { housekeeper, webhooks, feeding, fetching, captions, sending, worker }: ExportsParts,
  front: Front | null,
  renders: number,
): AsyncDisposable {
  const stop = new AbortController();
  const upkeep = async (signal: AbortSignal) => {
    await Promise.all([housekeeper.run(signal), webhooks.run(signal), feeding.run(signal)]);
  };
  const rendering = Array.from({ length: renders }, () => worker().run(stop.signal));
  // Only on nodes that serve requests: workers need no outbound access.
  const taken = front === null ? [] : [fetching, captions, sending].map((claimed) => claimed.run(stop.signal));
  const work = [leader.run('upkeep', upkeep, stop.signal), ...taken, ...rendering];
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([front?.close(), ...work]);
    },
  };
}
