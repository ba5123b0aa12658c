import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Job, JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { FetchProgress, FetchRecords } from '../../store/records/fetch-records.ts';
import type { Meter } from '../api/meter.ts';
import type { Log } from '../log.ts';
import { QueuedWork } from '../queued-work.ts';
import { type EndExport, recordedError } from '../run/end-export.ts';
import type { SubmitExport } from './submit-export.ts';

interface FetchExportsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly fetches: FetchRecords;
  readonly jobs: JobQueue;
  readonly submit: Pick<SubmitExport, 'complete'>;
  readonly ends: Pick<EndExport, 'finish'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  readonly meter: Pick<Meter, 'exportFailed'>;
  readonly log: Log;
}

/** Fetches the files of accepted exports, even if the process that accepted them dies. (C66) */
export class FetchExports extends QueuedWork<FetchProgress> {
  constructor(ports: FetchExportsPorts) {
    const { database, records, fetches, jobs, submit } = ports;
    super(
      {
        name: 'a fetch of the files of an export',
        lane: 'fetch',
        maxAtOnce: 64,
        maxOfOneTenant: 4,
        work: async (attempt, signal, report) => {
          const record = await records.find(attempt.job.exportId, database);
          if (record === null) await database.transaction((tx) => jobs.complete(attempt, tx));
          else await submit.complete(record, attempt, signal, report);
        },
        report: ({ exportId }, progress) => fetches.report(exportId, progress, database),
        fail: (job, error, tx) => fail(job, error, ports, tx),
      },
      ports,
    );
  }
}

async function fail(
  { exportId }: Job,
  error: unknown,
  { ends, meter }: FetchExportsPorts,
  tx: Transaction,
): Promise<void> {
  const known = error instanceof ExportError ? error : ourFault(error);
  await ends.finish(exportId, { error: recordedError(known) }, tx);
  tx.afterCommit(() => meter.exportFailed(known.code));
}

function ourFault(cause: unknown): ExportError {
  const message = 'The files of the export could not be fetched because of an internal error.';
  return new ExportError('internal', 'fetch.internal', message, { cause });
}
