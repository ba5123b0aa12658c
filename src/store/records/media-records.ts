import { inList, type Transaction } from '../database.ts';
import { addUsage } from './usage-records.ts';

/** Content that a tenant has sent. */
export interface MediaRecord {
  readonly tenant: string;
  readonly sha256: string;
  readonly bytes: number;
  /**
   * Whether it was uploaded by itself and is kept for a while after its last use; otherwise it is removed with its last
   * export.
   */
  readonly lasting: boolean;
  readonly usedAtMs: number;
  /** Whether a project of the tenant refers to it; if so, it does not expire. (C76) */
  readonly inProject: boolean;
  readonly facts: KeptFacts | null;
}

/**
 * The facts of a probe as JSON, with the engine version and limits that made them: others may find other facts in the
 * same bytes.
 */
export interface KeptFacts {
  readonly json: string;
  readonly by: string;
}

/** A page of the content of a tenant. */
interface MediaListing {
  readonly limit: number;
  readonly after: { readonly usedAtMs: number; readonly sha256: string } | null;
}

/** An export or a project that uses content. */
interface MediaUser {
  readonly sha256: string;
  readonly kind: 'export' | 'project';
  readonly id: string;
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

/** True if an export of its tenant uses the row. */
const DRAWN_ON = `exists (
  select 1 from uploads u join exports e on e.id = u.export_id
  where u.hash = media.sha256 and e.tenant = media.tenant and e.state not in ('expired', 'cancelled'))`;

/** True if a kept revision of a project of its tenant refers to the row. */
const IN_PROJECT = `exists (
  select 1 from project_media p where p.tenant = media.tenant and p.sha256 = media.sha256)`;

/** True if a project, unfinished captions (C77) or a running batch (C85) need the row. */
const WANTED = `(${IN_PROJECT} or exists (
  select 1 from caption_media c where c.tenant = media.tenant and c.sha256 = media.sha256) or exists (
  select 1 from batch_media m join batches b on b.id = m.batch_id
  where m.tenant = media.tenant and m.sha256 = media.sha256 and b.state = 'running'))`;

/** The time of use of a row that its tenant has deleted and an export still uses. (C88) */
const HIDDEN = -1;
const SHOWN = 'media.used_at_ms >= 0';

/** In an upsert: the later use. */
const LATER_USE = 'case when media.used_at_ms < excluded.used_at_ms then excluded.used_at_ms else media.used_at_ms end';
/** In an upsert: a lasting row stays lasting. */
const ONCE_LASTING = 'case when excluded.lasting = 1 then 1 else media.lasting end';

/**
 * The content of each tenant. (C38) A tenant may refer only to content with a row of its own, even if others have the
 * same bytes. A client cannot detect that equal bytes are stored once.
 */
export class MediaRecords {
  /** null if the tenant has no such content, even if others do. */
  async find(tenant: string, sha256: string, tx: Transaction): Promise<MediaRecord | null> {
    const sql = `select media.*, case when ${IN_PROJECT} then 1 else 0 end as in_project
      from media where tenant = $1 and sha256 = $2 and ${SHOWN}`;
    const [row] = await tx.query<MediaRow>(sql, [tenant, sha256]);
    return row === undefined ? null : recordOf(row);
  }

  /** The content of the tenant among these hashes; at most `MAX_IN_LIST`. */
  async findAll(
    tenant: string,
    hashes: readonly string[],
    tx: Transaction,
  ): Promise<Pick<MediaRecord, 'sha256' | 'usedAtMs' | 'facts'>[]> {
    const { places, parameters } = inList(hashes);
    const sql = `select sha256, used_at_ms, facts, facts_by from media
      where sha256 in (${places}) and tenant = $${parameters.length + 1} and ${SHOWN}`;
    const rows = await tx.query<MediaRow>(sql, [...parameters, tenant]);
    return rows.map((row) => ({ sha256: row.sha256, usedAtMs: row.used_at_ms, facts: factsOf(row) }));
  }

  /** The content of a tenant, last used first, from behind a place on. (C94) */
  async list(tenant: string, { limit, after }: MediaListing, tx: Transaction): Promise<MediaRecord[]> {
    const behind = after === null ? '' : 'and (used_at_ms, sha256) < ($3, $4)';
    const sql = `select media.*, case when ${IN_PROJECT} then 1 else 0 end as in_project
      from media where tenant = $1 and ${SHOWN} ${behind} order by used_at_ms desc, sha256 desc limit $2`;
    const values = [tenant, limit, ...(after === null ? [] : [after.usedAtMs, after.sha256])];
    return (await tx.query<MediaRow>(sql, values)).map(recordOf);
  }

  /** The first exports and projects that use each content, by its hash. (C94) */
  async users(tenant: string, hashes: readonly string[], most: number, tx: Transaction): Promise<MediaUser[]> {
    if (hashes.length === 0) return [];
    // One bounded search for each hash: content that ten thousand exports use costs no more.
    const of = (from: string) =>
      hashes.map((_, n) => `select * from (${from.replaceAll('$hash', `$${n + 2}`)} limit ${most}) as of_${n}`);
    const exports =
      of(`select distinct u.hash as sha256, 'export' as kind, e.id as id from uploads u join exports e on e.id = u.export_id
      where u.hash = $hash and e.tenant = $1 and e.state not in ('expired', 'cancelled')`);
    const projects = of(`select distinct p.sha256, 'project' as kind, p.project_id as id from project_media p
      where p.sha256 = $hash and p.tenant = $1`);
    const found: MediaUser[] = [];
    for (const parts of [exports, projects])
      found.push(...(await tx.query<MediaUser>(parts.join(' union all '), [tenant, ...hashes])));
    return found;
  }

