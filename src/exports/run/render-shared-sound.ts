import type { PlanOutline } from '../../plan/plan-outline.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Database } from '../../store/database.ts';
import type { Attempt, JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { OutputRecords } from '../../store/records/output-records.ts';
import type { ExportChild } from './export-child.ts';
import type { JobRun } from './job-run.ts';
import { assemblyJob } from './output-work.ts';

interface RenderSharedSoundPorts {
  readonly database: Database;
  readonly outputs: Pick<OutputRecords, 'finishSound'>;
  readonly jobs: Pick<JobQueue, 'complete' | 'enqueue'>;
  readonly chunks: Pick<TenantChunks, 'has' | 'get' | 'put'>;
  readonly changes: Pick<Changes, 'notify'>;
}

/** Renders the sound that all outputs share. */
export class RenderSharedSound {
  readonly #ports: RenderSharedSoundPorts;

  constructor(ports: RenderSharedSoundPorts) {
    this.#ports = ports;
  }

  async run(attempt: Attempt, run: JobRun): Promise<void> {
    const { database, outputs, jobs, chunks, changes } = this.#ports;
    const { job } = attempt;
    const [plan] = run.plans;
    if (!(await chunks.has(job.tenant, plan.audio.key))) {
      const child = await run.child();
      await chunks.put(job.tenant, plan.audio.key, await this.render(plan, child, run));
    }
    await database.transaction(
      async (tx) => {
        if (!(await jobs.complete(attempt, tx))) return;
        const ready = await outputs.finishSound(job.exportId, tx);
        await jobs.enqueue(
          ready.map((preset) => assemblyJob(job, preset)),
          tx,
        );
      },
      // If this commit is lost, the job runs again and finds the sound in the cache.
      { lockExport: job.exportId, durable: false },
    );
    changes.notify(job.exportId);
  }

  /** Renders the sound of a plan; the caller owns the returned file. */
  async render(plan: PlanOutline, child: ExportChild, run: Pick<JobRun, 'signal' | 'onWarning'>): Promise<string> {
    const out = child.path('sound.m4a');
    const inputs = await child.inputs(plan, plan.needs.sound);
    const voice: [source: number, path: string][] = [];
    for (const { source, key } of plan.audio.voices) {
      voice.push([source, await this.#voiceFile(key, { ...inputs, source }, child, run)]);
    }
    await child.request('render_sound', { ...inputs, voice, out }, run);
    return child.take(out);
  }

  /**
   * The voice ranges of a source, as a file for the child. Found once for all exports that play the same part of it.
   * (R28)
   */
  async #voiceFile(
    key: string,
    params: Awaited<ReturnType<ExportChild['inputs']>> & { readonly source: number },
    child: ExportChild,
    { signal }: Pick<JobRun, 'signal'>,
  ): Promise<string> {
    const { chunks } = this.#ports;
    const name = `voice-${params.source}.json`;
    await using kept = await chunks.get(child.tenant, key);
    if (kept !== null) return child.lend(kept.path, name);
    const out = child.path(name);
    await child.request('find_voice', { ...params, out }, { signal });
    const found = await child.take(out);
    const lent = await child.lend(found, name);
    await chunks.put(child.tenant, key, found);
    return lent;
  }
}
