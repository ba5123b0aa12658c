import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type PlanOutline, shortNumber } from '../../plan/plan-outline.ts';
import { hashFile, sha256 } from '../../platform/sha256.ts';
import { allOrFirstFault } from '../../platform/signals.ts';
import type { BlobKey, BlobStore } from '../../store/blob-store.ts';
import type { CachedFile } from '../../store/chunks/chunk-cache.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Attempt, JobQueue } from '../../store/job-queue.ts';
import type { LocalFile } from '../../store/local-files.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { ExportRecord } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import { addUsage } from '../../store/records/usage-records.ts';
import { secondsOf } from '../../time.ts';
import { newOutputKey, posterKey } from '../export-keys.ts';
import type { Log } from '../log.ts';
import type { EndExport } from './end-export.ts';
import type { ExportChild } from './export-child.ts';
import type { JobRun } from './job-run.ts';
import type { OutputWork } from './output-work.ts';

const POSTER_TRIES = 2;

interface AssembleOutputPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly jobs: Pick<JobQueue, 'complete'>;
  readonly chunks: Pick<TenantChunks, 'get'>;
  readonly blobs: Pick<BlobStore, 'put' | 'putFile' | 'delete'>;
  readonly work: Pick<OutputWork, 'releaseParts'>;
  readonly ends: Pick<EndExport, 'complete'>;
  readonly changes: Pick<Changes, 'notify'>;
  readonly now: () => number;
  readonly log: Log;
}

/** Assembles an output and publishes it. */
export class AssembleOutput {
  readonly #ports: AssembleOutputPorts;

  constructor(ports: AssembleOutputPorts) {
    this.#ports = ports;
  }

  async run(attempt: Attempt, run: JobRun): Promise<void> {
    const { exportId, tenant } = attempt.job;
    await using parts = new AsyncDisposableStack();
    let video: string | null = null;
    while (video === null) video = await this.#assemble(tenant, parts, run);
    await this.#publish(attempt, video, run);
    this.#ports.changes.notify(exportId);
    await this.#ports.work.releaseParts(exportId, run.plans[0].preset);
  }

