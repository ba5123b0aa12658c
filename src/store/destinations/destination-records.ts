import { randomUUID } from 'node:crypto';
import { type ClaimRelease, ClaimTable, type ClaimTerms } from '../claims/claim-table.ts';
import type { Transaction } from '../database.ts';
import type { RecordedError } from '../export-record.ts';
import { CHANGED } from '../export-row.ts';

/** Where a finished output is sent. The address and the headers may be secrets. */
export interface DestinationTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A destination whose output is finished, and the claim on it. */
export interface ClaimedDestination {
  readonly id: string;
  readonly exportId: string;
  readonly tenant: string;
  readonly preset: string;
  readonly target: DestinationTarget;
  /** The number of earlier tries. */
  readonly attempts: number;
  readonly tries: number;
}

interface DestinationRow {
  readonly id: string;
  readonly export_id: string;
  readonly tenant: string;
  readonly preset: string;
  readonly target: string;
  readonly attempts: number;
  readonly tries: number;
}

type Place = Pick<ClaimedDestination, 'id' | 'exportId'>;

/**
 * The destinations of outputs. A destination is due once its output is finished; a settled one keeps no address. (C69)
 */
export class DestinationRecords {
  readonly #claims = new ClaimTable('destinations', 'id', `state in ('waiting', 'sending')`);

  async insert(
    { id, tenant }: { readonly id: string; readonly tenant: string },
    targets: ReadonlyMap<string, DestinationTarget>,
    tx: Transaction,
  ): Promise<void> {
    for (const [preset, target] of targets) {
      await tx.query(
        `insert into destinations (id, export_id, preset, tenant, state, target) values ($1, $2, $3, $4, 'waiting', $5)`,
        [randomUUID(), id, preset, tenant, JSON.stringify(target)],
      );
    }
  }

  /** Makes the destination of a finished output due. False if it has none. */
  async makeDue(exportId: string, preset: string, tx: Transaction): Promise<boolean> {
    const sql = `update destinations set held_until_ms = 0 where export_id = $1 and preset = $2 and state = 'waiting' returning id`;
    return (await tx.query(sql, [exportId, preset])).length > 0;
  }

  /** Claims a due destination that no node has; null if there is none. */
  async claim(holder: string, terms: ClaimTerms, tx: Transaction): Promise<ClaimedDestination | null> {
    const row = await this.#claims.claim<DestinationRow>(holder, terms, tx);
    if (row === null) return null;
    const { id, export_id: exportId, tenant, preset, target, attempts, tries } = row;
    return { id, exportId, tenant, preset, target: JSON.parse(target), attempts, tries };
  }

  /** Records the start of a try. */
  async begin({ id, exportId }: Place, holder: string, tx: Transaction): Promise<void> {
    await changed(exportId, tx);
    const sql = `update destinations set state = 'sending', attempts = attempts + 1 where id = $1 and holder = $2`;
    await tx.query(sql, [id, holder]);
  }

  /** Renews the claim. False if the claim is lost or the destination was removed. */
  async hold(id: string, holder: string, _: null, untilMs: number, tx: Transaction): Promise<boolean> {
    const sql = 'update destinations set held_until_ms = $3 where id = $1 and holder = $2 returning id';
    return (await tx.query(sql, [id, holder, untilMs])).length > 0;
  }

  /**
   * Releases the claim and does not count the try; the next starts not before `dueAtMs`. No error if it no longer
   * exists.
   */
  async release(id: string, holder: string, { dueAtMs, countsTry }: ClaimRelease, tx: Transaction): Promise<void> {
    await tx.query(
      `update destinations set state = 'waiting', holder = null, held_until_ms = $3, tries = tries - $4,
         attempts = attempts - case when state = 'sending' then 1 else 0 end where id = $1 and holder = $2`,
      [id, holder, dueAtMs, countsTry ? 0 : 1],
    );
  }

  /** Releases the claims in progress, because their holders are dead. Scheduled retries keep their times. */
  async releaseAll(tx: Transaction): Promise<void> {
    await tx.query(
      `update destinations set state = 'waiting', holder = null, held_until_ms = 0 where holder is not null`,
    );
  }

  /** Records a failed try; the next starts not before `dueAtMs`. No error if the claim is lost. */
  async retry(
    { id, exportId }: Place,
    holder: string,
    { dueAtMs, error }: { readonly dueAtMs: number; readonly error: RecordedError },
    tx: Transaction,
  ): Promise<void> {
    await changed(exportId, tx);
    await tx.query(
      `update destinations set state = 'waiting', holder = null, held_until_ms = $3, error = $4, tries = 0
       where id = $1 and holder = $2`,
      [id, holder, dueAtMs, JSON.stringify(error)],
    );
  }

  /** Records that it was sent or has failed permanently. No error if the claim is lost. */
  async settle({ id, exportId }: Place, holder: string, error: RecordedError | null, tx: Transaction): Promise<void> {
    await changed(exportId, tx);
    await tx.query(
      `update destinations set state = $3, target = null, holder = null, held_until_ms = null, error = $4
       where id = $1 and holder = $2`,
      [id, holder, error === null ? 'sent' : 'failed', error === null ? null : JSON.stringify(error)],
    );
  }

  /** Fails the destinations of failed outputs. */
  async giveUpFailed(exportId: string, error: RecordedError, tx: Transaction): Promise<void> {
    await tx.query(
      `update destinations set state = 'failed', target = null, holder = null, held_until_ms = null, error = $2
       where export_id = $1 and state in ('waiting', 'sending') and preset in (
         select preset from outputs where export_id = $1 and state = 'failed')`,
      [exportId, JSON.stringify(error)],
    );
  }

  /** Removes the destinations of an export. */
  async drop(exportId: string, tx: Transaction): Promise<void> {
    await tx.query('delete from destinations where export_id = $1', [exportId]);
  }
}

/**
 * Marks the export as changed. Called before the change of the destination, so that transactions do not deadlock. (C26)
 */
async function changed(exportId: string, tx: Transaction): Promise<void> {
  await tx.query(`update exports set ${CHANGED} where id = $1`, [exportId]);
}
