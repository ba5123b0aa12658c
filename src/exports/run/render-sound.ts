import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import type { Database } from '../../store/database.ts';
import type { Attempt, JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { TenantChunks } from '../../store/parts/tenant-chunks.ts';
import type { JobRun } from './job-run.ts';
import { assemblyJob } from './output-work.ts';
import type { RenderSlot } from './render-slot.ts';

interface RenderSoundPorts {
  readonly database: Database;
  readonly outputs: Pick<OutputRecords, 'finishSound'>;
  readonly jobs: Pick<JobQueue, 'complete' | 'enqueue'>;
  readonly chunks: Pick<TenantChunks, 'has' | 'get' | 'put'>;
  readonly changes: Pick<Changes, 'notify'>;
}

/** Renders the sound that all outputs share. */
export class RenderSound {
  readonly #ports: RenderSoundPorts;

  constructor(ports: RenderSoundPorts) {
    this.#ports = ports;
  }

  async run(attempt: Attempt, run: JobRun): Promise<void> {
    const { database, outputs, jobs, chunks, changes } = this.#ports;
    const { job } = attempt;
    const [plan] = run.plans;
    if (!(await chunks.has(job.tenant, plan.audio.key))) {
      const slot = await run.slot();
      await chunks.put(job.tenant, plan.audio.key, await this.render(plan, slot, run));
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
  async render(plan: PlanOutline, slot: RenderSlot, run: Pick<JobRun, 'signal' | 'onWarning'>): Promise<string> {
    const out = slot.path('sound.m4a');
    const inputs = await slot.inputs(plan, plan.needs.sound);
    const voice: [source: number, path: string][] = [];
    for (const { source, key } of plan.audio.voices) {
      voice.push([source, await this.#voiceFile(key, { ...inputs, source }, slot, run)]);
    }
    await slot.child.request('render_sound', { ...inputs, voice, out }, run);
    return slot.take(out);
  }

  /**
   * The voice ranges of a source, as a file for the child. Found once for all exports that play the same part of it.
   * (R28)
   */
  async #voiceFile(
    key: string,
    params: Awaited<ReturnType<RenderSlot['inputs']>> & { readonly source: number },
    slot: RenderSlot,
    { signal }: Pick<JobRun, 'signal'>,
  ): Promise<string> {
    const { chunks } = this.#ports;
    const name = `voice-${params.source}.json`;
    await using kept = await chunks.get(slot.tenant, key);
    if (kept !== null) return slot.lend(kept.path, name);
    const out = slot.path(name);
    await slot.child.request('find_voice', { ...params, out }, { signal });
    const found = await slot.take(out);
    const lent = await slot.lend(found, name);
    await chunks.put(slot.tenant, key, found);
    return lent;
  }
}
