import type { ExportError } from '../../errors.ts';
import { isPlanMissing } from '../../plan/plan-outline.ts';
import type { Database } from '../../store/database.ts';
import type { JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { DraftRecords } from '../../store/records/draft-records.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { OutputRecords } from '../../store/records/output-records.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import { settleEach } from '../settle-each.ts';
import { type EndExport, recordedError } from './end-export.ts';
import type { OutputWork } from './output-work.ts';

interface RecoveryPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'listByState' | 'find' | 'setState'>;
  readonly outputs: Pick<OutputRecords, 'listUnderWay' | 'setState'>;
  readonly drafts: Pick<DraftRecords, 'releaseAll'>;
  readonly jobs: Pick<JobQueue, 'isRunning'>;
  readonly plans: Pick<PlanStore, 'currentOutline'>;
  readonly work: Pick<OutputWork, 'holdParts'>;
  readonly ends: Pick<EndExport, 'giveUp' | 'releaseParts'>;
  readonly changes: Pick<Changes, 'notify'>;
  readonly log: Log;
}

type UnderWay = Awaited<ReturnType<OutputRecords['listUnderWay']>>[number];

/** Resumes the work of a dead process. */
export class Recovery {
  readonly #ports: RecoveryPorts;
  /** The exports without a running job at the last check, with their revisions. */
  #idle = new Map<string, number>();

  constructor(ports: RecoveryPorts) {
    this.#ports = ports;
  }

  /**
   * Called after a start of the only process: requeues what the last process was rendering. Its jobs are back in the
   * queue, and rendered parts are kept. (C35)
   */
  async run(): Promise<void> {
    const { database, records, outputs, drafts, log } = this.#ports;
    await drafts.releaseAll(database);
    const interrupted = await records.listByState('rendering', database);
    await settleEach(
      interrupted,
      (id) => this.#requeue(id),
      (exportId, error) => log('error', 'export not requeued', { exportId, error }),
    );
    await settleEach(
      await outputs.listUnderWay(database),
      (output) => this.#holdParts(output),
      ({ exportId, preset }, error) => log('error', 'plan of output not readable', { exportId, preset, error }),
    );
    log('info', 'interrupted exports recovered', { interrupted: interrupted.length });
  }

  /**
   * Called in a cluster: requeues exports that had no running job at two checks in a row. Their jobs are already back
   * in the queue. (C35)
   */
  async requeueAbandoned(): Promise<void> {
    const { database, records, jobs, changes, log } = this.#ports;
    const before = this.#idle;
    this.#idle = new Map();
    await settleEach(
      await records.listByState('rendering', database.committed),
      async (id) => {
        if (await jobs.isRunning(id, database.committed)) return;
        const revision = (await records.find(id, database.committed))?.revision;
        if (revision === undefined) return;
        this.#idle.set(id, revision);
        if (before.get(id) !== revision) return;
        await this.#requeue(id);
        changes.notify(id);
      },
      (exportId, error) => log('error', 'export not requeued', { exportId, error }),
    );
  }

  async #requeue(id: string): Promise<void> {
    const { database, records, outputs, jobs } = this.#ports;
    await database.transaction(
      async (tx) => {
        const record = await records.find(id, tx);
        if (record?.state !== 'rendering' || (await jobs.isRunning(id, tx))) return;
        await records.setState(id, 'queued', tx);
        for (const { preset } of record.outputs) await outputs.setState(id, preset, 'queued', tx);
      },
      { lockExport: id },
    );
  }

  async #holdParts({ exportId, ...output }: UnderWay): Promise<void> {
    const { database, records, plans, work } = this.#ports;
    try {
      const plan = await plans.currentOutline(exportId, output);
      // If it was planned for another engine version, the worker that claims a job plans it again and pins its parts.
      const record = plan === null ? null : await records.find(exportId, database);
      if (plan !== null && record !== null) await database.transaction((tx) => work.holdParts(record, plan, tx));
    } catch (error) {
      if (!isPlanMissing(error)) throw error;
      await this.#giveUp(exportId, output.preset, error);
    }
  }

  /** A backup may have a record without its plan. Only that export is lost. */
  async #giveUp(exportId: string, preset: string, error: ExportError): Promise<void> {
    const { database, ends, changes, log } = this.#ports;
    log('error', 'plan of export missing', { exportId, preset, error });
    await database.transaction((tx) => ends.giveUp({ exportId, presets: [preset] }, recordedError(error), tx), {
      lockExport: exportId,
    });
    changes.notify(exportId);
    await ends.releaseParts([exportId]);
  }
}
