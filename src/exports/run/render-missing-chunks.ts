import { access } from 'node:fs/promises';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { PlanOutline } from '../../plan/plan-outline.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Database } from '../../store/database.ts';
import type { Attempt, Job, JobQueue } from '../../store/job-queue.ts';
import type { Changes, JobInProgress, Progress } from '../../store/nodes/node-store.ts';
import type { OutputRecords } from '../../store/records/output-records.ts';
import type { ExportChild } from './export-child.ts';
import type { JobRun } from './job-run.ts';
import { assemblyJob } from './output-work.ts';
import { renderCancelled } from './running-exports.ts';

interface RenderMissingChunksPorts {
  readonly database: Database;
  readonly outputs: Pick<OutputRecords, 'finishChunks' | 'statesOf'>;
  readonly jobs: Pick<JobQueue, 'complete' | 'enqueue'>;
  readonly chunks: Pick<TenantChunks, 'has' | 'put'>;
  readonly progress: Pick<Progress, 'report' | 'end'>;
  readonly changes: Pick<Changes, 'notify'>;
}

/** The chunks of a job that one output lacks. */
interface Lacking {
  readonly plan: PlanOutline;
  readonly numbers: readonly number[];
  /** Frames of the job that are in the cache. */
  readonly cachedFrames: number;
}

/** Renders the chunks of outputs. */
export class RenderMissingChunks {
  readonly #ports: RenderMissingChunksPorts;

  constructor(ports: RenderMissingChunksPorts) {
    this.#ports = ports;
  }

  /**
   * Renders the chunks of a job: several in one call so that the stages of the child overlap, and for all its outputs
   * at once so that their media are decoded once. Each chunk is cached as soon as it is on disk, so a retry after a
   * crash finds it. Their frames are counted once, when all are done.
   */
  async run(attempt: Attempt, run: JobRun): Promise<void> {
    const { job } = attempt;
    const { progress, changes } = this.#ports;
    try {
      const lacking: Lacking[] = [];
      for (const plan of run.plans) lacking.push(await this.#lackOf(job, plan));
      await this.#render(
        job,
        lacking.filter(({ numbers }) => numbers.length > 0),
        run,
      );
    } finally {
      await progress.end(
        inProgress(job),
        run.plans.map(({ preset }) => preset),
      );
    }
    await this.#record(attempt, run);
    changes.notify(job.exportId);
  }

  async #lackOf(job: Job, plan: PlanOutline): Promise<Lacking> {
    const numbers: number[] = [];
    let cachedFrames = 0;
    for (const chunk of chunksOf(job)) {
      const { key, start, end } = plan.chunks[chunk]!;
      if (await this.#ports.chunks.has(job.tenant, key)) cachedFrames += end - start;
      else numbers.push(chunk);
    }
    return { plan, numbers, cachedFrames };
  }

