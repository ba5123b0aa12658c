import type { SqlValue, Transaction } from '../database.ts';
import type { ListPlace, RecordedError, RecordedState } from './export-record.ts';
import { hashOfPair } from './metadata-pair.ts';

/** `running`: rows are made or wait; the others are ends. (C85) */
export const BATCH_STATES = ['running', 'completed', 'cancelled'] as const;
type BatchState = (typeof BATCH_STATES)[number];

/** `created`: it has an export, whose state is that of the row. `invalid`: its values are wrong, so it is never made. */
type RecordedRowState = 'waiting' | 'created' | 'completed' | 'failed' | 'cancelled' | 'invalid';

/** The state of a row as clients see it. */
export const ROW_STATES = ['waiting', 'queued', 'rendering', 'completed', 'failed', 'cancelled', 'invalid'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** What every export of a batch has. */
interface BatchFields {
  readonly presets: string | null;
  readonly metadata: string | null;
  readonly callbackUrl: string | null;
  readonly callbackEvents: string | null;
  readonly retentionHours: string | null;
}

/** Many exports of one project. (C85) */
export interface BatchRecord {
  /** UUID, version 4. */
  readonly id: string;
  readonly tenant: string;
  readonly state: BatchState;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  readonly expiresAtMs: number | null;
  readonly projectId: string;
  readonly revision: number;
  readonly total: number;
  /** The columns of its table, or the members of its first rows. */
  readonly columns: readonly string[];
  readonly fields: BatchFields;
  /** Detects other content under the same idempotency key. (C9) */
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
}

/** The initial values of a batch, with the project that its exports are made of: JSON, as it was then. */
export type NewBatch = Omit<BatchRecord, 'state' | 'endedAtMs' | 'expiresAtMs'> & {
  readonly template: string;
  /** The SHA-256 of each file that its exports need, once. */
  readonly media: readonly string[];
};

/** A query for a tenant's batches. */
export interface BatchListing {
  /** null for any state. */
  readonly state: BatchState | null;
  /** null for any project. */
  readonly projectId: string | null;
  /** Pairs that its metadata must have. (C87) */
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** Created at this time or later; null for any time. */
  readonly fromMs: number | null;
  /** Created before this time; null for any time. */
  readonly beforeMs: number | null;
  readonly limit: number;
  /** Only batches after this place; null to start with the newest. */
  readonly after: ListPlace | null;
}

/** A row as it was sent. */
export interface NewRow {
  /** The name of the video; null if it has none. */
  readonly video: string | null;
  /** JSON. */
  readonly values: string;
  /** Why its values are wrong; null if they are not. */
  readonly error: RecordedError | null;
}

/** A row, by its place in the batch. */
export interface RowPlace {
  readonly batch: string;
  readonly number: number;
}

/** A row and what became of it. */
export interface BatchRow {
  readonly number: number;
  readonly video: string | null;
  readonly values: string;
  readonly state: RowState;
  readonly exportId: string | null;
  readonly error: RecordedError | null;
}

/** The next row to make. */
export interface WaitingRow extends RowPlace {
  readonly values: string;
  readonly tries: number;
  readonly template: string;
  readonly projectId: string;
  readonly revision: number;
  readonly fields: BatchFields;
}

interface BatchSql {
  readonly id: string;
  readonly tenant: string;
  readonly state: BatchState;
  readonly created_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly expires_at_ms: number | null;
  readonly project_id: string;
  readonly revision: number;
  readonly total: number;
  readonly table_columns: string;
  readonly fields: string;
  readonly request_hash: string;
  readonly idempotency_key: string | null;
}

interface RowSql {
  readonly number: number;
  readonly video: string | null;
  readonly fill: string;
  readonly state: RecordedRowState;
  readonly export_id: string | null;
  readonly error: string | null;
  readonly export_state: RecordedState | null;
}

const COLUMNS = `id, tenant, state, created_at_ms, ended_at_ms, expires_at_ms, project_id, revision, total, table_columns,
  fields, request_hash, idempotency_key`;
/** Rows of one statement. */
const ROWS_AT_ONCE = 500;

/** Batches and their rows. Each operation is part of the caller's transaction. */
export class BatchRecords {
  /** Returns false and stores nothing if another batch of the tenant has the idempotency key. */
  async insert(batch: NewBatch, rows: readonly NewRow[], tx: Transaction): Promise<boolean> {
    const errors = rows.map(({ error }) => (error === null ? null : JSON.stringify(error)));
    const texts = rows.flatMap(({ video, values }, index) => [video ?? '', values, errors[index] ?? '']);
    const bytes = texts.reduce((sum, one) => sum + Buffer.byteLength(one), Buffer.byteLength(batch.template));
    const made = await tx.query(
      `insert into batches (${COLUMNS}, template, bytes)
       values ($1, $2, 'running', $3, null, null, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing returning id`,
      [
        ...[batch.id, batch.tenant, batch.createdAtMs, batch.projectId, batch.revision, batch.total],
        ...[JSON.stringify(batch.columns), JSON.stringify(batch.fields), batch.requestHash, batch.idempotencyKey],
        ...[batch.template, bytes],
      ],
    );
    if (made.length === 0) return false;
    const { metadata } = batch.fields;
    for (const pair of metadata === null ? [] : Object.entries<string>(JSON.parse(metadata))) {
      await tx.query('insert into batch_metadata (batch_id, pair) values ($1, $2)', [batch.id, hashOfPair(pair)]);
    }
    for (let first = 0; first < batch.media.length; first += ROWS_AT_ONCE) {
      const hashes = batch.media.slice(first, first + ROWS_AT_ONCE);
      await tx.query(
        `insert into batch_media (batch_id, tenant, sha256) values ${hashes.map((_, n) => `($1, $2, $${n + 3})`).join(', ')}`,
        [batch.id, batch.tenant, ...hashes],
      );
    }
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
      const values: SqlValue[] = [batch.id];
      const given = (value: SqlValue) => `$${values.push(value)}`;
      const lines = rows.slice(first, first + ROWS_AT_ONCE).map(({ video, values: fill }, index) => {
        const error = errors[first + index] ?? null;
        const state = error === null ? 'waiting' : 'invalid';
        return `($1, ${[first + index, video, fill, state, error].map(given).join(', ')})`;
      });
      await tx.query(
        `insert into batch_rows (batch_id, number, video, fill, state, error) values ${lines.join(', ')}`,
        values,
      );
    }
    return true;
  }

  /** null if the tenant has no such batch. */
  async find(tenant: string, id: string, tx: Transaction): Promise<BatchRecord | null> {
    const sql = `select ${COLUMNS} from batches where id = $1 and tenant = $2`;
    const [row] = await tx.query<BatchSql>(sql, [id, tenant]);
    return row === undefined ? null : batchOf(row);
  }

  /** A tenant's batches, newest first. */
  async list(
    tenant: string,
    { state, projectId, metadata, fromMs, beforeMs, limit, after }: BatchListing,
    tx: Transaction,
  ): Promise<BatchRecord[]> {
    const values: SqlValue[] = [tenant];
    const given = (value: SqlValue) => `$${values.push(value)}`;
    const wanted = ['b.tenant = $1'];
    for (const pair of metadata) {
      const hash = given(hashOfPair(pair));
      wanted.push(`exists (select 1 from batch_metadata m where m.batch_id = b.id and m.pair = ${hash})`);
    }
    if (state !== null) wanted.push(`b.state = ${given(state)}`);
    if (projectId !== null) wanted.push(`b.project_id = ${given(projectId)}`);
    if (fromMs !== null) wanted.push(`b.created_at_ms >= ${given(fromMs)}`);
    if (beforeMs !== null) wanted.push(`b.created_at_ms < ${given(beforeMs)}`);
    if (after !== null) wanted.push(`(b.created_at_ms, b.id) < (${given(after.createdAtMs)}, ${given(after.id)})`);
    const rows = await tx.query<BatchSql>(
      `select ${COLUMNS} from batches b where ${wanted.join(' and ')}
       order by b.created_at_ms desc, b.id desc limit ${given(limit)}`,
      values,
    );
    return rows.map(batchOf);
  }

  /** A batch of any tenant. */
  async findOfAny(id: string, tx: Transaction): Promise<BatchRecord | null> {
    const sql = `select ${COLUMNS} from batches where id = $1`;
    const [row] = await tx.query<BatchSql>(sql, [id]);
    return row === undefined ? null : batchOf(row);
  }

  async findByKey(tenant: string, key: string, tx: Transaction): Promise<BatchRecord | null> {
    const sql = `select ${COLUMNS} from batches where tenant = $1 and idempotency_key = $2`;
    const [row] = await tx.query<BatchSql>(sql, [tenant, key]);
    return row === undefined ? null : batchOf(row);
  }

  async countRunning(tenant: string, tx: Transaction): Promise<number> {
    const sql = `select count(*) as n from batches where tenant = $1 and state = 'running'`;
    const [row] = await tx.query<{ n: number }>(sql, [tenant]);
    return Number(row!.n);
  }

  /** How many rows are in each state. */
  async counts(id: string, tx: Transaction): Promise<Record<RowState, number>> {
    const rows = await tx.query<{ state: RowState; n: number }>(
      `select case when r.state = 'created' then case when e.state = 'rendering' then 'rendering' else 'queued' end
         else r.state end as state, count(*) as n
       from batch_rows r left join exports e on r.state = 'created' and e.id = r.export_id
       where r.batch_id = $1 group by 1`,
      [id],
    );
    const none = ROW_STATES.map((state) => [state, 0] as const);
    return Object.fromEntries([...none, ...rows.map(({ state, n }) => [state, Number(n)] as const)]) as Record<
      RowState,
      number
    >;
  }

  /** Rows in their order. @param after the row before the first one; −1 to start. */
  async rows(
    id: string,
    { state, after, limit }: { readonly state: RowState | null; readonly after: number; readonly limit: number },
    tx: Transaction,
  ): Promise<BatchRow[]> {
    const values: SqlValue[] = [id, after, limit];
    const made = state === 'queued' || state === 'rendering';
    if (state !== null) values.push(made ? 'created' : state);
    const wanted = state === null ? '' : 'and r.state = $4';
    const shown = made ? `and ${state === 'rendering' ? `e.state = 'rendering'` : `e.state <> 'rendering'`}` : '';
    const rows = await tx.query<RowSql>(
      `select r.number, r.video, r.fill, r.state, r.export_id, r.error, e.state as export_state
       from batch_rows r left join exports e on e.id = r.export_id
       where r.batch_id = $1 and r.number > $2 ${wanted} ${shown} order by r.number limit $3`,
      values,
    );
    return rows.map(rowOf);
  }

  /** Cancels what has not begun, unless the batch has ended. Its exports are to be removed: see `leftOfCancelled`. */
  async cancel(tenant: string, id: string, times: BatchEnd, tx: Transaction): Promise<void> {
    const ended = await tx.query(
      `update batches set state = 'cancelled', ended_at_ms = $3, expires_at_ms = $4
       where id = $1 and tenant = $2 and state = 'running' returning id`,
      [id, tenant, times.endedAtMs, times.expiresAtMs],
    );
    if (ended.length === 0) return;
    await tx.query(`update batch_rows set state = 'cancelled' where batch_id = $1 and state = 'waiting'`, [id]);
  }

  /**
   * The exports of a cancelled batch, or of all, that are still to be removed.
   *
   * @param id of the batch; null: all.
   */
  async leftOfCancelled(
    id: string | null,
    tx: Transaction,
  ): Promise<{ readonly tenant: string; readonly exportId: string }[]> {
    const rows = await tx.query<{ tenant: string; export_id: string }>(
      `select b.tenant, r.export_id from batches b join batch_rows r on r.batch_id = b.id and r.state = 'created'
       where b.state = 'cancelled' ${id === null ? '' : 'and b.id = $1'} order by r.batch_id, r.number`,
      id === null ? [] : [id],
    );
    return rows.map(({ tenant, export_id: exportId }) => ({ tenant, exportId }));
  }

  /** Has failed rows made again, and those that were cancelled one by one. Returns how many. */
  async retry(id: string, tx: Transaction): Promise<number> {
    const rows = await tx.query(
      `update batch_rows set state = 'waiting', export_id = null, error = null, tries = 0
       where batch_id = $1 and state in ('failed', 'cancelled') returning number`,
      [id],
    );
    if (rows.length > 0) {
      await tx.query(`update batches set state = 'running', ended_at_ms = null, expires_at_ms = null where id = $1`, [
        id,
      ]);
    }
    return rows.length;
  }

  /** The running batches of all tenants, oldest first. */
  async running(tx: Transaction): Promise<{ readonly id: string; readonly tenant: string }[]> {
    return tx.query(`select id, tenant from batches where state = 'running' order by created_at_ms, id`);
  }

  /** The unfinished exports of running batches. */
  async underWay(
    tx: Transaction,
  ): Promise<{ readonly tenant: string; readonly exportId: string; readonly isQueued: boolean }[]> {
    const rows = await tx.query<{ tenant: string; export_id: string; state: RecordedState }>(
      `select b.tenant, r.export_id, e.state from batches b join batch_rows r on r.batch_id = b.id and r.state = 'created'
         join exports e on e.id = r.export_id
       where b.state = 'running'`,
    );
    return rows.map(({ tenant, export_id: exportId, state }) => ({ tenant, exportId, isQueued: state === 'queued' }));
  }

  /** The next row of the tenant, of its oldest batch that has one. */
  async next(tenant: string, tx: Transaction): Promise<WaitingRow | null> {
    const [row] = await tx.query<{
      id: string;
      number: number;
      fill: string;
      tries: number;
      template: string;
      project_id: string;
      revision: number;
      fields: string;
    }>(
      `select b.id, b.template, b.project_id, b.revision, b.fields, r.number, r.fill, r.tries
       from batches b join batch_rows r on r.batch_id = b.id and r.state = 'waiting'
       where b.tenant = $1 and b.state = 'running' order by b.created_at_ms, b.id, r.number limit 1`,
      [tenant],
    );
    if (row === undefined) return null;
    const { id: batch, number, fill: values, tries, template, project_id: projectId, revision, fields } = row;
    return { batch, number, values, tries, template, projectId, revision, fields: JSON.parse(fields) };
  }

  /** Gives a waiting row its export, once. False if it no longer waits: the export must not be made. */
  async claim({ batch, number }: RowPlace, exportId: string, tx: Transaction): Promise<boolean> {
    const claimed = await tx.query(
      `update batch_rows set state = 'created', export_id = $3
       where batch_id = $1 and number = $2 and state = 'waiting' returning number`,
      [batch, number, exportId],
    );
    return claimed.length > 0;
  }

  /** Whether an export was made of a row. */
  async has(exportId: string, tx: Transaction): Promise<boolean> {
    const rows = await tx.query('select number from batch_rows where export_id = $1', [exportId]);
    return rows.length > 0;
  }

  /** A waiting row could not be made. */
  async failWaiting({ batch, number }: RowPlace, error: RecordedError, tx: Transaction): Promise<void> {
    await tx.query(
      `update batch_rows set state = 'failed', error = $3 where batch_id = $1 and number = $2 and state = 'waiting'`,
      [batch, number, JSON.stringify(error)],
    );
  }

  async countTry({ batch, number }: RowPlace, tx: Transaction): Promise<void> {
    await tx.query('update batch_rows set tries = tries + 1 where batch_id = $1 and number = $2', [batch, number]);
  }

  /** Ends a batch of which every row has ended. False if there is another one, or if it has ended. */
  async finish(id: string, { endedAtMs, expiresAtMs }: BatchEnd, tx: Transaction): Promise<boolean> {
    const ended = await tx.query(
      `update batches set state = 'completed', ended_at_ms = $2, expires_at_ms = $3
       where id = $1 and state = 'running' and not exists (
         select 1 from batch_rows r where r.batch_id = $1 and r.state in ('waiting', 'created')) returning id`,
      [id, endedAtMs, expiresAtMs],
    );
    return ended.length > 0;
  }

  /** Forgets batches whose time is over; their exports have their own. */
  async expire(nowMs: number, tx: Transaction): Promise<void> {
    await tx.query('delete from batches where expires_at_ms <= $1', [nowMs]);
  }
}

