import { MAX_IN_LIST, type SqlValue, type Transaction } from '../database.ts';
import { addUsage } from './usage-records.ts';

/** A project: its current revision and its properties, without the document. (C76) */
export interface ProjectRecord {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  /** SHA-256 of the current document. */
  readonly document: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly savedAtMs: number;
  /** null if it has none. */
  readonly thumbnail: { readonly sha256: string; readonly bytes: number } | null;
}

/** A kept revision of a project. */
export interface RevisionRecord {
  readonly revision: number;
  readonly name: string;
  readonly document: string;
  readonly bytes: number;
  readonly savedAtMs: number;
}

/** The values of a new revision. */
interface NewRevision extends RevisionRecord {
  readonly tenant: string;
  readonly id: string;
  /** SHA-256 of the media that it refers to, stored or not; each once. */
  readonly media: Iterable<string>;
}

/** A place in the list of projects, last saved first. */
export interface ProjectPlace {
  readonly savedAtMs: number;
  readonly id: string;
}

interface ProjectRow {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly document: string;
  readonly bytes: number;
  readonly created_at_ms: number;
  readonly saved_at_ms: number;
  readonly thumbnail: string | null;
  readonly thumbnail_bytes: number;
}

interface RevisionRow {
  readonly revision: number;
  readonly name: string;
  readonly document: string;
  readonly bytes: number;
  readonly saved_at_ms: number;
}

const SELECT_PROJECT = `select p.*, r.name, r.document, r.bytes from projects p
  join project_revisions r on r.tenant = p.tenant and r.project_id = p.id and r.revision = p.revision`;

/** The records of projects. Each operation is part of the caller's transaction. */
export class ProjectRecords {
  /** null if the tenant has no such project. */
  async find(tenant: string, id: string, tx: Transaction): Promise<ProjectRecord | null> {
    const [row] = await tx.query<ProjectRow>(`${SELECT_PROJECT} where p.tenant = $1 and p.id = $2`, [tenant, id]);
    return row === undefined ? null : projectOf(row);
  }

  /** A tenant's projects, last saved first. */
  async list(tenant: string, limit: number, after: ProjectPlace | null, tx: Transaction): Promise<ProjectRecord[]> {
    const values: SqlValue[] = [tenant, limit];
    if (after !== null) values.push(after.savedAtMs, after.id);
    const further = after === null ? '' : 'and (p.saved_at_ms, p.id) < ($3, $4)';
    const rows = await tx.query<ProjectRow>(
      `${SELECT_PROJECT} where p.tenant = $1 ${further} order by p.saved_at_ms desc, p.id desc limit $2`,
      values,
    );
    return rows.map(projectOf);
  }

