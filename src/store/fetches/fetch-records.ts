import type { Transaction } from '../database.ts';

/** The fetch progress of an export's files. */
export interface FetchProgress {
  readonly filesDone: number;
  readonly bytesDone: number;
}

/** An export with files to fetch. */
interface FetchedExport {
  /** The id of the export. */
  readonly id: string;
  readonly tenant: string;
  /** Whether a client waits for the selected output. */
  readonly waits: boolean;
  readonly files: number;
}

/** Accepted exports with files to fetch. (C66) */
export class FetchRecords {
  async insert({ id, tenant, waits, files }: FetchedExport, tx: Transaction): Promise<void> {
    const sql = 'insert into fetches (export_id, tenant, waits, files) values ($1, $2, $3, $4)';
    await tx.query(sql, [id, tenant, waits ? 1 : 0, files]);
  }

  /** Whether a client waits for the selected output of the export. */
  async waits(exportId: string, tx: Transaction): Promise<boolean> {
    const [row] = await tx.query<{ waits: number }>('select waits from fetches where export_id = $1', [exportId]);
    return row?.waits === 1;
  }

  /** Records the progress. No error if the fetch no longer exists. */
  async report(exportId: string, { filesDone, bytesDone }: FetchProgress, tx: Transaction): Promise<void> {
    const sql = 'update fetches set files_done = $2, bytes_done = $3 where export_id = $1';
    await tx.query(sql, [exportId, filesDone, bytesDone]);
  }

  /** Ends the fetch. No error if it no longer exists. */
  async end(exportId: string, tx: Transaction): Promise<void> {
    await tx.query('delete from fetches where export_id = $1', [exportId]);
  }
}
