import type { Transaction } from '../database.ts';
import type { RecordedError } from './export-record.ts';

/** Captions as recorded. (C77) */
interface CaptionRecord {
  readonly id: string;
  readonly tenant: string;
  readonly language: string;
  readonly state: 'queued' | 'running' | 'completed' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  /** The hash of the finished captions; null until they are completed. */
  readonly result: string | null;
  /** null unless they have failed. */
  readonly error: RecordedError | null;
}

/** Requested captions. */
interface NewCaptions {
  readonly id: string;
  readonly tenant: string;
  /** A key of the sound, the model and the language. */
  readonly key: string;
  readonly language: string;
  /** The key of the model. */
  readonly model: string;
  /** The input, as JSON. */
  readonly source: string;
  /** The hashes of the input media. */
  readonly media: Iterable<string>;
}

/** Captions that a node makes. */
export interface WantedCaptions {
  readonly id: string;
  readonly tenant: string;
  readonly language: string;
  readonly model: string;
  readonly source: string;
}

interface CaptionRow extends WantedCaptions {
  readonly state: 'queued' | 'completed' | 'failed';
  readonly running: number;
  readonly progress: number;
  readonly result: string | null;
  readonly error: string | null;
}

/** The time of a model is written at most this often. */
const MODEL_GRACE_MS = 60_000;

/** Captions from speech, finished or not. (C77) */
export class CaptionRecords {
  async insert({ media, ...captions }: NewCaptions, nowMs: number, tx: Transaction): Promise<void> {
    const { id, tenant, key, language, model, source } = captions;
    await tx.query(
      `insert into captions (id, tenant, key, state, language, model, source, created_at_ms)
       values ($1, $2, $3, 'queued', $4, $5, $6, $7)`,
      [id, tenant, key, language, model, source, nowMs],
    );
    for (const sha256 of new Set(media)) {
      await tx.query('insert into caption_media (captions_id, tenant, sha256) values ($1, $2, $3)', [
        id,
        tenant,
        sha256,
      ]);
    }
  }

  /** null if the tenant has no such captions. */
  async find(tenant: string, id: string, tx: Transaction): Promise<CaptionRecord | null> {
    const [row] = await tx.query<CaptionRow>('select * from captions where tenant = $1 and id = $2', [tenant, id]);
    return row === undefined ? null : recordOf(row);
  }

  /** Captions of the same sound, model and language. */
  async findByKey(tenant: string, key: string, tx: Transaction): Promise<CaptionRecord | null> {
    const [row] = await tx.query<CaptionRow>('select * from captions where tenant = $1 and key = $2', [tenant, key]);
    return row === undefined ? null : recordOf(row);
  }

  /** The number of a tenant's unfinished captions. */
  async countUnfinished(tenant: string, tx: Transaction): Promise<number> {
    const sql = `select count(*) as captions from captions where tenant = $1 and state = 'queued'`;
    const [row] = await tx.query<{ captions: number }>(sql, [tenant]);
    return row!.captions;
  }

  /** Records the models of a running node. */
  async reportModels(models: readonly string[], nowMs: number, tx: Transaction): Promise<void> {
    for (const model of models) {
      await tx.query(
        `insert into caption_models (model, seen_at_ms) values ($1, $2)
         on conflict (model) do update set seen_at_ms = $2 where caption_models.seen_at_ms <= $3`,
        [model, nowMs, nowMs - MODEL_GRACE_MS],
      );
    }
  }

  /** Records that a node makes them. null if they were removed, or have ended. */
  async begin(id: string, tx: Transaction): Promise<WantedCaptions | null> {
    const sql = `update captions set running = 1, progress = 0 where id = $1 and state = 'queued' returning *`;
    return (await tx.query<CaptionRow>(sql, [id]))[0] ?? null;
  }

  /** Records the progress. No error if they were removed. */
  async report(id: string, progress: number, tx: Transaction): Promise<void> {
    await tx.query(`update captions set progress = $2 where id = $1 and state = 'queued'`, [id, progress]);
  }

  /** Unfinished captions that were requested before this time and whose model no node has had since. */
  async abandoned(sinceMs: number, models: readonly string[], tx: Transaction): Promise<WantedCaptions[]> {
    const rows = await tx.query<CaptionRow>(
      `select * from captions where state = 'queued' and created_at_ms <= $1 and not exists (
         select 1 from caption_models where caption_models.model = captions.model and seen_at_ms > $1)`,
      [sinceMs],
    );
    return rows.filter(({ model }) => !models.includes(model));
  }

  /** Ends the work, with a result or an error. False if the captions were removed, or have ended. */
  async end(
    id: string,
    end: { readonly result: string } | { readonly error: RecordedError },
    nowMs: number,
    tx: Transaction,
  ): Promise<boolean> {
    const [state, result, error] =
      'result' in end ? ['completed', end.result, null] : ['failed', null, JSON.stringify(end.error)];
    const rows = await tx.query(
      `update captions set state = $2, result = $3, error = $4, ended_at_ms = $5, source = ''
       where id = $1 and state = 'queued' returning id`,
      [id, state!, result!, error!, nowMs],
    );
    if (rows.length > 0) await tx.query('delete from caption_media where captions_id = $1', [id]);
    return rows.length > 0;
  }

  /** @returns the deleted captions, with the hash of their result, which is null if they were unfinished; null if there are none. */
  async delete(tenant: string, id: string, tx: Transaction): Promise<Pick<CaptionRow, 'result' | 'model'> | null> {
    const sql = 'delete from captions where tenant = $1 and id = $2 returning result, model';
    return (await tx.query<Pick<CaptionRow, 'result' | 'model'>>(sql, [tenant, id]))[0] ?? null;
  }

  /** Deletes captions that failed before this time. */
  async expireFailed(beforeMs: number, tx: Transaction): Promise<void> {
    await tx.query(`delete from captions where state = 'failed' and ended_at_ms <= $1`, [beforeMs]);
  }
}

function recordOf({ id, tenant, language, state, progress, result, error, running }: CaptionRow): CaptionRecord {
  const now = state === 'queued' && running === 1 ? 'running' : state;
  return { id, tenant, language, state: now, progress, result, error: error === null ? null : JSON.parse(error) };
}
