import { setTimeout as delay } from 'node:timers/promises';
import { ExportError } from '../../src/errors.ts';
import { blobKey } from '../../src/store/blob-store.ts';
import { type Attempt, type Job, PRIORITY } from '../../src/store/job-queue.ts';
import type { NodeStore } from '../../src/store/nodes/node-store.ts';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/postgres-store.ts';
import type { NewExport } from '../../src/store/records/export-record.ts';
import { ExportRecords } from '../../src/store/records/export-records.ts';
import { OutputRecords } from '../../src/store/records/output-records.ts';
import { newExport } from '../../test/store/new-export.ts';

const PRESET = 'preset_one';
const FRAMES_PER_CHUNK = 30;
/** Beside its chunks an export has its sound, and is put together. */
export const JOBS_BESIDE_CHUNKS = 2;
const RETRY_AFTER_MS = 1_000;

/** A node with the real queue and the real records, whose stub renders take a given time. */
export class StubStore implements AsyncDisposable {
  readonly #store: NodeStore;
  readonly #exports = new ExportRecords();
  readonly #outputs = new OutputRecords();

  private constructor(store: NodeStore) {
    this.#store = store;
  }

  static async open(url: string, options: PostgresStoreOptions = {}): Promise<StubStore> {
    return new StubStore(await openPostgresStore(url, { onCancelled: () => {} }, options));
  }

  /** Records an export of this many chunks and puts its jobs into the queue, in one transaction. */
  async create(chunks: number, tenant: string): Promise<string> {
    const totalFrames = chunks * FRAMES_PER_CHUNK;
    const output = { preset: PRESET, width: 1920, height: 1080, totalFrames, engineVersion: 'bench', short: null };
    const record: NewExport = newExport({ tenant, totalFrames, outputs: [output] });
    await this.#store.database.transaction(async (tx) => {
      await this.#exports.insert(record, tx);
      await this.#outputs.start(record.id, PRESET, { chunkJobs: chunks, framesDone: 0, soundDone: false }, tx);
      const owner = { tenant, exportId: record.id };
      const pictures = Array.from({ length: chunks }, (_, chunk) => job(owner, 'chunks', chunk));
      await this.#store.jobs.enqueue([...pictures, job(owner, 'sound')], tx);
    });
    return record.id;
  }

  /** Claims a job, and does nothing with it. False if there is none. */
  async claim(): Promise<boolean> {
    return (await this.#store.jobs.claim()) !== null;
  }

  /** Claims jobs and finishes them, each after a stub render of this many milliseconds, until aborted. */
  async work(render: () => number, heard: JobEvents, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#workOnce(render, heard, signal);
      } catch (error) {
        // As a worker of the service does: the database answers too late, and the next try may succeed.
        if (!(error instanceof ExportError && error.code === 'store.unreachable')) throw error;
        heard.delayed?.();
        await delay(RETRY_AFTER_MS);
      }
    }
  }

  async #workOnce(render: () => number, heard: JobEvents, signal: AbortSignal): Promise<void> {
    const { jobs } = this.#store;
    const askedMs = performance.now();
    const attempt = await jobs.claim();
    if (attempt === null) {
      await jobs.changed(signal).catch(() => {});
      return;
    }
    heard.claimed(attempt.job, askedMs);
    await this.#begin(attempt);
    const renderMs = render();
    await delay(renderMs);
    if (await this.#end(attempt)) heard.ended(attempt.job, renderMs);
  }

  /** As a worker does, which reads the export and marks it as begun. */
  async #begin({ job: { exportId } }: Attempt): Promise<void> {
    const { database } = this.#store;
    const record = await this.#exports.find(exportId, database);
    if (record?.state !== 'queued') return;
    await database.transaction(
      async (tx) => {
        await Promise.all([
          this.#exports.begin(exportId, tx),
          this.#outputs.setState(exportId, PRESET, 'rendering', tx),
        ]);
      },
      { lockExport: exportId },
    );
  }

  /** Counts it as done; the last of an export brings on its assembly, and that ends it. */
  #end(attempt: Attempt): Promise<boolean> {
    const { database, jobs } = this.#store;
    const { exportId, kind, chunks } = attempt.job;
    return database.transaction(
      async (tx) => {
        const [isOurs] = await Promise.all([
          jobs.complete(attempt, tx),
          ...(kind === 'chunks' ? [this.#outputs.statesOf(exportId, tx)] : []),
        ]);
        if (!isOurs) return false;
        if (kind === 'assembly') {
          await this.#outputs.complete(exportId, PRESET, { bytes: 1, sha256: 'a', blob: blobKey('a') }, tx);
          await this.#exports.setState(exportId, 'completed', tx);
          return true;
        }
        const isReady =
          kind === 'sound'
            ? (await this.#outputs.finishSound(exportId, tx)).length > 0
            : (
                await this.#outputs.finishChunks(
                  exportId,
                  PRESET,
                  { first: chunks!.first, frames: FRAMES_PER_CHUNK },
                  tx,
                )
              ).jobsLeft === 0;
        if (isReady) await jobs.enqueue([job(attempt.job, 'assembly')], tx);
        return true;
      },
      { lockExport: exportId, durable: kind === 'assembly' },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store.close();
  }
}

/** The callbacks of a bench for jobs. */
export interface JobEvents {
  claimed(job: Job, askedMs: number): void;
  ended(job: Job, renderedMs: number): void;
  /** The database did not answer in time, and the worker tries again. */
  delayed?(): void;
}

function job(
  { tenant, exportId }: Pick<Job, 'tenant' | 'exportId'>,
  kind: Job['kind'],
  chunk: number | null = null,
): Job {
  const id = `${exportId}/${kind}/${chunk ?? ''}`;
  const presets = kind === 'sound' ? [] : [PRESET];
  const chunks = chunk === null ? null : { first: chunk, count: 1 };
  const priority = PRIORITY.selected + (kind === 'assembly' ? 1 : 0);
  return { id, tenant, exportId, kind, presets, chunks, priority };
}