  async count(tenant: string, tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ n: number }>('select count(*) as n from projects where tenant = $1', [tenant]);
    return row!.n;
  }

  /** Makes this the current revision; the first one creates the project. */
  async save(saved: NewRevision, tx: Transaction): Promise<void> {
    const { tenant, id, revision, name, document, bytes, savedAtMs, media } = saved;
    await tx.query(
      `insert into projects (tenant, id, revision, created_at_ms, saved_at_ms) values ($1, $2, $3, $4, $4)
       on conflict (tenant, id) do update set revision = excluded.revision, saved_at_ms = excluded.saved_at_ms`,
      [tenant, id, revision, savedAtMs],
    );
    await tx.query(
      `insert into project_revisions (tenant, project_id, revision, name, document, bytes, saved_at_ms)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [tenant, id, revision, name, document, bytes, savedAtMs],
    );
    for (const some of inBatches(media, MAX_IN_LIST)) {
      const rows = some.map((_, n) => `($1, $2, $3, $${n + 4})`).join(', ');
      await tx.query(`insert into project_media (tenant, project_id, revision, sha256) values ${rows}`, [
        ...[tenant, id, revision],
        ...some,
      ]);
    }
    await addUsage({ tenant, counter: 'bytes_stored', amount: bytes }, savedAtMs, tx);
  }

  /** The last revision that would have to go so that all others have at most this many references; 0 if none. */
  async lastRevisionOver(tenant: string, id: string, maxReferences: number, tx: Transaction): Promise<number> {
    const rows = await tx.query<{ revision: number; files: number }>(
      `select revision, count(*) as files from project_media where tenant = $1 and project_id = $2
       group by revision order by revision desc`,
      [tenant, id],
    );
    let sum = 0;
    for (const { revision, files } of rows) {
      sum += Number(files);
      if (sum > maxReferences) return revision;
    }
    return 0;
  }

  /** Deletes revisions up to this one; returns their documents. */
  async trim(tenant: string, id: string, upTo: number, tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ document: string }>(
      'delete from project_revisions where tenant = $1 and project_id = $2 and revision <= $3 returning document',
      [tenant, id, upTo],
    );
    return rows.map(({ document }) => document);
  }

  /** Kept revisions, newest first. */
  async revisions(tenant: string, id: string, tx: Transaction): Promise<RevisionRecord[]> {
    const rows = await tx.query<RevisionRow>(
      `select revision, name, document, bytes, saved_at_ms from project_revisions
       where tenant = $1 and project_id = $2 order by revision desc`,
      [tenant, id],
    );
    return rows.map(({ saved_at_ms: savedAtMs, ...row }) => ({ ...row, savedAtMs }));
  }

  /** SHA-256 of the media that the current revision refers to. */
  async mediaOf(tenant: string, id: string, tx: Transaction): Promise<Set<string>> {
    const rows = await tx.query<{ sha256: string }>(
      `select m.sha256 from project_media m join projects p
         on p.tenant = m.tenant and p.id = m.project_id and p.revision = m.revision
       where m.tenant = $1 and m.project_id = $2`,
      [tenant, id],
    );
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /** SHA-256 of the tenant's media that any kept revision refers to. Revisions may refer to far more than is stored. */
  async storedMedia(tenant: string, id: string, tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ sha256: string }>(
      `select m.sha256 from media m where m.tenant = $1 and exists (
         select 1 from project_media p where p.tenant = m.tenant and p.sha256 = m.sha256 and p.project_id = $2)
       order by m.sha256`,
      [tenant, id],
    );
    return rows.map(({ sha256 }) => sha256);
  }

  /** False if there is no such project. */
  async setThumbnail(tenant: string, id: string, sha256: string, bytes: number, tx: Transaction): Promise<boolean> {
    const sql = 'update projects set thumbnail = $3, thumbnail_bytes = $4 where tenant = $1 and id = $2 returning id';
    return (await tx.query(sql, [tenant, id, sha256, bytes])).length > 0;
  }

  /** Deletes a project with its revisions and links; returns its contents. */
  async delete(tenant: string, id: string, tx: Transaction): Promise<string[]> {
    const documents = (await this.revisions(tenant, id, tx)).map(({ document }) => document);
    const rows = await tx.query<{ thumbnail: string | null }>(
      'delete from projects where tenant = $1 and id = $2 returning thumbnail',
      [tenant, id],
    );
    return [...documents, ...rows.flatMap(({ thumbnail }) => thumbnail ?? [])];
  }
}

function* inBatches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function projectOf(row: ProjectRow): ProjectRecord {
  const { tenant, id, name, revision, document, bytes, created_at_ms: createdAtMs, saved_at_ms: savedAtMs } = row;
  const thumbnail = row.thumbnail === null ? null : { sha256: row.thumbnail, bytes: row.thumbnail_bytes };
  return { tenant, id, name, revision, document, bytes, createdAtMs, savedAtMs, thumbnail };
}

/** A secret address of a project. (C76) */
interface LinkRecord {
  readonly id: string;
  readonly createdAtMs: number;
}

/** The project that a secret opens. */
interface LinkedProject {
  readonly tenant: string;
  readonly id: string;
}

/** The secret addresses of projects. The database has only hashes of the secrets. */
export class LinkRecords {
  async add(project: LinkedProject, link: LinkRecord, secretSha256: string, tx: Transaction): Promise<void> {
    await tx.query(
      'insert into project_links (secret_sha256, id, tenant, project_id, created_at_ms) values ($1, $2, $3, $4, $5)',
      [secretSha256, link.id, project.tenant, project.id, link.createdAtMs],
    );
  }

  /** Oldest first. */
  async list({ tenant, id }: LinkedProject, tx: Transaction): Promise<LinkRecord[]> {
    const rows = await tx.query<{ id: string; created_at_ms: number }>(
      `select id, created_at_ms from project_links where tenant = $1 and project_id = $2 order by created_at_ms, id`,
      [tenant, id],
    );
    return rows.map(({ id: link, created_at_ms: createdAtMs }) => ({ id: link, createdAtMs }));
  }

  /** null if no link has this secret. */
  async open(secretSha256: string, tx: Transaction): Promise<LinkedProject | null> {
    const [row] = await tx.query<{ tenant: string; project_id: string }>(
      'select tenant, project_id from project_links where secret_sha256 = $1',
      [secretSha256],
    );
    return row === undefined ? null : { tenant: row.tenant, id: row.project_id };
  }

  /** False if the project has no such link. */
  async delete({ tenant, id }: LinkedProject, link: string, tx: Transaction): Promise<boolean> {
    const sql = 'delete from project_links where tenant = $1 and project_id = $2 and id = $3 returning id';
    return (await tx.query(sql, [tenant, id, link])).length > 0;
  }
}