/** When a batch ended, and when it is forgotten. */
interface BatchEnd {
  readonly endedAtMs: number;
  readonly expiresAtMs: number;
}

/** The export of a row has ended. No effect on others. */
export async function settleRow(exportId: string, state: RecordedState, tx: Transaction): Promise<void> {
  await tx.query(`update batch_rows set state = $2 where export_id = $1 and state = 'created'`, [exportId, state]);
}

/** Why the export of a row failed. */
export async function setRowError(exportId: string, error: string, tx: Transaction): Promise<void> {
  await tx.query('update batch_rows set error = $2 where export_id = $1', [exportId, error]);
}

function batchOf(row: BatchSql): BatchRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    state: row.state,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms,
    expiresAtMs: row.expires_at_ms,
    projectId: row.project_id,
    revision: row.revision,
    total: row.total,
    columns: JSON.parse(row.table_columns),
    fields: JSON.parse(row.fields),
    requestHash: row.request_hash,
    idempotencyKey: row.idempotency_key,
  };
}

function rowOf({ number, video, fill, state, export_id: exportId, error, export_state: made }: RowSql): BatchRow {
  const shown = state === 'created' ? (made === 'rendering' ? 'rendering' : 'queued') : state;
  return { number, video, values: fill, state: shown, exportId, error: error === null ? null : JSON.parse(error) };
}
