import { type ClaimRelease, ClaimTable, type ClaimTerms } from '../claims/claim-table.ts';
import type { Transaction } from '../database.ts';
import type { RecordedError } from '../export-record.ts';

/** Captions as they are recorded. (C77) */
interface CaptionRecord {
  readonly id: string;
  readonly tenant: string;
  readonly language: string;
  readonly state: 'queued' | 'running' | 'completed' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  /** The content that they are; null until they are completed. */
  readonly result: string | null;
  /** null unless they have failed. */
  readonly error: RecordedError | null;
}

/** Captions that are yet to be made. */
interface NewCaptions {
  readonly id: string;
  readonly tenant: string;
  /** Names the sound, the model and the language. */
  readonly key: string;
  readonly language: string;
  /** The key of the model. */
  readonly model: string;
  /** What they are made from, as JSON. */
  readonly source: string;
  /** The content that they are made from. */
  readonly media: Iterable<string>;
}

/** Captions that a node makes, and the claim on them. */
export interface ClaimedCaptions {
  readonly id: string;
  readonly tenant: string;
  readonly language: string;
  readonly model: string;
  readonly source: string;
  /** How often they were claimed, this time included. */
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
  /** Captions that were requested by then are claimed for any model: no node has had it. */
  readonly abandonedAtMs: number;
}

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

  /** null where the tenant has no such captions. */
  async find(tenant: string, id: string, tx: Transaction): Promise<CaptionRecord | null> {
    const [row] = await tx.query<CaptionRow>('select * from captions where tenant = $1 and id = $2', [tenant, id]);
    return row === undefined ? null : recordOf(row);
  }

  /** The same sound, in the same words. */
  async findByKey(tenant: string, key: string, tx: Transaction): Promise<CaptionRecord | null> {
    const [row] = await tx.query<CaptionRow>('select * from captions where tenant = $1 and key = $2', [tenant, key]);
    return row === undefined ? null : recordOf(row);
  }

  /** How many of a tenant are not finished. */
  async countUnfinished(tenant: string, tx: Transaction): Promise<number> {
    const sql = `select count(*) as captions from captions where tenant = $1 and state = 'queued'`;
    const [row] = await tx.query<{ captions: number }>(sql, [tenant]);
    return row!.captions;
  }

  async claim(
    holder: string,
    terms: ClaimTerms,
    { models, abandonedAtMs }: ClaimableCaptions,
    tx: Transaction,
  ): Promise<ClaimedCaptions | null> {
    const row = await this.#claims.claim<CaptionRow>(holder, terms, tx, (bind) =>
      [`created_at_ms <= ${bind(abandonedAtMs)}`, ...models.map((key) => `model = ${bind(key)}`)].join(' or '),
    );
    if (row === null) return null;
    const { id, tenant, language, model, source, tries } = row;
    return { id, tenant, language, model, source, tries };
  }

  /** Still at work, and so far. False: the claim is another's, or nobody wants the captions any more. */
  async hold(id: string, holder: string, progress: number, untilMs: number, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `update captions set held_until_ms = $3, progress = $4
       where id = $1 and holder = $2 and state = 'queued' returning id`,
      [id, holder, untilMs, progress],
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

  /** It is over: with content of the tenant, or with a reason. False where the claim was another's, or they are gone. */
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

  /** @returns the content that they were; null where there was none, undefined where there are no such captions. */
  async delete(tenant: string, id: string, tx: Transaction): Promise<string | null | undefined> {
    const sql = 'delete from captions where tenant = $1 and id = $2 returning result';
    return (await tx.query<{ result: string | null }>(sql, [tenant, id]))[0]?.result;
  }

  /** Forgets what has failed before then. */
  async expireFailed(beforeMs: number, tx: Transaction): Promise<void> {
    await tx.query(`delete from captions where state = 'failed' and ended_at_ms <= $1`, [beforeMs]);
  }
}

function recordOf({ id, tenant, language, state, progress, result, error, holder }: CaptionRow): CaptionRecord {
  const now = state === 'queued' && holder !== null ? 'running' : state;
  return { id, tenant, language, state: now, progress, result, error: error === null ? null : JSON.parse(error) };
}
