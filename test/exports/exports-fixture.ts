import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeExports } from '../../src/compose/compose-exports.ts';
import type { ExportsParts, ExportsPolicy, ExportsPorts, FramesPolicy } from '../../src/compose/exports-ports.ts';
import { recordsOfExports } from '../../src/compose/open-store.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import type { ExportsApi } from '../../src/exports/api/exports-api.ts';
import type { Submission, SubmittedFile } from '../../src/exports/api/submission.ts';
import { Gate } from '../../src/exports/gate.ts';
import { RunningExports } from '../../src/exports/run/running-exports.ts';
import { InstallModels } from '../../src/exports/speech/install-models.ts';
import { plannerHere } from '../../src/exports/submit/planner.ts';
import type { RequestRules } from '../../src/exports/submit/read-request.ts';
import { Metrics } from '../../src/http/server/metrics.ts';
import { DEFAULT_CHILD_ALLOWANCE } from '../../src/sandbox/host/child-limits.ts';
import { RenderHost } from '../../src/sandbox/render-host.ts';
import { InstalledModels } from '../../src/speech/models/installed-models.ts';
import { ChunkCache } from '../../src/store/chunks/chunk-cache.ts';
import { ChunkRecords } from '../../src/store/chunks/chunk-records.ts';
import { TenantChunks } from '../../src/store/chunks/tenant-chunks.ts';
import { DiskBlobStore } from '../../src/store/disk/disk-blob-store.ts';
import { DiskPartialFiles } from '../../src/store/disk/disk-partial-files.ts';
import { LinkedLocalFiles } from '../../src/store/disk/linked-local-files.ts';
import { RETRIES } from '../../src/store/job-queue.ts';
import { ChangeHub } from '../../src/store/nodes/change-hub.ts';
import { LiveProgress } from '../../src/store/nodes/live-progress.ts';
import { LocalBell } from '../../src/store/nodes/node-store.ts';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import type { Presets } from '../../src/timeline/presets.ts';
import { TEST_MODELS } from '../fixtures/caption-model.ts';

/** Small, so that an export takes a moment. */
const PRESETS: Presets = [
  { name: 'preset_one', width: 128, height: 72, aliases: [] },
  { name: 'preset_two', width: 72, height: 128, aliases: [] },
  { name: 'preset_three', width: 96, height: 96, aliases: [] },
];

const RULES: RequestRules = {
  json: { maxBytes: 1_000_000, maxDepth: 32, maxValues: 50_000 },
  timeline: DEFAULT_TIMELINE_LIMITS,
  presets: PRESETS,
  engineVersion: 'test',
};

/** Jobs are retried at once. */
const SHORT_PAUSES = { ...RETRIES, render: { ...RETRIES.render, pauseMs: () => 10 } };

/** Few frames, no spare child. */
export const FRAMES_POLICY: FramesPolicy = {
  ...{ maxFrames: 8, maxTenantFrames: 4, framesAtOnce: 2, frameLimitMs: 30_000 },
  ...{ spare: 'never', keptMs: 60_000, spareMs: 60_000, maxKept: 2, maxKeptBytes: 2 ** 40 },
};

/** The use cases on real adapters in a temporary folder, with or without a worker. */
export class ExportsFixture implements AsyncDisposable {
  readonly folder: string;
  readonly ports: ExportsPorts;
  readonly parts: ExportsParts;
  readonly logged: string[];
  /** What operators would see. */
  readonly metrics: Metrics;
  readonly #stop = new AbortController();
  readonly #database: SqliteDatabase;
  readonly #running: Promise<void>[] = [];

  private constructor(
    folder: string,
    ports: ExportsPorts,
    database: SqliteDatabase,
    metrics: Metrics,
    logged: string[],
  ) {
    this.metrics = metrics;
    this.folder = folder;
    this.ports = ports;
    this.logged = logged;
    this.#database = database;
    this.parts = composeExports(ports);
  }

  get api(): ExportsApi {
    return this.parts.api;
  }

