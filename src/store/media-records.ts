import type { Transaction } from './database.ts';
import { addUsage } from './usage/usage-records.ts';

/** Content that a tenant has sent. */
export interface MediaRecord {
  readonly tenant: string;
  readonly sha256: string;
  readonly bytes: number;
  /** It was put there by itself, and lasts for a while after its last use; otherwise it goes with its last export. */
  readonly lasting: boolean;
  readonly usedAtMs: number;
  /** A project of the tenant refers to it: it does not expire. (C76) */
  readonly inProject: boolean;
  readonly facts: KeptFacts | null;
}

/** What looking into content has brought, as JSON, and who looked: the same bytes may be other facts to another engine. */
export interface KeptFacts {
  readonly json: string;
  readonly by: string;
}

interface MediaRow {
  readonly tenant: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly lasting: number;
  readonly used_at_ms: number;
  readonly in_project: number;
  readonly facts: string | null;
  readonly facts_by: string | null;
}

/** True of a row that an export of its tenant still draws on. */
const DRAWN_ON = `exists (
  select 1 from uploads u join exports e on e.id = u.export_id
  where u.hash = media.sha256 and e.tenant = media.tenant and e.state not in ('expired', 'cancelled'))`;

/** True of a row that a kept revision of a project of its tenant refers to. */
const IN_PROJECT = `exists (
  select 1 from project_media p where p.tenant = media.tenant and p.sha256 = media.sha256)`;

/** True of a row that somebody waits for beside exports: a project, or captions that are not finished (C77). */
const WANTED = `(${IN_PROJECT} or exists (
  select 1 from caption_media c where c.tenant = media.tenant and c.sha256 = media.sha256))`;

/** In an upsert: whichever use came later. */
const LATER_USE = 'case when media.used_at_ms < excluded.used_at_ms then excluded.used_at_ms else media.used_at_ms end';
/** In an upsert: what lasts goes on lasting. */
const ONCE_LASTING = 'case when excluded.lasting = 1 then 1 else media.lasting end';

/**
 * Which content is whose. (C38) A tenant may refer only to content with a row of its own, even if others have the same bytes;
 * where they lie, and that they lie there once for all, is not to be told from outside.
 */
export class MediaRecords {
  /** null if the tenant has no such content, even if others do. */
  async find(tenant: string, sha256: string, tx: Transaction): Promise<MediaRecord | null> {
    const sql = `select media.*, case when ${IN_PROJECT} then 1 else 0 end as in_project
      from media where tenant = $1 and sha256 = $2`;
    const [row] = await tx.query<MediaRow>(sql, [tenant, sha256]);
    return row === undefined ? null : recordOf(row);
  }

  /** From now on the content lasts for a while after its use. */
  async keep(content: Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes'>, nowMs: number, tx: Transaction): Promise<void> {
    await this.#add(content, 1, nowMs, tx);
  }

  /** An export of the tenant draws on the content from now on. */
  async use(
    { facts, ...content }: Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes' | 'facts'>,
    nowMs: number,
    tx: Transaction,
  ): Promise<void> {
    await this.#add(content, 0, nowMs, tx);
    if (facts !== null) await this.setFacts(content.tenant, content.sha256, facts, tx);
  }

  /** Counts what the tenant did not have as stored. (C74) */
  async #add(
    { tenant, sha256, bytes }: Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes'>,
    lasting: 0 | 1,
    nowMs: number,
    tx: Transaction,
  ): Promise<void> {
    const insert = `insert into media (tenant, sha256, bytes, lasting, used_at_ms) values ($1, $2, $3, $4, $5)
      on conflict (tenant, sha256)`;
    const values = [tenant, sha256, bytes, lasting, nowMs];
    const added = await tx.query(`${insert} do nothing returning sha256`, values);
    if (added.length > 0) return addUsage({ tenant, counter: 'bytes_stored', amount: bytes }, nowMs, tx);
    await tx.query(`${insert} do update set lasting = ${ONCE_LASTING}, used_at_ms = ${LATER_USE}`, values);
  }

  /** It was used now; nothing is written where that was known to within `graceMs`. */
  async touch(tenant: string, sha256: string, nowMs: number, graceMs: number, tx: Transaction): Promise<void> {
    await tx.query('update media set used_at_ms = $3 where tenant = $1 and sha256 = $2 and used_at_ms < $4', [
      tenant,
      sha256,
      nowMs,
      nowMs - graceMs,
    ]);
  }

  /** No error where the content is gone meanwhile. */
  async setFacts(tenant: string, sha256: string, { json, by }: KeptFacts, tx: Transaction): Promise<void> {
    await tx.query('update media set facts = $3, facts_by = $4 where tenant = $1 and sha256 = $2', [
      tenant,
      sha256,
      json,
      by,
    ]);
  }

  /** The tenant can no longer refer to it; exports that draw on it still do. False where there is no such content. */
  async delete(tenant: string, sha256: string, tx: Transaction): Promise<boolean> {
    const sql = 'delete from media where tenant = $1 and sha256 = $2 returning sha256';
    return (await tx.query(sql, [tenant, sha256])).length > 0;
  }

  /** What a tenant has put there by itself, refers to in its projects or waits for the captions of, all together: what its quota is for. */
  async sumLasting(tenant: string, tx: Transaction): Promise<{ readonly files: number; readonly bytes: number }> {
    const [row] = await tx.query<{ files: number; bytes: number }>(
      `select count(*) as files, coalesce(sum(bytes), 0) as bytes from media
       where tenant = $1 and (lasting = 1 or ${WANTED})`,
      [tenant],
    );
    return row!;
  }

  /** What was not used since then, and nobody waits for, no longer lasts by itself. */
  async lapse(unusedSinceMs: number, tx: Transaction): Promise<void> {
    await tx.query(`update media set lasting = 0 where lasting = 1 and used_at_ms <= $1 and not ${WANTED}`, [
      unusedSinceMs,
    ]);
  }

  /** Forgets what neither lasts nor is used by an export, a project or captions of its tenant; returns the hashes. */
  async release(tx: Transaction): Promise<string[]> {
    const sql = `delete from media where lasting = 0 and not ${DRAWN_ON} and not ${WANTED} returning sha256`;
    return hashesOf(await tx.query(sql));
  }

  /** The same, of what one export had. */
  async releaseOf(exportId: string, tx: Transaction): Promise<void> {
    await tx.query(
      `delete from media where lasting = 0 and sha256 in (select hash from uploads where export_id = $1)
         and not ${DRAWN_ON} and not ${WANTED}`,
      [exportId],
    );
  }
}

function recordOf(row: MediaRow): MediaRecord {
  const { tenant, sha256, bytes, lasting, used_at_ms: usedAtMs, in_project: inProject, facts, facts_by: by } = row;
  const kept = facts === null || by === null ? null : { json: facts, by };
  return { tenant, sha256, bytes, lasting: lasting === 1, usedAtMs, inProject: inProject === 1, facts: kept };
}

function hashesOf(rows: readonly object[]): string[] {
  return [...new Set((rows as { sha256: string }[]).map(({ sha256 }) => sha256))];
}
