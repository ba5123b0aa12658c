import { randomUUID } from 'node:crypto';
import type { Transaction } from '../database.ts';
import type { RecordedError } from './export-record.ts';
import { CHANGED } from './export-row.ts';

/** Where a finished output is sent. The address and the headers may be secrets. */
export interface DestinationTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A destination whose output is finished. */
interface DueDestination {
  readonly exportId: string;
  readonly preset: string;
  readonly target: DestinationTarget;
}

type Place = Pick<DueDestination, 'exportId' | 'preset'>;

/** The destinations of outputs. A settled one keeps no address. (C69) */
export class DestinationRecords {
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

  /** Whether the output has a destination that it was not sent to. */
  async waits({ exportId, preset }: Place, tx: Transaction): Promise<boolean> {
    const sql = `select 1 from destinations where export_id = $1 and preset = $2 and state in ('waiting', 'sending')`;
    return (await tx.query(sql, [exportId, preset])).length > 0;
  }

  /** Records the start of a try, after so many that failed. null if the destination is settled, or was removed. */
  async begin({ exportId, preset }: Place, failures: number, tx: Transaction): Promise<DueDestination | null> {
    await changed(exportId, tx);
    const [row] = await tx.query<{ target: string }>(
      `update destinations set state = 'sending', attempts = $3
       where export_id = $1 and preset = $2 and state in ('waiting', 'sending') returning target`,
      [exportId, preset, failures + 1],
    );
    return row === undefined ? null : { exportId, preset, target: JSON.parse(row.target) };
  }

  /** Records a failed try. */
  async retry({ exportId, preset }: Place, error: RecordedError, tx: Transaction): Promise<void> {
    await changed(exportId, tx);
    const sql = `update destinations set state = 'waiting', error = $3 where export_id = $1 and preset = $2`;
    await tx.query(sql, [exportId, preset, JSON.stringify(error)]);
  }

  /** Records that it was sent or has failed permanently. False if it was settled before, or was removed. */
  async settle({ exportId, preset }: Place, error: RecordedError | null, tx: Transaction): Promise<boolean> {
    await changed(exportId, tx);
    const rows = await tx.query(
      `update destinations set state = $3, target = null, error = $4
       where export_id = $1 and preset = $2 and state in ('waiting', 'sending') returning preset`,
      [exportId, preset, error === null ? 'sent' : 'failed', error === null ? null : JSON.stringify(error)],
    );
    return rows.length > 0;
  }

  /** Fails the destinations of failed outputs. Returns the outputs, in order. */
  async giveUpFailed(exportId: string, error: RecordedError, tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ preset: string }>(
      `update destinations set state = 'failed', target = null, error = $2
       where export_id = $1 and state in ('waiting', 'sending') and preset in (
         select preset from outputs where export_id = $1 and state = 'failed') returning preset`,
      [exportId, JSON.stringify(error)],
    );
    return rows.map(({ preset }) => preset).sort();
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