  /** @param replaced adapters and clocks of the test; gets the usual ones. */
  static async open(
    policy: Partial<ExportsPolicy> = {},
    folder = mkdtempSync(join(tmpdir(), 'tiercut-exports-')),
    replaced: (usual: ExportsPorts) => Partial<ExportsPorts> = () => ({}),
  ) {
    const database = await SqliteDatabase.open(folder);
    const blobs = await DiskBlobStore.open(folder);
    const local = await LinkedLocalFiles.open(folder, blobs);
    await local.sweep();
    const logged: string[] = [];
    const metrics = new Metrics();
    const running = new RunningExports();
    // As in a service, the queue has a clock of its own, unless the test has one for everything.
    const clock = { now: (): number => performance.timeOrigin + performance.now() };
    const onCancelled = (id: string) => running.cancel(id);
    const now = Date.now;
    const jobs = new SqliteJobQueue(database, {
      retries: SHORT_PAUSES,
      onCancelled,
      now: () => Math.round(clock.now()),
    });
    const chunkRecords = new ChunkRecords();
    const cache = await ChunkCache.open({
      database,
      records: chunkRecords,
      blobs,
      local,
      limitBytes: 100_000_000,
      now,
    });
    const changes = new ChangeHub();
    const models = new InstalledModels(TEST_MODELS);
    const usual: ExportsPorts = {
      ...recordsOfExports(),
      database,
      chunkRecords,
      models,
      installs: new InstallModels({
        ...{ modelsDir: join(folder, 'models'), models, installsAtFirstUse: false, log: () => {}, now },
        install: () => Promise.reject(new Error('A test installs nothing.')),
      }),
      partials: await DiskPartialFiles.open(folder),
      jobs,
      running,
      blobs,
      local,
      addresses: null,
      alone: true,
      reserve: null,
      chunks: new TenantChunks(cache, { shared: false }),
      host: new RenderHost({
        mode: 'auto',
        allowance: DEFAULT_CHILD_ALLOWANCE,
        mediaLimits: DEFAULT_MEDIA_LIMITS,
        onChildEnded: (code) => metrics.childEnded(code),
      }),
      rules: RULES,
      planner: plannerHere(RULES),
      presetsMemoryBytes: DEFAULT_CHILD_ALLOWANCE.rssBytes,
      policy: {
        maxWaiting: 100,
        maxUploads: 100,
        maxTenantUploads: 100,
        maxWaitingInAll: 1000,
        minFreeDiskBytes: 0,
        minFreeDiskPercent: 0,
        retentionMs: 3_600_000,
        maxRetentionHours: 48,
        mediaRetentionMs: 3_600_000,
        unfinishedRetentionMs: 3_600_000,
        maxMediaBytes: 100_000_000,
        maxMediaFiles: 1000,
        maxTenantRows: 100_000,
        maxUnfinishedUploads: 10,
        maxProjects: 100,
        maxDrafts: 3,
        maxMediaParts: 200,
        maxFileBytes: 10_000_000,
        maxImageFileBytes: 1_000_000,
        maxFetches: 8,
        maxTenantFetches: 2,
        maxTenantCaptions: 2,
        allowPrivateDestinations: true,
        maxSends: 4,
        maxTenantSends: 2,
        fetchRules: { allowPrivate: true, idleMs: 10_000, totalMs: 20_000 },
        prerender: 'all',
        allowPrivateCallbacks: true,
        webhookSecret: null,
        webhookSecrets: [],
        frames: FRAMES_POLICY,
        ...policy,
      },
      changes,
      progress: new LiveProgress(changes),
      draftBell: new LocalBell(),
      probing: new Gate(1),
      now: Date.now,
      meter: metrics,
      log: (_level, message, { error }: { error?: unknown }) => {
        logged.push(error === undefined ? message : `${message}: ${String(error)}`);
      },
      describe: ({ id }) => ({ export_id: id }),
      describeBatch: ({ id }) => ({ batch_id: id }),
      checks: async () => [],
    };
    const ports = { ...usual, ...replaced(usual) };
    if (ports.now !== usual.now) clock.now = ports.now;
    const planner = plannerHere(ports.rules);
    const fixture = new ExportsFixture(folder, { ...ports, planner }, database, metrics, logged);
    await fixture.parts.housekeeper.recover();
    fixture.#running.push(fixture.parts.housekeeper.run(fixture.#stop.signal));
    fixture.#running.push(fixture.parts.webhooks.run(fixture.#stop.signal));
    fixture.#running.push(fixture.parts.fetching.run(fixture.#stop.signal));
    fixture.#running.push(fixture.parts.captions.run(fixture.#stop.signal));
    fixture.#running.push(fixture.parts.sending.run(fixture.#stop.signal));
    return fixture;
  }

  /** From here on workers run jobs. */
  startWorker(): void {
    this.#running.push(this.parts.worker().run(this.#stop.signal));
  }

  /** Stops as a service does; the folder stays. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
    await this.parts.frames[Symbol.asyncDispose]();
    await this.parts.usage[Symbol.asyncDispose]();
    await this.ports.jobs.close();
    await this.#database.close();
    this.metrics[Symbol.dispose]();
  }

  /** A request as HTTP would pass it on: the files are copied to the folder of uploads. */
  submission(
    documents: { tier_list?: object; timeline_data: object; settings?: object },
    files: Readonly<Record<string, string>> = {},
    other: Partial<Submission> = {},
  ): Submission {
    const texts = new Map(
      Object.entries({ tier_list: {}, ...documents }).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    const uploads = new Map(Object.entries(files).map(([field, file]) => [field, this.#upload(file)]));
    const requestHash = createHash('sha256')
      .update(JSON.stringify([...texts]))
      .digest('hex');
    const none = {
      idempotencyKey: null,
      callbackUrl: null,
      callbackEvents: null,
      externalId: null,
      project: null,
      retentionHours: null,
      destinations: null,
      presets: null,
      metadata: null,
      waits: true,
    };
    return { tenant: 'default', texts, uploads, requestHash, ...none, ...other };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #upload(file: string): SubmittedFile {
    const path = join(this.folder, 'work', randomUUID());
    copyFileSync(file, path);
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    return { path, bytes: statSync(path).size, sha256, fileName: null, contentType: 'application/octet-stream' };
  }
}
