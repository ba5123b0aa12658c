import { type ClaimRelease, ClaimTable, type ClaimTerms } from '../claims/claim-table.ts';
import type { Transaction } from '../database.ts';
import type { RecordedError } from '../export-record.ts';

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

/** Captions that a node makes, and its claim on them. */
export interface ClaimedCaptions {
  readonly id: string;
  readonly tenant: string;
  readonly language: string;
  readonly model: string;
  readonly source: string;
  /** How often they were claimed, including this time. */
  readonly tries: number;
}

interface CaptionRow {
  readonly id: string;
  readonly tenant: string;
  readonly language: string;
  readonly state: 'queued' | 'completed' | 'failed';
  readonly model: string;
  readonly source: string;
  readonly progress: number;
  readonly result: string | null;
  readonly error: string | null;
  readonly tries: number;
  readonly holder: string | null;
}

/** Which captions a node can make. */
interface ClaimableCaptions {
  /** The keys of its models. */
  readonly models: readonly string[];
  /** Captions requested before this time are claimed for any model, unless a node had theirs since. */
  readonly abandonedAtMs: number;
}

/** The time of a model is written at most this often. */
const MODEL_GRACE_MS = 60_000;

/** Captions from speech, finished or not. (C77) */
export class CaptionRecords {
  readonly #claims = new ClaimTable('captions', 'id', "state = 'queued'");

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

  async claim(
    holder: string,
    terms: ClaimTerms,
    { models, abandonedAtMs }: ClaimableCaptions,
    tx: Transaction,
  ): Promise<ClaimedCaptions | null> {
    const row = await this.#claims.claim<CaptionRow>(holder, terms, tx, (bind) => {
      const since = bind(abandonedAtMs);
      const isAbandoned = `created_at_ms <= ${since} and not exists (
         select 1 from caption_models where caption_models.model = captions.model and seen_at_ms > ${since})`;
      return [isAbandoned, ...models.map((key) => `model = ${bind(key)}`)].join(' or ');
    });
    if (row === null) return null;
    const { id, tenant, language, model, source, tries } = row;
    return { id, tenant, language, model, source, tries };
  }

  /** Renews the claim and records the progress. False if the claim is lost or the captions were removed. */
  async hold(id: string, holder: string, progress: number, untilMs: number, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `update captions set held_until_ms = $3, progress = $4
       where id = $1 and holder = $2 and state = 'queued' returning id`,
      [id, holder, untilMs, progress],
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

  /** Ends the work, with a result or an error. False if the claim is lost or the captions were removed. */
  async end(
    id: string,
    holder: string,
    end: { readonly result: string } | { readonly error: RecordedError },
    nowMs: number,
    tx: Transaction,
  ): Promise<boolean> {
    const [state, result, error] =
      'result' in end ? ['completed', end.result, null] : ['failed', null, JSON.stringify(end.error)];
    const rows = await tx.query(
      `update captions set state = $3, result = $4, error = $5, ended_at_ms = $6, holder = null, source = ''
       where id = $1 and holder = $2 and state = 'queued' returning id`,
      [id, holder, state!, result!, error!, nowMs],
    );
    if (rows.length > 0) await tx.query('delete from caption_media where captions_id = $1', [id]);
    return rows.length > 0;
  }

  /**
   * @returns the hash of the finished captions; null if they were unfinished, undefined if there are no such captions.
   */
  async delete(tenant: string, id: string, tx: Transaction): Promise<string | null | undefined> {
    const sql = 'delete from captions where tenant = $1 and id = $2 returning result';
    return (await tx.query<{ result: string | null }>(sql, [tenant, id]))[0]?.result;
  }

  /** Deletes captions that failed before this time. */
  async expireFailed(beforeMs: number, tx: Transaction): Promise<void> {
    await tx.query(`delete from captions where state = 'failed' and ended_at_ms <= $1`, [beforeMs]);
  }
}

function recordOf({ id, tenant, language, state, progress, result, error, holder }: CaptionRow): CaptionRecord {
  const now = state === 'queued' && holder !== null ? 'running' : state;
  return { id, tenant, language, state: now, progress, result, error: error === null ? null : JSON.parse(error) };
}
