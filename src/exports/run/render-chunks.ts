import { access } from 'node:fs/promises';
import type { RenderPlan } from '../../plan/render-plan.ts';
import { requirePlainFile } from '../../sandbox/host/work-folder.ts';
import type { ChunkCache } from '../../store/chunk-cache.ts';
import type { Database } from '../../store/database.ts';
import type { Attempt, JobQueue } from '../../store/job-queue.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { ChangeHub } from '../change-hub.ts';
import type { LiveProgress } from '../live-progress.ts';
import type { JobRun } from './job-run.ts';
import { assemblyJob } from './output-work.ts';

/** Followers look at the export each time they are told: often enough for a smooth bar, no more. */
const TELL_EVERY_MS = 250;

interface RenderChunksPorts {
  readonly database: Database;
  readonly outputs: Pick<OutputRecords, 'finishChunk'>;
  readonly jobs: Pick<JobQueue, 'complete' | 'enqueue'>;
  readonly chunks: Pick<ChunkCache, 'get' | 'put'>;
  readonly progress: Pick<LiveProgress, 'set'>;
  readonly changes: Pick<ChangeHub, 'notify'>;
}

/** Renders the pictures of an output, chunk by chunk. */
export class RenderChunks {
  readonly #ports: RenderChunksPorts;

  constructor(ports: RenderChunksPorts) {
    this.#ports = ports;
  }

  /**
   * Renders chunks of one output, several in one go so that the child's stages overlap. Each is recorded as soon as it is
   * on disk: what a crash interrupts later is not rendered again.
   */
  async run(attempts: readonly Attempt[], run: JobRun): Promise<void> {
    const missing: Attempt[] = [];
    for (const attempt of attempts) {
      await using cached = await this.#ports.chunks.get(chunkOf(attempt, run).key);
      if (cached === null) missing.push(attempt);
      else await this.#record(attempt, run);
    }
    if (missing.length > 0) await this.#render(missing, run);
  }

  async #render(attempts: readonly Attempt[], run: JobRun): Promise<void> {
    const { plan, signal, onWarning } = run;
    const { chunks, progress, changes } = this.#ports;
    const { exportId } = attempts[0]!.job;
    const slot = await run.slot();
    const work = attempts.map((attempt) => {
      const range = chunkOf(attempt, run);
      return { attempt, range, out: slot.path(`${plan.preset}-${attempt.job.chunk}.mp4`) };
    });
    let recorded = 0;
    let recordedFrames = 0;
    const recordFinished = async (): Promise<void> => {
      for (let next = work[recorded]; next !== undefined && (await exists(next.out)); next = work[recorded]) {
        recorded += 1;
        await chunks.put(next.range.key, await slot.take(next.out));
        recordedFrames += next.range.end - next.range.start;
        progress.set(exportId, plan.preset, 0);
        await this.#record(next.attempt, run);
      }
    };
    // One at a time: progress comes faster than records are written.
    let recording: Promise<void> = Promise.resolve();
    let busy = false;
    let toldAtMs = 0;
    const onProgress = ({ done }: { done: number }): void => {
      progress.set(exportId, plan.preset, Math.max(0, done - recordedFrames));
      if (performance.now() - toldAtMs >= TELL_EVERY_MS) {
        toldAtMs = performance.now();
        changes.notify(exportId);
      }
      if (busy) return;
      busy = true;
      recording = recordFinished().finally(() => {
        busy = false;
      });
      recording.catch(() => {}); // thrown below
    };
    const jobs = work.map(({ range: { start, end }, out }) => ({ range: { start, end }, out }));
    await slot.child.request('render_chunks', { ...slot.inputs(plan), jobs }, { signal, onProgress, onWarning });
    await recording;
    await recordFinished();
    for (const { out } of work.slice(recorded)) await requirePlainFile(out);
  }

  /** Counts a chunk as done; the one that completes its output brings on the assembly. */
  async #record({ job, attempt }: Attempt, { plan, done }: JobRun): Promise<void> {
    const { database, jobs, outputs, changes } = this.#ports;
    const { start, end } = plan.chunks[job.chunk!]!;
    await database.transaction(async (tx) => {
      if (!(await jobs.complete({ job, attempt }, tx))) return;
      const { jobsLeft } = await outputs.finishChunk(job.exportId, plan.preset, end - start, tx);
      if (jobsLeft === 0) await jobs.enqueue([assemblyJob(job.exportId, plan.preset, job.priority)], tx);
    });
    done.add(job.id);
    changes.notify(job.exportId);
  }
}

function chunkOf({ job }: Attempt, { plan }: JobRun): RenderPlan['chunks'][number] {
  return plan.chunks[job.chunk!]!;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
