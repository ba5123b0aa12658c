import { type ClaimRelease, ClaimTable, type ClaimTerms } from '../claims/claim-table.ts';
import type { Transaction } from '../database.ts';

/** The fetch progress of an export's files. */
export interface FetchProgress {
  readonly filesDone: number;
  readonly bytesDone: number;
}

/** An export with files to fetch, and the claim on it. */
export interface ClaimedFetch {
  /** The id of the export. */
  readonly id: string;
  readonly tenant: string;
  /** Whether a client waits for the selected output. */
  readonly waits: boolean;
  /** How often it was claimed, including this time. */
  readonly tries: number;
}

/** Accepted exports with files to fetch. (C66) */
export class FetchRecords {
  readonly #claims = new ClaimTable('fetches', 'export_id');

  async insert(
    { id, tenant, waits, files }: Omit<ClaimedFetch, 'tries'> & { readonly files: number },
    tx: Transaction,
  ): Promise<void> {
    await tx.query('insert into fetches (export_id, tenant, waits, files) values ($1, $2, $3, $4)', [
      id,
      tenant,
      waits ? 1 : 0,
      files,
    ]);
  }

  /** Claims an export that no node has, of none of the excepted tenants; null if there is none. */
  async claim(holder: string, terms: ClaimTerms, tx: Transaction): Promise<ClaimedFetch | null> {
    const row = await this.#claims.claim<{ export_id: string; tenant: string; waits: number; tries: number }>(
      holder,
      terms,
      tx,
    );
    return row && { id: row.export_id, tenant: row.tenant, waits: row.waits === 1, tries: row.tries };
  }

  /** Renews the claim and records the progress. False if the claim is lost or the export was removed. */
  async hold(
    exportId: string,
    holder: string,
    { filesDone, bytesDone }: FetchProgress,
    untilMs: number,
    tx: Transaction,
  ): Promise<boolean> {
    const rows = await tx.query(
      `update fetches set held_until_ms = $3, files_done = $4, bytes_done = $5
       where export_id = $1 and holder = $2 and exists (
         select 1 from exports e where e.id = fetches.export_id and e.state = 'queued') returning export_id`,
      [exportId, holder, untilMs, filesDone, bytesDone],
    );
    return rows.length > 0;
  }

  /** Releases the claim; the next starts not before `dueAtMs`. No error if it no longer exists. */
  release(id: string, holder: string, how: ClaimRelease, tx: Transaction): Promise<void> {
    return this.#claims.release(id, holder, how, tx);
  }

  /** Releases all claims, because their holders are dead. */
  releaseAll(tx: Transaction): Promise<void> {
    return this.#claims.releaseAll(tx);
  }

  /** Cancels the fetch. No error if it no longer exists. */
  async drop(exportId: string, tx: Transaction): Promise<void> {
    await tx.query('delete from fetches where export_id = $1', [exportId]);
  }

  /** Ends the fetch. False if the claim is lost or the export was removed. */
  async end(exportId: string, holder: string, tx: Transaction): Promise<boolean> {
    const sql = 'delete from fetches where export_id = $1 and holder = $2 returning export_id';
    return (await tx.query(sql, [exportId, holder])).length > 0;
  }
}