  /** Makes the content lasting: it is kept for a while after its last use. */
  async keep(content: Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes'>, nowMs: number, tx: Transaction): Promise<void> {
    await this.#add(content, 1, nowMs, tx);
  }

  /** Records that an export of the tenant uses the content. */
  async use(
    { facts, ...content }: Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes' | 'facts'>,
    nowMs: number,
    tx: Transaction,
  ): Promise<void> {
    await this.#add(content, 0, nowMs, tx);
    if (facts !== null) await this.setFacts(content.tenant, content.sha256, facts, tx);
  }

  /** Counts new content of the tenant as stored. (C74) */
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

  /** Records a use of each; writes nothing if one within `graceMs` is recorded. At most `MAX_IN_LIST`. */
  async touch(
    tenant: string,
    hashes: readonly string[],
    nowMs: number,
    graceMs: number,
    tx: Transaction,
  ): Promise<void> {
    const { places, parameters } = inList(hashes);
    const given = (index: number) => `$${parameters.length + index}`;
    await tx.query(
      `update media set used_at_ms = ${given(1)}
       where sha256 in (${places}) and tenant = ${given(2)} and ${SHOWN} and used_at_ms < ${given(3)}`,
      [...parameters, nowMs, tenant, nowMs - graceMs],
    );
  }

  /** No error if the content was deleted meanwhile. */
  async setFacts(tenant: string, sha256: string, { json, by }: KeptFacts, tx: Transaction): Promise<void> {
    await tx.query('update media set facts = $3, facts_by = $4 where tenant = $1 and sha256 = $2', [
      tenant,
      sha256,
      json,
      by,
    ]);
  }

  /**
   * Removes the tenant's reference; exports that use it are not affected. While one does, its row stays, hidden: the
   * bytes are stored, so they count. False if there is no such content.
   */
  async delete(tenant: string, sha256: string, tx: Transaction): Promise<boolean> {
    const hidden = await tx.query(
      `update media set lasting = 0, used_at_ms = ${HIDDEN}
       where tenant = $1 and sha256 = $2 and ${SHOWN} and ${DRAWN_ON} returning sha256`,
      [tenant, sha256],
    );
    if (hidden.length === 0) {
      const sql = `delete from media where tenant = $1 and sha256 = $2 and ${SHOWN} returning sha256`;
      return (await tx.query(sql, [tenant, sha256])).length > 0;
    }
    // The deletion of the row would delete these, too.
    await tx.query('delete from fetched_media where tenant = $1 and sha256 = $2', [tenant, sha256]);
    await tx.query('delete from captions where tenant = $1 and result = $2', [tenant, sha256]);
    return true;
  }

  /** The files of a tenant, and their bytes: those of uploads, exports, projects, captions and fetches, each once. */
  async sum(tenant: string, tx: Transaction): Promise<{ readonly files: number; readonly bytes: number }> {
    const [row] = await tx.query<{ files: number; bytes: number }>(
      'select count(*) as files, coalesce(sum(bytes), 0) as bytes from media where tenant = $1',
      [tenant],
    );
    return row!;
  }

  /** Ends the lasting state of content that was not used since then and that nothing needs. */
  async lapse(unusedSinceMs: number, tx: Transaction): Promise<void> {
    await tx.query(`update media set lasting = 0 where lasting = 1 and used_at_ms <= $1 and not ${WANTED}`, [
      unusedSinceMs,
    ]);
  }

  /**
   * Deletes rows that are neither lasting nor used by an export, a project, captions or a batch of their tenant; returns
   * the hashes.
   */
  async release(tx: Transaction): Promise<string[]> {
    const sql = `delete from media where lasting = 0 and not ${DRAWN_ON} and not ${WANTED} returning sha256`;
    return hashesOf(await tx.query(sql));
  }

  /** The same, for the content of one export. */
  async releaseOf(exportId: string, tx: Transaction): Promise<void> {
    await tx.query(
      `delete from media where lasting = 0 and sha256 in (select hash from uploads where export_id = $1)
         and not ${DRAWN_ON} and not ${WANTED}`,
      [exportId],
    );
  }
}

function recordOf(row: MediaRow): MediaRecord {
  const { tenant, sha256, bytes, lasting, used_at_ms: usedAtMs, in_project: inProject } = row;
  return { tenant, sha256, bytes, lasting: lasting === 1, usedAtMs, inProject: inProject === 1, facts: factsOf(row) };
}

function factsOf({ facts, facts_by: by }: MediaRow): KeptFacts | null {
  return facts === null || by === null ? null : { json: facts, by };
}

function hashesOf(rows: readonly object[]): string[] {
  return [...new Set((rows as { sha256: string }[]).map(({ sha256 }) => sha256))];
}
