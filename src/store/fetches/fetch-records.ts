import type { SqlValue, Transaction } from '../database.ts';

/** How far the files of an export have come. */
export interface FetchProgress {
  readonly filesDone: number;
  readonly bytesDone: number;
}

/** An export whose files are yet to be fetched, and the claim on it. */
export interface ClaimedFetch {
  readonly exportId: string;
  readonly tenant: string;
  /** Whether someone waits for the selected output. */
  readonly waits: boolean;
  /** How often it was claimed, this time included. */
  readonly tries: number;
}

/**
 * Exports that are accepted and whose files are yet to be fetched. (C66) A node claims one for a while and says again and
 * again that it is at work; a claim that ends is another node's to take.
 */
export class FetchRecords {
  async insert(
    { exportId, tenant, waits, files }: Omit<ClaimedFetch, 'tries'> & { readonly files: number },
    tx: Transaction,
  ): Promise<void> {
    await tx.query('insert into fetches (export_id, tenant, waits, files) values ($1, $2, $3, $4)', [
      exportId,
      tenant,
      waits ? 1 : 0,
      files,
    ]);
  }

  /** Takes one that nobody is at work on, and of none of these tenants; null where there is none. */
  async claim(
    holder: string,
    {
      nowMs,
      untilMs,
      except,
    }: { readonly nowMs: number; readonly untilMs: number; readonly except: readonly string[] },
    tx: Transaction,
  ): Promise<ClaimedFetch | null> {
    const values: SqlValue[] = [holder, nowMs, untilMs];
    const others = except.map((tenant) => `$${values.push(tenant)}`);
    const [row] = await tx.query<{ export_id: string; tenant: string; waits: number; tries: number }>(
      `update fetches set holder = $1, held_until_ms = $3, tries = tries + 1
       where held_until_ms <= $2 and export_id = (
         select export_id from fetches where held_until_ms <= $2
         ${others.length === 0 ? '' : `and tenant not in (${others.join(', ')})`}
         order by held_until_ms, export_id limit 1)
       returning export_id, tenant, waits, tries`,
      values,
    );
    if (row === undefined) return null;
    return { exportId: row.export_id, tenant: row.tenant, waits: row.waits === 1, tries: row.tries };
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
  async release(exportId: string, holder: string, dueAtMs: number, tx: Transaction): Promise<void> {
    await tx.query('update fetches set holder = null, held_until_ms = $3 where export_id = $1 and holder = $2', [
      exportId,
      holder,
      dueAtMs,
    ]);
  }

  /** Lets others have all: those who held them are dead. */
  async releaseAll(tx: Transaction): Promise<void> {
    await tx.query('update fetches set holder = null, held_until_ms = 0');
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
