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

/** The content that an address returned last. */
interface FetchedContent {
  readonly sha256: string;
  /** The validator of this version; null if the server sends none. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Longer ones are not stored; the file is fetched again then. */
const LONGEST_VALIDATOR = 512;

/**
 * Which content of a tenant came from which address. An address is stored as its SHA-256, because it may be a secret.
 * (C66)
 */
export class AddressRecords {
  /** null if none of it is stored. A row is deleted with its content. */
  async find(tenant: string, address: string, tx: Transaction): Promise<FetchedContent | null> {
    const [row] = await tx.query<{ sha256: string; etag: string | null; last_modified: string | null }>(
      'select sha256, etag, last_modified from fetched_media where tenant = $1 and address = $2',
      [tenant, address],
    );
    return row === undefined ? null : { sha256: row.sha256, etag: row.etag, lastModified: row.last_modified };
  }

  async keep(tenant: string, address: string, content: FetchedContent, tx: Transaction): Promise<void> {
    const short = (text: string | null) => (text !== null && text.length <= LONGEST_VALIDATOR ? text : null);
    await tx.query(
      `insert into fetched_media (tenant, address, sha256, etag, last_modified) values ($1, $2, $3, $4, $5)
       on conflict (tenant, address) do update
       set sha256 = excluded.sha256, etag = excluded.etag, last_modified = excluded.last_modified`,
      [tenant, address, content.sha256, short(content.etag), short(content.lastModified)],
    );
  }
}
