import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import type { OutputWork } from './output-work.ts';

interface RecoveryPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'listByState' | 'find' | 'setState'>;
  readonly outputs: Pick<OutputRecords, 'listUnderWay' | 'setState'>;
  readonly plans: Pick<PlanStore, 'read'>;
  readonly work: Pick<OutputWork, 'holdParts'>;
  readonly log: Log;
}

/** After a start: takes up what the last process has left undone. */
export class Recovery {
  readonly #ports: RecoveryPorts;

  constructor(ports: RecoveryPorts) {
    this.#ports = ports;
  }

  /** What a dead process was rendering is queued again, as its jobs are, and what it has rendered so far is kept. (C35) */
  async run(): Promise<void> {
    const { database, records, log } = this.#ports;
    const interrupted = await records.listByState('rendering', database);
    for (const id of interrupted) await this.#requeue(id);
    await this.#holdParts();
    log('info', 'recovered', { interrupted: interrupted.length });
  }

  async #requeue(id: string): Promise<void> {
    const { database, records, outputs } = this.#ports;
    await database.transaction(async (tx) => {
      const record = await records.find(id, tx);
      if (record?.state !== 'rendering') return;
      await records.setState(id, 'queued', tx);
      for (const { preset } of record.outputs) await outputs.setState(id, preset, 'queued', tx);
    });
  }

  async #holdParts(): Promise<void> {
    const { database, outputs, plans, work } = this.#ports;
    for (const { exportId, preset } of await outputs.listUnderWay(database)) {
      work.holdParts(exportId, await plans.read(exportId, preset));
    }
  }
}