  async #render(job: Job, lacking: readonly Lacking[], run: JobRun): Promise<void> {
    if (lacking.length === 0) return;
    const child = await run.child();
    const presets = lacking.map(({ plan, numbers, cachedFrames }) => {
      const out = (chunk: number) => child.path(`${plan.preset}-${chunk}.mp4`);
      const targets: ChunkTarget[] = numbers.map((chunk) => ({ range: plan.chunks[chunk]!, out: out(chunk) }));
      return { plan, numbers, targets, cachedFrames, frames: framesOf(targets) };
    });
    const publishing = new ChunkPublishing(
      presets.map(({ targets }) => targets),
      (target) => this.#publish(target, child),
    );
    const { progress } = this.#ports;
    const total = presets.reduce((sum, { frames }) => sum + frames, 0);
    const onProgress = ({ done }: { done: number }): void => {
      // The outputs advance together, so each gets its share of the progress.
      const share = Math.min(1, done / total);
      progress.report(
        inProgress(job),
        presets.map(({ plan, cachedFrames, frames }) => [plan.preset, cachedFrames + Math.floor(frames * share)]),
      );
      publishing.look();
    };
    const { signal, onWarning } = run;
    const asked = [];
    for (const { plan, numbers, targets } of presets) {
      const jobs = targets.map(({ range: { start, end }, out }) => ({ range: { start, end }, out }));
      const needed = new Set(numbers.flatMap((chunk) => plan.needs.chunks[chunk]!));
      asked.push({ ...(await child.inputs(plan, needed)), jobs });
    }
    const { limits } = asked[0]!;
    await child.request('render_chunks', { presets: asked, limits }, { signal, onProgress, onWarning });
    await publishing.finish();
  }

  /** From here on this chunk is not rendered again, even if the job fails. */
  async #publish({ range, out }: ChunkTarget, child: ExportChild): Promise<void> {
    await this.#ports.chunks.put(child.tenant, range.key, await child.take(out));
    // A viewer waits for this chunk, and the next progress may be far off. (C49)
    this.#ports.changes.notify(child.exportId);
  }

  /** Records the job as done. The last job of an output enqueues its assembly. */
  async #record(attempt: Attempt, { plans }: JobRun): Promise<void> {
    const { database, jobs, outputs } = this.#ports;
    const { job } = attempt;
    await database.transaction(
      async (tx) => {
        const [isOurs, states] = await Promise.all([jobs.complete(attempt, tx), outputs.statesOf(job.exportId, tx)]);
        // Another node finished the job first.
        if (!isOurs) throw renderCancelled();
        for (const { preset, chunks } of plans) {
          // One of several outputs may have failed meanwhile.
          const state = states.get(preset);
          if (state !== 'queued' && state !== 'rendering') continue;
          const frames = chunksOf(job).reduce((sum, chunk) => sum + chunks[chunk]!.end - chunks[chunk]!.start, 0);
          const { jobsLeft } = await outputs.finishChunks(
            job.exportId,
            preset,
            { first: job.chunks!.first, frames },
            tx,
          );
          if (jobsLeft === 0) await jobs.enqueue([assemblyJob(job, preset)], tx);
        }
      },
      // If this commit is lost, the job runs again and finds its chunks in the cache.
      { lockExport: job.exportId, durable: false },
    );
  }
}

function chunksOf({ chunks }: Job): number[] {
  return Array.from({ length: chunks!.count }, (_, offset) => chunks!.first + offset);
}

function framesOf(targets: readonly ChunkTarget[]): number {
  return targets.reduce((sum, { range: { start, end } }) => sum + end - start, 0);
}

function inProgress({ exportId, id, chunks }: Job): JobInProgress {
  return { exportId, id, firstChunk: chunks!.first };
}

/** A chunk of a plan, and the path that the child writes it to. */
interface ChunkTarget {
  readonly range: RenderPlan['chunks'][number];
  readonly out: string;
}

/** Publishes chunks as they appear, in the order of each preset. */
export class ChunkPublishing<Target extends Pick<ChunkTarget, 'out'>> {
  readonly #waiting: Target[][];
  readonly #publish: (target: Target) => Promise<void>;
  #under: Promise<void> = Promise.resolve();
  #busy = false;
  /** A file may have appeared after this look passed it, and more progress may be far off. */
  #again = false;

  constructor(targets: readonly (readonly Target[])[], publish: (target: Target) => Promise<void>) {
    this.#waiting = targets.map((ofOne) => [...ofOne]);
    this.#publish = publish;
  }

  /** Runs one at a time, because progress arrives faster than files are published. */
  look(): void {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    this.#under = this.#publishFinished().finally(() => {
      this.#busy = false;
    });
    this.#under.catch(() => {}); // thrown by `finish`
  }

  /** Publishes the rest; call it when all chunks exist. */
  async finish(): Promise<void> {
    await this.#under;
    for (const target of this.#waiting.flat()) await this.#publish(target);
  }

  async #publishFinished(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      for (const targets of this.#waiting) {
        while (targets.length > 0 && (await exists(targets[0]!.out))) await this.#publish(targets.shift()!);
      }
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
