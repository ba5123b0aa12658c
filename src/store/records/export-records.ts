import type { Issue } from '../../errors.ts';
import { inList, type SqlValue, type Transaction } from '../database.ts';
import { setRowError, settleRow } from './batch-records.ts';
import {
  type ExportListing,
  type ExportRecord,
  isTerminal,
  LEGAL_MOVES,
  type NewExport,
  type RecordedError,
  type RecordedState,
  requireLegalMove,
  type Upload,
} from './export-record.ts';
import { CHANGED, type ExportRow, exportOf, SELECT_EXPORT } from './export-row.ts';
import { hashOfPair } from './metadata-pair.ts';
import { addUsage } from './usage-records.ts';

/** More than anyone reads; bounded so that a hostile font or image cannot fill the record. */
const MAX_WARNINGS = 500;

/**
 * The records of exports. Each operation is part of the caller's transaction, together with its changes to the export's
 * jobs; reads can also use the database directly.
 */
export class ExportRecords {
  /** Returns false and stores nothing if another export of the tenant has the idempotency key. (C9) */
  async insert(record: NewExport, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `insert into exports (id, tenant, state, created_at_ms, selected_preset, settings, title, file_name,
         duration_seconds, total_frames, warnings, request_hash, idempotency_key, sound_state, callback_url,
         external_id, retention_ms, callback_events, metadata, project_id, project_revision, project_values)
       values ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'waiting', $13, $14, $15, $16, $17, $18, $19, $20)
       on conflict do nothing returning id`,
      [
        record.id,
        record.tenant,
        record.createdAtMs,
        record.selectedPreset,
        JSON.stringify(record.settings),
        record.title,
        record.fileName,
        record.durationSeconds,
        record.totalFrames,
        JSON.stringify(record.warnings),
        record.requestHash,
        record.idempotencyKey,
        record.callbackUrl,
        record.externalId,
        record.retentionMs,
        JSON.stringify(record.callbackEvents),
        JSON.stringify(record.metadata),
        record.project?.id ?? null,
        record.project?.revision ?? null,
        record.project?.values ?? null,
      ],
    );
    if (rows.length === 0) return false;
    await this.#addParts(record, tx);
    for (const pair of Object.entries(record.metadata)) {
      await tx.query('insert into export_metadata (export_id, tenant, pair, created_at_ms) values ($1, $2, $3, $4)', [
        record.id,
        record.tenant,
        hashOfPair(pair),
        record.createdAtMs,
      ]);
    }
    await addUsage({ tenant: record.tenant, counter: 'exports', amount: 1 }, record.createdAtMs, tx);
    return true;
  }

  /**
   * Completes the record of an export whose files have been fetched: the planned values replace the placeholders. (C66)
   */
  async complete(record: NewExport, tx: Transaction): Promise<void> {
    await tx.query(
      `update exports set settings = $2, title = $3, file_name = $4, duration_seconds = $5, total_frames = $6, warnings = $7,
         ${CHANGED} where id = $1`,
      [
        ...[record.id, JSON.stringify(record.settings), record.title, record.fileName],
        ...[record.durationSeconds, record.totalFrames, JSON.stringify(record.warnings)],
      ],
    );
    // Outputs that were stopped meanwhile stay stopped.
    await tx.query("delete from outputs where export_id = $1 and state <> 'failed'", [record.id]);
    await tx.query('delete from uploads where export_id = $1', [record.id]);
    await this.#addParts(record, tx);
  }

  async #addParts(record: NewExport, tx: Transaction): Promise<void> {
    for (const [place, { preset, width, height, totalFrames, engineVersion, short }] of record.outputs.entries()) {
      await tx.query(
        `insert into outputs (export_id, preset, place, state, width, height, total_frames, engine_version, short_number,
           short_title, short_start)
         values ($1, $2, $3, 'waiting', $4, $5, $6, $7, $8, $9, $10)
         on conflict (export_id, preset) do update set total_frames = excluded.total_frames`,
        [
          ...[record.id, preset, place, width, height, totalFrames, engineVersion],
          ...[short?.number ?? null, short?.title ?? null, short?.startFrame ?? null],
        ],
      );
    }
    for (const { field, hash, bytes } of record.uploads) {
      await tx.query('insert into uploads (export_id, field, hash, bytes) values ($1, $2, $3, $4)', [
        record.id,
        field,
        hash,
        bytes,
      ]);
    }
  }

  /** null if there is none. */
  async find(id: string, tx: Transaction): Promise<ExportRecord | null> {
    return this.#read(await tx.query<ExportRow>(`${SELECT_EXPORT} where e.id = $1 order by o.place`, [id]), tx);
  }

  /** null if there is none, or if it is another tenant's: a client cannot tell the two apart. (H19) */
  async findOfTenant(tenant: string, id: string, tx: Transaction): Promise<ExportRecord | null> {
    const sql = `${SELECT_EXPORT} where e.id = $1 and e.tenant = $2 order by o.place`;
    return this.#read(await tx.query<ExportRow>(sql, [id, tenant]), tx);
  }

  /** The values that it was made with, as JSON; null if it was not made of a project. (C84) */
  async valuesOf(id: string, tx: Transaction): Promise<string | null> {
    const [row] = await tx.query<{ project_values: string | null }>(
      'select project_values from exports where id = $1',
      [id],
    );
    return row?.project_values ?? null;
  }

  /** null if the key is free. An export holds its key until it is cancelled or expires. (C9) */
  async findByIdempotencyKey(tenant: string, key: string, tx: Transaction): Promise<ExportRecord | null> {
    const sql = `${SELECT_EXPORT} where e.tenant = $1 and e.idempotency_key = $2 order by o.place`;
    return this.#read(await tx.query<ExportRow>(sql, [tenant, key]), tx);
  }

  /** A tenant's exports, newest first, without removed ones. Does not read their uploads. (C40) */
  async list(
    tenant: string,
    { state, externalId, metadata, fromMs, beforeMs, limit, after }: ExportListing,
    tx: Transaction,
  ): Promise<Omit<ExportRecord, 'uploads'>[]> {
    const values: SqlValue[] = [tenant];
    const given = (value: SqlValue) => `$${values.push(value)}`;
    const [first, ...pairs] = metadata.map(hashOfPair);
    // A pair leads: it is in the index of pairs, in the order of the list.
    const lead = first === undefined ? 'f' : 'l';
    const id = first === undefined ? `${lead}.id` : `${lead}.export_id`;
    const from = first === undefined ? 'exports f' : 'export_metadata l join exports f on f.id = l.export_id';
    const wanted = [`${lead}.tenant = $1`, "f.state not in ('cancelled', 'expired')"];
    if (first !== undefined) wanted.push(`l.pair = ${given(first)}`);
    for (const pair of pairs) {
      wanted.push(`exists (select 1 from export_metadata o where o.export_id = ${id} and o.pair = ${given(pair)})`);
    }
    if (state !== null) wanted.push(`f.state = ${given(state)}`);
    if (externalId !== null) wanted.push(`f.external_id = ${given(externalId)}`);
    if (fromMs !== null) wanted.push(`${lead}.created_at_ms >= ${given(fromMs)}`);
    if (beforeMs !== null) wanted.push(`${lead}.created_at_ms < ${given(beforeMs)}`);
    if (after !== null) {
      wanted.push(`(${lead}.created_at_ms, ${id}) < (${given(after.createdAtMs)}, ${given(after.id)})`);
    }
    const rows = await tx.query<ExportRow>(
      `${SELECT_EXPORT} where e.id in (select ${id} from ${from} where ${wanted.join(' and ')}
         order by ${lead}.created_at_ms desc, ${id} desc limit ${given(limit)})
       order by e.created_at_ms desc, e.id desc, o.place`,
      values,
    );
    return [...Map.groupBy(rows, ({ id }) => id).values()].map((outputs) => exportOf(outputs[0]!, outputs, []));
  }

  /** null if there is none. */
  async stateOf(id: string, tx: Transaction): Promise<RecordedState | null> {
    const [row] = await tx.query<{ state: RecordedState }>('select state from exports where id = $1', [id]);
    return row?.state ?? null;
  }

  /** Changes the state; false if it already has it. An illegal change, or an unknown export, is a bug. (C35) */
  async setState(id: string, to: RecordedState, tx: Transaction): Promise<boolean> {
    const from = await this.stateOf(id, tx);
    if (from === null) throw new Error(`there is no export ${id} to become ${to}`);
    if (from === to) return false;
    requireLegalMove(from, to);
    const moved = await tx.query(
      `update exports set state = $2, ${CHANGED},
         idempotency_key = case when $2 in ('cancelled', 'expired') then null else idempotency_key end
       where id = $1 and state = $3 returning id`,
      [id, to, from],
    );
    if (moved.length === 0) throw new Error(`export ${id} was moved by two at once`);
    if (isTerminal(to)) await settleRow(id, to, tx);
    return true;
  }

  /** Records that a worker has started it. False if it had started before, or has ended. (C35) */
  async begin(id: string, tx: Transaction): Promise<boolean> {
    const sql = `update exports set state = 'rendering', ${CHANGED} where id = $1 and state = 'queued' returning id`;
    return (await tx.query(sql, [id])).length > 0;
  }

  /** Fails the export and every unfinished output; with `alone`, the outputs continue. (C29, C34) */
  async fail(id: string, error: RecordedError, tx: Transaction, alone = false): Promise<void> {
    await this.setState(id, 'failed', tx);
    const text = JSON.stringify(error);
    await tx.query('update exports set error = $2 where id = $1', [id, text]);
    await setRowError(id, text, tx);
    if (alone) return;
    await tx.query(
      `update outputs set state = 'failed', error = $2 where export_id = $1 and state not in ('completed', 'failed')`,
      [id, text],
    );
  }

  /** Adds warnings of the render, without duplicates. No error if the export no longer exists. */
  async addWarnings(id: string, warnings: readonly Issue[], tx: Transaction): Promise<void> {
    const [row] = await tx.query<{ warnings: string }>('select warnings from exports where id = $1', [id]);
    if (row === undefined) return;
    const known = JSON.parse(row.warnings) as Issue[];
    const all = new Map(
      [...known, ...warnings].map((issue) => [`${issue.path} ${issue.code} ${issue.message}`, issue]),
    );
    if (all.size === known.length) return;
    await tx.query(`update exports set warnings = $2, ${CHANGED} where id = $1`, [
      id,
      JSON.stringify([...all.values()].slice(0, MAX_WARNINGS)),
    ]);
  }

  /** Sets when an ended export may be removed; null keeps it. */
  async setExpiry(id: string, expiresAtMs: number | null, tx: Transaction): Promise<void> {
    await tx.query(`update exports set expires_at_ms = $2, ${CHANGED} where id = $1`, [id, expiresAtMs]);
  }

  /** Deletes the record, its outputs and its uploads; the queue drops its jobs. No error if there is none. */
  async delete(id: string, tx: Transaction): Promise<void> {
    await tx.query('delete from exports where id = $1', [id]);
  }

  /** The ids of expired exports, longest overdue first. */
  async listExpired(nowMs: number, tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `select id from exports where expires_at_ms <= $1 and state in ('completed', 'failed', 'cancelled')
       order by expires_at_ms, id`,
      [nowMs],
    );
    return rows.map(({ id }) => id);
  }

  /** The ids of exports in a state, oldest first. */
  async listByState(state: RecordedState, tx: Transaction): Promise<string[]> {
    const sql = 'select id from exports where state = $1 order by created_at_ms, id';
    return (await tx.query<{ id: string }>(sql, [state])).map(({ id }) => id);
  }

  /** The finished videos of the exports that exist; at most `MAX_IN_LIST` ids. */
  async videosOf(ids: readonly string[], tx: Transaction): Promise<Map<string, (string | null)[]>> {
    const { places, parameters } = inList(ids);
    const sql = `select export_id as id, blob from outputs where export_id in (${places})`;
    const rows = await tx.query<{ id: string; blob: string | null }>(sql, parameters);
    return new Map(
      [...Map.groupBy(rows, ({ id }) => id)].map(([id, outputs]) => [id, outputs.map(({ blob }) => blob)]),
    );
  }

  /** How many exports are in each state. */
  async countByState(tx: Transaction): Promise<Record<RecordedState, number>> {
    const rows = await tx.query<{ state: RecordedState; count: number }>(
      'select state, count(*) as count from exports group by state',
    );
    const none = Object.keys(LEGAL_MOVES).map((state) => [state, 0]);
    return Object.fromEntries([...none, ...rows.map(({ state, count }) => [state, count])]);
  }

  /**
   * How many exports wait, of the tenant and of all; beyond a limit, new ones are refused. A requested short counts as
   * one. (H39, C52)
   */
  async countWaiting(tenant: string, tx: Transaction): Promise<{ readonly own: number; readonly all: number }> {
    const [row] = await tx.query<{ own: number; all: number }>(
      `select count(case when tenant = $1 then 1 end) as own, count(*) as "all" from (
         select tenant from exports where state = 'queued'
         union all select e.tenant from outputs o join exports e on e.id = o.export_id
           where o.state = 'queued' and o.short_number is not null) waiting`,
      [tenant],
    );
    return row!;
  }

  /** The hashes of an export's uploads that no other active export uses and that no tenant may refer to. */
  async uploadsOnlyOf(id: string, tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ hash: string }>(
      `select distinct mine.hash from uploads mine where mine.export_id = $1 and not exists (
         select 1 from uploads other join exports e on e.id = other.export_id
         where other.hash = mine.hash and other.export_id <> $1 and e.state not in ('expired', 'cancelled'))
       and not exists (select 1 from media where media.sha256 = mine.hash)
       order by mine.hash`,
      [id],
    );
    return rows.map(({ hash }) => hash);
  }

  async #read(rows: readonly ExportRow[], tx: Transaction): Promise<ExportRecord | null> {
    const [row] = rows;
    if (row === undefined) return null;
    // A separate statement is consistent, because uploads never change.
    const sql = 'select field, hash, bytes from uploads where export_id = $1 order by field';
    return exportOf(row, rows, await tx.query<Upload>(sql, [row.id]));
  }
}