  /**
   * Assembles the video while the cached parts are checked. Null if one of them was damaged: it is no longer in the
   * cache.
   */
  async #assemble(tenant: string, parts: AsyncDisposableStack, run: JobRun): Promise<string | null> {
    const opening = run.child();
    const finding = this.#cachedParts(tenant, run.plans[0], parts);
    await allOrFirstFault([opening, finding]);
    const [child, cached] = [await opening, await finding];
    const checking = areWhole(cached.values(), run.signal);
    const joining = this.#join(cached, parts, child, run);
    const [, joined] = await Promise.allSettled([checking, joining]);
    if (await checking) return joining;
    // Damaged bytes may have ended the child.
    if (joined.status === 'rejected') await run.dropChild();
    return null;
  }

  /** The parts of a plan that are still in the cache, by key. Their bytes are not checked. */
  async #cachedParts(
    tenant: string,
    { chunks, audio }: PlanOutline,
    parts: AsyncDisposableStack,
  ): Promise<ReadonlyMap<string, CachedFile>> {
    const found = new Map<string, CachedFile>();
    // Repeated chunks share one key.
    for (const key of new Set([...chunks.map((chunk) => chunk.key), audio.key])) {
      const file = await this.#ports.chunks.get(tenant, key, { unchecked: true });
      if (file !== null) found.set(key, parts.use(file));
    }
    return found;
  }

  async #join(
    cached: ReadonlyMap<string, LocalFile>,
    parts: AsyncDisposableStack,
    child: ExportChild,
    run: JobRun,
  ): Promise<string> {
    const { signal } = run;
    const [plan] = run.plans;
    const chunkFiles: string[] = [];
    for (const [chunk, { key }] of plan.chunks.entries()) {
      chunkFiles.push(await this.#chunkFile(chunk, cached.get(key), parts, child, run));
    }
    const audioFile = await this.#soundFile(cached.get(plan.audio.key), parts, child, run);
    const out = child.path(`${plan.preset}.mp4`);
    await child.request('assemble', { plan: assembledPart(plan), chunkFiles, audioFile, out }, { signal });
    return child.take(out);
  }

  /** A chunk where the child can read it: from the cache, or rendered again if the cache has lost it. */
  #chunkFile(
    chunk: number,
    cached: LocalFile | undefined,
    parts: AsyncDisposableStack,
    child: ExportChild,
    run: JobRun,
  ): Promise<string> {
    const { signal } = run;
    const [plan] = run.plans;
    const { start, end } = plan.chunks[chunk]!;
    return this.#partFile(cached, `part-${chunk}.mp4`, parts, child, async (out) => {
      const { limits, ...inputs } = await child.inputs(plan, plan.needs.chunks[chunk]!);
      const jobs = [{ range: { start, end }, out }];
      await child.request('render_chunks', { presets: [{ ...inputs, jobs }], limits }, { signal });
    });
  }

  #soundFile(
    cached: LocalFile | undefined,
    parts: AsyncDisposableStack,
    child: ExportChild,
    { plans: [plan], signal, onWarning }: JobRun,
  ): Promise<string> {
    return this.#partFile(cached, 'part-sound.m4a', parts, child, async (out) => {
      const inputs = await child.inputs(plan, plan.needs.sound);
      await child.request('render_sound', { ...inputs, out }, { signal, onWarning });
    });
  }

  async #partFile(
    cached: LocalFile | undefined,
    name: string,
    parts: AsyncDisposableStack,
    child: ExportChild,
    make: (out: string) => Promise<void>,
  ): Promise<string> {
    if (cached !== undefined) {
      const lent = await child.lend(cached.path, name);
      parts.defer(() => child.remove(lent));
      return lent;
    }
    const path = child.path(name);
    parts.defer(() => child.remove(path));
    await make(path);
    return path;
  }

  /** Temporary file → fsync → rename → record: no client ever sees part of a video. */
  async #publish(attempt: Attempt, file: string, run: JobRun): Promise<void> {
    const { database, records, jobs, blobs, ends } = this.#ports;
    const { preset } = run.plans[0];
    const { exportId } = attempt.job;
    const blob = newOutputKey(exportId, preset);
    try {
      const { bytes, sha256 } = await this.#store(blob, file, run.signal);
      const record = await records.find(exportId, database);
      if (record?.selectedPreset === preset) await this.#tryPoster(exportId, run);
      const isOurs = await database.transaction(
        async (tx) => {
          if (!(await jobs.complete(attempt, tx))) return false;
          await ends.complete(exportId, preset, { bytes, sha256, blob }, tx);
          if (record !== null) await this.#count(record.tenant, run.plans[0], bytes, tx);
          return true;
        },
        { lockExport: exportId },
      );
      if (isOurs) return;
    } catch (error) {
      // A commit may have succeeded without a response: files of an existing export stay.
      await this.#removeIfEnded(exportId, blob).catch(() => {});
      throw error;
    }
    // Another worker finished it, or the export was deleted just now together with its files. These files came later.
    await blobs.delete(blob);
    await this.#removeIfEnded(exportId, blob);
  }

  /** Stores the video and hashes it meanwhile. */
  async #store(blob: BlobKey, file: string, signal: AbortSignal): Promise<{ bytes: number; sha256: string }> {
    // Opened before, because storing moves the file.
    await using video = await open(file);
    const hashing = hashFile(video, signal);
    await allOrFirstFault([hashing, this.#ports.blobs.putFile(blob, file, signal)]);
    return hashing;
  }

  /** Counts a finished video as usage. (C74) */
  async #count(tenant: string, plan: PlanOutline, bytes: number, tx: Transaction): Promise<void> {
    const nowMs = this.#ports.now();
    const amount = Math.round(secondsOf(plan.totalFrames, plan.rate) * 1000);
    const preset = shortNumber(plan.preset) === null ? plan.preset : 'shorts';
    await addUsage({ tenant, counter: 'bytes_stored', amount: bytes }, nowMs, tx);
    await addUsage({ tenant, counter: 'rendered_ms', preset, amount }, nowMs, tx);
  }

  /** Removes files that were stored for an export that was deleted meanwhile. */
  async #removeIfEnded(exportId: string, blob: BlobKey): Promise<void> {
    const { database, records, blobs } = this.#ports;
    if (isAlive(await records.find(exportId, database))) return;
    await blobs.delete(blob);
    await blobs.delete(posterKey(exportId));
  }

  /**
   * A missing poster does not fail the video. A child may crash by coincidence, so it retries once with another one.
   * (C35)
   */
  async #tryPoster(exportId: string, run: JobRun): Promise<void> {
    for (let tries = 1; tries <= POSTER_TRIES; tries += 1) {
      try {
        await this.#makePoster(exportId, run);
        return;
      } catch (error) {
        run.signal.throwIfAborted();
        this.#ports.log('error', 'poster not rendered', { exportId, error });
        await run.dropChild();
      }
    }
    run.onWarning({ path: '', code: 'poster.failed', message: 'The poster of this video could not be made.' });
  }

  /** Takes the poster from the cache, where a draft may have stored it, or renders it. */
  async #makePoster(exportId: string, run: JobRun): Promise<void> {
    const { blobs, chunks } = this.#ports;
    const [plan] = run.plans;
    const child = await run.child();
    await using cached = await chunks.get(child.tenant, posterPart(plan));
    if (cached === null) await blobs.putFile(posterKey(exportId), await renderPoster(plan, child, run.signal));
    else await blobs.put(posterKey(exportId), createReadStream(cached.path), run.signal);
  }
}

/** The part of a plan that the assembly needs. */
function assembledPart(outline: PlanOutline) {
  const { title, canvas, rate, totalFrames, chunks, audio, soundStart } = outline;
  const { totalSamples } = audio;
  const chapters = outline.chapterTrack ? outline.chapters : [];
  return { title, canvas, rate, totalFrames, chunks, chapters, audio: { totalSamples }, soundStart };
}

function isAlive(record: ExportRecord | null): boolean {
  return record !== null && record.state !== 'cancelled' && record.state !== 'expired';
}

/** Whether all parts have their original bytes. The cache forgets each damaged one. */
async function areWhole(parts: Iterable<CachedFile>, signal: AbortSignal): Promise<boolean> {
  let areWhole = true;
  for (const part of parts) {
    signal.throwIfAborted();
    if (!(await part.isWhole())) areWhole = false;
  }
  return areWhole;
}

/** The key of a poster in the chunk cache: the poster is one frame of a chunk. */
export function posterPart({ chunks, posterFrame }: PlanOutline): string {
  const { key, start } = chunks.find(({ end }) => posterFrame < end)!;
  return sha256(`poster ${key} ${posterFrame - start}`);
}

/** Renders the poster of a plan; the caller owns the returned file. (C28) */
export async function renderPoster(plan: PlanOutline, child: ExportChild, signal: AbortSignal): Promise<string> {
  const out = child.path('poster.jpg');
  const inputs = await child.inputs(plan, plan.needs.poster);
  await child.request('render_still', { ...inputs, frame: plan.posterFrame, out, format: 'jpeg' }, { signal });
  return child.take(out);
}
