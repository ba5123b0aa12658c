import { ExportError } from '../../errors.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { ClaimedFetch, FetchProgress, FetchRecords } from '../../store/fetches/fetch-records.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { ClaimedWork } from '../claims/claimed-work.ts';
import type { Log } from '../log.ts';
import type { Meter } from '../meter.ts';
import { type EndExport, recordedError } from '../run/end-export.ts';
import type { SubmitExport } from '../submit/submit-export.ts';

interface FetchExportsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly fetches: FetchRecords;
  readonly submit: Pick<SubmitExport, 'complete'>;
  readonly ends: Pick<EndExport, 'finish'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  /** Whether no other process uses the same records. */
  readonly alone: boolean;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'exportFailed'>;
  readonly log: Log;
}

/** Fetches the files of accepted exports, even if the process that accepted them dies. (C66) */
export class FetchExports extends ClaimedWork<ClaimedFetch, FetchProgress> {
  constructor(ports: FetchExportsPorts) {
    super(
      {
        name: 'a fetch of the files of an export',
        records: ports.fetches,
        maxAtOnce: 64,
        maxOfOneTenant: 4,
        nothingDone: { filesDone: 0, bytesDone: 0 },
        work: async ({ id, waits }, holder, signal, report) => {
          const record = await ports.records.find(id, ports.database);
          if (record !== null) await ports.submit.complete(record, { holder, waits }, signal, report);
        },
        fail: (claim, holder, error) => fail(claim, holder, error, ports),
      },
      ports,
    );
  }
}

async function fail(
  { id }: ClaimedFetch,
  holder: string,
  error: unknown,
  { database, fetches, ends, meter }: FetchExportsPorts,
): Promise<void> {
  const known = error instanceof ExportError ? error : ourFault(error);
  await database.transaction(
    async (tx) => {
      if (await fetches.end(id, holder, tx)) await ends.finish(id, { error: recordedError(known) }, tx);
    },
    { lockExport: id },
  );
  meter.exportFailed(known.code);
}

function ourFault(cause: unknown): ExportError {
  const message = 'The files of the export could not be fetched because of an internal error.';
  return new ExportError('internal', 'fetch.internal', message, { cause });
}
