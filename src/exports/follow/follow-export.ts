import type { Database } from '../../store/database.ts';
import { PRIORITY } from '../../store/job-queue.ts';
import type { Changes, Progress } from '../../store/nodes/node-store.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { ExportView } from '../api/export-view.ts';
import type { PlanStore } from '../plan-store.ts';
import type { OutputWork } from '../run/output-work.ts';
import type { AwaitedOutputs } from './awaited-outputs.ts';
import { exportView } from './read-export.ts';

interface FollowExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly plans: Pick<PlanStore, 'outline' | 'currentOutline'>;
  readonly work: Pick<OutputWork, 'start'>;
  readonly awaited: AwaitedOutputs;
  /** Checks that the queue and the disk have room. @throws `queue.full`, `disk.full` */
  readonly admission: { requireRoom(tenant: string): Promise<void> };
  readonly changes: Pick<Changes, 'listen'>;
  readonly progress: Progress;
  readonly rules: { readonly presets: Presets };
}

/** Waits for the outputs of an export. */
export class FollowExport {
  readonly #ports: FollowExportPorts;

  constructor(ports: FollowExportPorts) {
    this.#ports = ports;
  }

  async *follow(id: string, signal: AbortSignal): AsyncGenerator<ExportView> {
    const { changes, records, database, progress, rules } = this.#ports;
    for (;;) {
      const change = changes.listen(id);
      signal.addEventListener('abort', change.stop, { once: true });
      try {
        const record = signal.aborted ? null : await records.find(id, database.committed);
        const view = record === null ? null : exportView(record, progress, rules.presets);
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

  /** @param isEnough checked at every change: whether the caller can stop waiting before the end. */
  async waitFor(
    id: string,
    preset: string,
    signal: AbortSignal,
    isEnough: () => Promise<boolean> = async () => false,
  ): Promise<void> {
    using waiting = this.#ports.awaited.wait(id, preset);
    for await (const { fetching } of this.follow(id, signal)) if (fetching === null) break;
    // A client that does not wait still requests the output.
    if (signal.aborted && (await this.#isFetching(id))) throw signal.reason;
    if (!(await this.#start(id, preset))) return;
    await waiting.raise();
    for await (const view of this.follow(id, signal)) {
      if (await isEnough()) return;
      const output = [...view.outputs, ...view.shorts].find((candidate) => candidate.preset === preset);
      if (output === undefined || output.state === 'completed' || output.state === 'failed') return;
    }
    signal.throwIfAborted();
  }

  async #isFetching(id: string): Promise<boolean> {
    const { records, database } = this.#ports;
    return (await records.find(id, database.committed))?.fetching != null;
  }

  /** Starts the output if it is idle. Returns false if there is nothing to wait for. (C12) */
  async #start(id: string, preset: string): Promise<boolean> {
    const { records, database, plans, work, admission } = this.#ports;
    const record = await records.find(id, database.committed);
    const output = record?.outputs.find((candidate) => candidate.preset === preset);
    if (record === null || output === undefined || output.state === 'completed' || output.state === 'failed') {
      return false;
    }
    if (output.state !== 'waiting') return true;
    // There can be hundreds of shorts, so each requested one takes a place in the queue, as an export does. (C52)
    if (output.short !== null) await admission.requireRoom(record.tenant);
    // A plan of another engine version is enough to queue it: the worker that claims the job plans it again.
    const plan = (await plans.currentOutline(id, output)) ?? (await plans.outline(id, preset));
    await database.transaction((tx) => work.start(record, [plan], PRIORITY.other, tx), { lockExport: id });
    return true;
  }
}
