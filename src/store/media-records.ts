import type { Transaction } from './database.ts';

/** Content that a tenant has sent. */
export interface MediaRecord {
  readonly tenant: string;
  readonly sha256: string;
  readonly bytes: number;
  /** It was put there by itself, and lasts for a while after its last use; otherwise it goes with its last export. */
  readonly lasting: boolean;
  readonly usedAtMs: number;
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
  readonly facts: string | null;
  readonly facts_by: string | null;
}

/** True of a row that an export of its tenant still draws on. */
const DRAWN_ON = `exists (
  select 1 from uploads u join exports e on e.id = u.export_id
  where u.hash = media.sha256 and e.tenant = media.tenant and e.state not in ('expired', 'cancelled'))`;

/** In an upsert: whichever use came later. */
const LATER_USE = 'case when media.used_at_ms < excluded.used_at_ms then excluded.used_at_ms else media.used_at_ms end';

/**
 * Which content is whose. (C38) A tenant may refer to what has a row of its own here, whoever else has the same bytes;
 * where they lie, and that they lie there once for all, is not to be told from outside.
 */
export class MediaRecords {
  /** null where the tenant has no such content, whoever else has. */
  async find(tenant: string, sha256: string, tx: Transaction): Promise<MediaRecord | null> {
    const sql = 'select * from media where tenant = $1 and sha256 = $2';
    const [row] = await tx.query<MediaRow>(sql, [tenant, sha256]);
    return row === undefined ? null : recordOf(row);
  }

  /** From now on the content lasts for a while after its use. */
  async keep(
    { tenant, sha256, bytes }: Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes'>,
    nowMs: number,
    tx: Transaction,
  ): Promise<void> {
    await tx.query(
      `insert into media (tenant, sha256, bytes, lasting, used_at_ms) values ($1, $2, $3, 1, $4)
       on conflict (tenant, sha256) do update set lasting = 1, used_at_ms = ${LATER_USE}`,
      [tenant, sha256, bytes, nowMs],
    );
  }

  /** An export of the tenant draws on the content from now on. */
  async use(
    { tenant, sha256, bytes, facts }: Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes' | 'facts'>,
    nowMs: number,
    tx: Transaction,
  ): Promise<void> {
    await tx.query(
      `insert into media (tenant, sha256, bytes, lasting, used_at_ms) values ($1, $2, $3, 0, $4)
       on conflict (tenant, sha256) do update set used_at_ms = ${LATER_USE}`,
      [tenant, sha256, bytes, nowMs],
    );
    if (facts !== null) await this.setFacts(tenant, sha256, facts, tx);
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

  /** What a tenant has put there by itself, all together: what its quota is for. */
  async sumLasting(tenant: string, tx: Transaction): Promise<{ readonly files: number; readonly bytes: number }> {
    const [row] = await tx.query<{ files: number; bytes: number }>(
      'select count(*) as files, coalesce(sum(bytes), 0) as bytes from media where tenant = $1 and lasting = 1',
      [tenant],
    );
    return row!;
  }

  /** What was not used since then no longer lasts by itself. */
  async lapse(unusedSinceMs: number, tx: Transaction): Promise<void> {
    await tx.query('update media set lasting = 0 where lasting = 1 and used_at_ms <= $1', [unusedSinceMs]);
  }

  /** Forgets what neither lasts nor is drawn on by an export of its tenant; the hashes, for whoever removes the bytes. */
  async release(tx: Transaction): Promise<string[]> {
    return hashesOf(await tx.query(`delete from media where lasting = 0 and not ${DRAWN_ON} returning sha256`));
  }

  /** The same, of what one export had. */
  async releaseOf(exportId: string, tx: Transaction): Promise<void> {
    await tx.query(
      `delete from media where lasting = 0 and sha256 in (select hash from uploads where export_id = $1) and not ${DRAWN_ON}`,
      [exportId],
    );
  }
}

function recordOf({ tenant, sha256, bytes, lasting, used_at_ms, facts, facts_by }: MediaRow): MediaRecord {
  const kept = facts === null || facts_by === null ? null : { json: facts, by: facts_by };
  return { tenant, sha256, bytes, lasting: lasting === 1, usedAtMs: used_at_ms, facts: kept };
}

function hashesOf(rows: readonly object[]): string[] {
  return [...new Set((rows as { sha256: string }[]).map(({ sha256 }) => sha256))];
}
