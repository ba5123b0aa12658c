import type { Transaction } from '../database.ts';

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
