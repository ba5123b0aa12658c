import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { JobQueue } from '../../store/job-queue.ts';
import type { ChangeHub } from '../change-hub.ts';
import type { ExportView } from '../exports-api.ts';
import type { LiveProgress } from '../live-progress.ts';
import type { PlanStore } from '../plan-store.ts';
import { type OutputWork, PRIORITY } from '../run/output-work.ts';
import { exportView } from './export-view.ts';

interface FollowExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly jobs: Pick<JobQueue, 'raise'>;
  readonly plans: Pick<PlanStore, 'read'>;
  readonly work: Pick<OutputWork, 'start' | 'holdParts'>;
  readonly changes: Pick<ChangeHub, 'listen'>;
  readonly progress: LiveProgress;
}

/** Waits for what comes of an export. */
export class FollowExport {
  readonly #ports: FollowExportPorts;

  constructor(ports: FollowExportPorts) {
    this.#ports = ports;
  }

  async *follow(id: string, signal: AbortSignal): AsyncGenerator<ExportView> {
    const { changes, records, database, progress } = this.#ports;
    for (;;) {
      const change = changes.listen(id);
      signal.addEventListener('abort', change.stop, { once: true });
      try {
        const record = signal.aborted ? null : await records.find(id, database);
        const view = record === null ? null : exportView(record, progress);
        if (view === null) return;
        yield view;
        if (view.settled) return;
        await change.next;
      } finally {
        signal.removeEventListener('abort', change.stop);
        change.stop();
      }
    }
  }

  async waitFor(id: string, preset: string, signal: AbortSignal): Promise<void> {
    await this.#bringForward(id, preset);
    for await (const view of this.follow(id, signal)) {
      const output = view.outputs.find((candidate) => candidate.preset === preset);
      if (output === undefined || output.state === 'completed' || output.state === 'failed') return;
      if (view.state === 'failed') return;
    }
    signal.throwIfAborted();
  }

  /** Starts the output if nobody has yet, and moves it to the front. (C12) */
  async #bringForward(id: string, preset: string): Promise<void> {
    const { records, database, jobs, plans, work } = this.#ports;
    const record = await records.find(id, database);
    const output = record?.outputs.find((candidate) => candidate.preset === preset);
    if (record === null || output === undefined || output.state === 'completed' || output.state === 'failed') return;
    const plan = output.state === 'waiting' ? await plans.read(id, preset) : null;
    if (plan !== null) work.holdParts(id, plan);
    await database.transaction(async (tx) => {
      if (plan !== null) await work.start(id, plan, PRIORITY.awaited, tx);
      await jobs.raise(id, preset, PRIORITY.awaited, tx);
    });
  }
}
