import { access } from 'node:fs/promises';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { Attempt, Job, JobQueue } from '../../store/job-queue.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { TenantChunks } from '../../store/tenant-chunks.ts';
import type { ChangeHub } from '../change-hub.ts';
import type { LiveProgress } from '../live-progress.ts';
import type { JobRun } from './job-run.ts';
import { assemblyJob } from './output-work.ts';
import type { RenderSlot } from './render-slot.ts';

/** Followers look at the export each time they are told: often enough for a smooth bar, no more. */
const TELL_EVERY_MS = 250;

interface RenderChunksPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly outputs: Pick<OutputRecords, 'finishChunks'>;
  readonly jobs: Pick<JobQueue, 'complete' | 'enqueue'>;
  readonly chunks: Pick<TenantChunks, 'get' | 'put'>;
  readonly progress: Pick<LiveProgress, 'set'>;
  readonly changes: Pick<ChangeHub, 'notify'>;
}

/** A chunk of a plan, and where the child is to put it. */
interface Piece {
  readonly range: RenderPlan['chunks'][number];
  readonly out: string;
}

/** Renders the pictures of outputs, chunk by chunk. */
export class RenderChunks {
  readonly #ports: RenderChunksPorts;

  constructor(ports: RenderChunksPorts) {
    this.#ports = ports;
  }

  /**
   * Renders the job's chunks, several in one go so that the child's stages overlap. Each is in the cache as soon as it is
   * on disk: what a crash interrupts later finds it there. Their frames are counted once, when all are done.
   */
  async run(attempt: Attempt, run: JobRun): Promise<void> {
    const { job } = attempt;
    const { progress, changes } = this.#ports;
    try {
      for (const plan of run.plans) await this.#renderMissing(job, plan, run);
    } finally {
      // Before they are recorded: counted twice for a moment, progress would never come down again.
      for (const { preset } of run.plans) progress.set(job.exportId, preset, job.id, 0);
    }
    await this.#record(attempt, run);
    changes.notify(job.exportId);
  }

  async #renderMissing(job: Job, plan: RenderPlan, run: JobRun): Promise<void> {
    const missing: number[] = [];
    let cachedFrames = 0;
    for (const chunk of chunksOf(job)) {
      const { key, start, end } = plan.chunks[chunk]!;
      await using cached = await this.#ports.chunks.get(job.tenant, key);
      if (cached === null) missing.push(chunk);
      else cachedFrames += end - start;
    }
    if (missing.length > 0) await this.#render(job, plan, missing, cachedFrames, run);
  }

  async #render(job: Job, plan: RenderPlan, numbers: readonly number[], before: number, run: JobRun): Promise<void> {
    const { progress, changes } = this.#ports;
    const slot = await run.slot();
    const pieces: Piece[] = numbers.map((chunk) => ({
      range: plan.chunks[chunk]!,
      out: slot.path(`${plan.preset}-${chunk}.mp4`),
    }));
    let published = 0;
    const publishFinished = async (): Promise<void> => {
      for (let next = pieces[published]; next !== undefined && (await exists(next.out)); next = pieces[published]) {
        published += 1;
        await this.#publish(next, slot);
      }
    };
    // One at a time: progress comes faster than files are taken in.
    let publishing: Promise<void> = Promise.resolve();
    let busy = false;
    let toldAtMs = 0;
    const onProgress = ({ done }: { done: number }): void => {
      progress.set(job.exportId, plan.preset, job.id, before + done);
      if (performance.now() - toldAtMs >= TELL_EVERY_MS) {
        toldAtMs = performance.now();
        changes.notify(job.exportId);
      }
      if (busy) return;
      busy = true;
      publishing = publishFinished().finally(() => {
        busy = false;
      });
      publishing.catch(() => {}); // thrown below
    };
    const jobs = pieces.map(({ range: { start, end }, out }) => ({ range: { start, end }, out }));
    const { signal, onWarning } = run;
    await slot.child.request('render_chunks', { ...slot.inputs(plan), jobs }, { signal, onProgress, onWarning });
    await publishing;
    for (const piece of pieces.slice(published)) await this.#publish(piece, slot);
  }

  /** From here on nobody renders this chunk again, whatever becomes of the job. */
  async #publish({ range, out }: Piece, slot: RenderSlot): Promise<void> {
    await this.#ports.chunks.put(slot.tenant, range.key, await slot.take(out));
  }

  /** Counts the job as done; the one that completes an output brings on its assembly. */
  async #record(attempt: Attempt, { plans }: JobRun): Promise<void> {
    const { database, records, jobs, outputs } = this.#ports;
    const { job } = attempt;
    await database.transaction(async (tx) => {
      if (!(await jobs.complete(attempt, tx))) return;
      const record = await records.find(job.exportId, tx);
      for (const { preset, chunks } of plans) {
        // One of several outputs may have failed meanwhile.
        const state = record?.outputs.find((output) => output.preset === preset)?.state;
        if (state !== 'queued' && state !== 'rendering') continue;
        const frames = chunksOf(job).reduce((sum, chunk) => sum + chunks[chunk]!.end - chunks[chunk]!.start, 0);
        const { jobsLeft } = await outputs.finishChunks(job.exportId, preset, frames, tx);
        if (jobsLeft === 0) await jobs.enqueue([assemblyJob(job, preset)], tx);
      }
    });
  }
}

function chunksOf({ chunks }: Job): number[] {
  return Array.from({ length: chunks!.count }, (_, offset) => chunks!.first + offset);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
