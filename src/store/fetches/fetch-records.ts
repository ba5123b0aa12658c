import { type ClaimRelease, ClaimTable, type ClaimTerms } from '../claims/claim-table.ts';
import type { Transaction } from '../database.ts';

/** How far the files of an export have come. */
export interface FetchProgress {
  readonly filesDone: number;
  readonly bytesDone: number;
}

/** An export whose files are yet to be fetched, and the claim on it. */
export interface ClaimedFetch {
  /** The export's. */
  readonly id: string;
  readonly tenant: string;
  /** Whether someone waits for the selected output. */
  readonly waits: boolean;
  /** How often it was claimed, this time included. */
  readonly tries: number;
}

/** Exports that are accepted and whose files are yet to be fetched. (C66) */
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

  /** Takes one that nobody is at work on, and of none of these tenants; null where there is none. */
  async claim(holder: string, terms: ClaimTerms, tx: Transaction): Promise<ClaimedFetch | null> {
    const row = await this.#claims.claim<{ export_id: string; tenant: string; waits: number; tries: number }>(
      holder,
      terms,
      tx,
    );
    return row && { id: row.export_id, tenant: row.tenant, waits: row.waits === 1, tries: row.tries };
  }

  /** Still at work, and so far. False: the claim is another's, or nobody wants the export any more. */
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

  /** Lets another have it, not before `dueAtMs`. No error where it is gone. */
  release(id: string, holder: string, how: ClaimRelease, tx: Transaction): Promise<void> {
    return this.#claims.release(id, holder, how, tx);
  }

  /** Lets others have all: those who held them are dead. */
  releaseAll(tx: Transaction): Promise<void> {
    return this.#claims.releaseAll(tx);
  }

  /** Nobody wants the files any more. No error where it is gone. */
  async drop(exportId: string, tx: Transaction): Promise<void> {
    await tx.query('delete from fetches where export_id = $1', [exportId]);
  }

  /** It is over. False where the claim was another's, or the export is gone. */
  async end(exportId: string, holder: string, tx: Transaction): Promise<boolean> {
    const sql = 'delete from fetches where export_id = $1 and holder = $2 returning export_id';
    return (await tx.query(sql, [exportId, holder])).length > 0;
  }
}
