import type { Database } from '../../store/database.ts';
import type { RecordedError } from '../../store/export-record.ts';
import type { JobQueue } from '../../store/job-queue.ts';
import type { ChangeHub } from '../change-hub.ts';
import type { EndExport } from './end-export.ts';

interface DeadJobsPorts {
  readonly database: Database;
  readonly jobs: Pick<JobQueue, 'sweep'>;
  readonly changes: Pick<ChangeHub, 'notify'>;
  readonly ends: Pick<EndExport, 'giveUp' | 'letGo'>;
}

const DIED_TOO_OFTEN: RecordedError = {
  kind: 'internal',
  code: 'render.crashed',
  message: 'The export could not be rendered: its render ended unexpectedly, again and again.',
  issues: [],
};

/** Jobs whose worker has died. */
export class DeadJobs {
  readonly #ports: DeadJobsPorts;

  constructor(ports: DeadJobsPorts) {
    this.#ports = ports;
  }

  /** Leases that ran out: their jobs are tried again, or given up where that has happened too often. (C35) */
  async sweep(): Promise<void> {
    const { database, jobs, changes, ends } = this.#ports;
    const exportIds = await database.transaction(async (tx) => {
      const failed = await jobs.sweep(tx);
      for (const job of failed) await ends.giveUp(job, DIED_TOO_OFTEN, tx);
      return failed.map(({ exportId }) => exportId);
    });
    for (const id of exportIds) changes.notify(id);
    await ends.letGo(exportIds);
  }
}
