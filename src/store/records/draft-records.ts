import { inList, type Transaction } from '../database.ts';

/** The state of a draft: parts are missing, all exist, or one cannot be rendered. */
export type DraftState = 'rendering' | 'ready' | 'failed';

/** A video that is rendered while a user edits it, as last sent. (C79) */
export interface DraftRecord {
  readonly tenant: string;
  /** The id that the client chose. */
  readonly id: string;
  /** New with each PUT. Its plan is stored under this id. */
  readonly planId: string;
  readonly preset: string;
  readonly engineVersion: string;
  readonly state: DraftState;
}

/** The holder of a claim, and its end. */
interface ClaimTerm {
  readonly holder: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

interface DraftRow {
  readonly tenant: string;
  readonly id: string;
  readonly plan_id: string;
  readonly preset: string;
  readonly engine_version: string;
  readonly state: DraftState;
}

/** Drafts, and the claims of workers on their parts. */
export class DraftRecords {
  /** null if the tenant has no such draft. */
  async find(tenant: string, id: string, tx: Transaction): Promise<DraftRecord | null> {
    const [row] = await tx.query<DraftRow>('select * from drafts where tenant = $1 and id = $2', [tenant, id]);
    return row === undefined ? null : recordOf(row);
  }

  async count(tenant: string, tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ n: number }>('select count(*) as n from drafts where tenant = $1', [tenant]);
    return Number(row!.n);
  }

  /** Stores a draft in the place of an earlier one of the same id. Claims on the earlier plan end. */
  async put({ tenant, id, planId, preset, engineVersion }: DraftRecord, nowMs: number, tx: Transaction): Promise<void> {
    const [earlier] = await tx.query<{ served_at_ms: number }>(
      'delete from drafts where tenant = $1 and id = $2 returning served_at_ms',
      [tenant, id],
    );
    await tx.query(
      `insert into drafts (tenant, id, plan_id, preset, engine_version, state, used_at_ms, served_at_ms)
       values ($1, $2, $3, $4, $5, 'rendering', $6, $7)`,
      [tenant, id, planId, preset, engineVersion, nowMs, earlier?.served_at_ms ?? 0],
    );
  }

  /** Renews the use of a draft. */
  async touch(tenant: string, id: string, nowMs: number, tx: Transaction): Promise<void> {
    await tx.query('update drafts set used_at_ms = $3 where tenant = $1 and id = $2 and used_at_ms < $3', [
      tenant,
      id,
      nowMs,
    ]);
  }

  /** Returns the deleted draft. */
  async delete(tenant: string, id: string, tx: Transaction): Promise<DraftRecord | null> {
    const sql = 'delete from drafts where tenant = $1 and id = $2 returning *';
    const [row] = await tx.query<DraftRow>(sql, [tenant, id]);
    return row === undefined ? null : recordOf(row);
  }

  /** Deletes drafts that no client has read since then, and returns them. */
  async deleteUnused(sinceMs: number, tx: Transaction): Promise<DraftRecord[]> {
    return (await tx.query<DraftRow>('delete from drafts where used_at_ms < $1 returning *', [sinceMs])).map(recordOf);
  }

  /** Unfinished drafts of this engine version. The tenant whose draft was rendered the longest ago comes first. */
  async unfinished(engineVersion: string, limit: number, tx: Transaction): Promise<DraftRecord[]> {
    const sql = `select * from drafts where state = 'rendering' and engine_version = $1 order by served_at_ms, plan_id limit $2`;
    return (await tx.query<DraftRow>(sql, [engineVersion, limit])).map(recordOf);
  }

  /**
   * Claims a part of a plan until then. False while another worker has it, and if the plan is no longer current.
   *
   * @param part a chunk's number, `SOUND_PART` or `POSTER_PART`.
   */
  async claim({ tenant, planId }: DraftRecord, part: number, term: ClaimTerm, tx: Transaction): Promise<boolean> {
    const { holder, nowMs, untilMs } = term;
    const rows = await tx.query(
      `insert into draft_claims (plan_id, part, holder, held_until_ms)
       select plan_id, $2, $3, $5 from drafts where plan_id = $1
       on conflict (plan_id, part) do update set holder = excluded.holder, held_until_ms = excluded.held_until_ms
         where draft_claims.held_until_ms <= $4
       returning part`,
      [planId, part, holder, nowMs, untilMs],
    );
    if (rows.length === 0) return false;
    await tx.query('update drafts set served_at_ms = $2 where tenant = $1', [tenant, nowMs]);
    return true;
  }

  /** Renews the claim. */
  async renew({ planId }: DraftRecord, part: number, holder: string, untilMs: number, tx: Transaction): Promise<void> {
    const sql = 'update draft_claims set held_until_ms = $4 where plan_id = $1 and part = $2 and holder = $3';
    await tx.query(sql, [planId, part, holder, untilMs]);
  }

  /** Releases the claim. */
  async release({ planId }: DraftRecord, part: number, holder: string, tx: Transaction): Promise<void> {
    const sql = 'delete from draft_claims where plan_id = $1 and part = $2 and holder = $3';
    await tx.query(sql, [planId, part, holder]);
  }

  /** Ends all claims, because their holders are dead. */
  async releaseAll(tx: Transaction): Promise<void> {
    await tx.query('delete from draft_claims');
  }

  /** Does nothing if the plan is no longer current. */
  async setState({ planId }: DraftRecord, state: DraftState, tx: Transaction): Promise<void> {
    await tx.query('update drafts set state = $2 where plan_id = $1', [planId, state]);
  }

  /** Returns those of the ids that are plans of drafts; at most `MAX_IN_LIST`. */
  async plansAmong(ids: readonly string[], tx: Transaction): Promise<Set<string>> {
    const { places, parameters } = inList(ids);
    const sql = `select plan_id from drafts where plan_id in (${places})`;
    return new Set((await tx.query<{ plan_id: string }>(sql, parameters)).map(({ plan_id }) => plan_id));
  }
}

/** The part number of the sound, beside the numbers of chunks. */
export const SOUND_PART = -1;
/** The part number of the poster. */
export const POSTER_PART = -2;

function recordOf({
  tenant,
  id,
  plan_id: planId,
  preset,
  engine_version: engineVersion,
  state,
}: DraftRow): DraftRecord {
  return { tenant, id, planId, preset, engineVersion, state };
}
