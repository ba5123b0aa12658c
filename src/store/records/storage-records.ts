import type { Transaction } from '../database.ts';

/** Stored bytes, and the rows that record them. */
export interface Stored {
  readonly bytes: number;
  readonly rows: number;
}

/** Something that a tenant can delete. */
export interface Deletable {
  readonly kind: 'export' | 'media' | 'project';
  /** The id of an export or a project, or the SHA-256 of media. */
  readonly id: string;
  readonly bytes: number;
}

/** What a tenant stores in exports and projects. Each query reads the tenant's rows only. */
export class StorageRecords {
  /** The finished videos of exports. Their rows are exports, outputs, references to files, pairs of metadata, events with their receivers and tries, registered webhooks, batches and their rows. */
  async ofExports(tenant: string, tx: Transaction): Promise<Stored> {
    const of = (sql: string) => tx.query<Stored>(sql, [tenant]);
    const [videos] = await of(
      `select coalesce(sum(o.bytes), 0) as bytes, count(*) as rows
       from exports e join outputs o on o.export_id = e.id where e.tenant = $1`,
    );
    const [files] = await of(
      'select 0 as bytes, count(*) as rows from exports e join uploads u on u.export_id = e.id where e.tenant = $1',
    );
    const [exports] = await of('select 0 as bytes, count(*) as rows from exports where tenant = $1');
    const [pairs] = await of('select 0 as bytes, count(*) as rows from export_metadata where tenant = $1');
    const [batches] = await of(
      'select coalesce(sum(bytes), 0) as bytes, coalesce(sum(total), 0) + count(*) as rows from batches where tenant = $1',
    );
    const [pairsOfBatches] = await of(
      'select 0 as bytes, count(*) as rows from batches b join batch_metadata m on m.batch_id = b.id where b.tenant = $1',
    );
    const [mediaOfBatches] = await of('select 0 as bytes, count(*) as rows from batch_media where tenant = $1');
    const [webhooks] = await of('select 0 as bytes, count(*) as rows from webhooks where tenant = $1');
    const [events] = await of('select 0 as bytes, count(*) as rows from events where tenant = $1');
    const [receivers] = await of(
      'select 0 as bytes, count(*) as rows from events v join event_receivers r on r.event_id = v.id where v.tenant = $1',
    );
    const [tries] = await of(
      'select 0 as bytes, count(*) as rows from exports e join deliveries d on d.export_id = e.id where e.tenant = $1',
    );
    return added([
      videos!,
      files!,
      exports!,
      pairs!,
      batches!,
      pairsOfBatches!,
      mediaOfBatches!,
      webhooks!,
      events!,
      receivers!,
      tries!,
    ]);
  }

  /** Documents and thumbnails, each content once. Their rows are projects, revisions and references to media. */
  async ofProjects(tenant: string, tx: Transaction): Promise<Stored> {
    const of = (sql: string) => tx.query<Stored>(sql, [tenant]);
    const [documents] = await of(
      `select coalesce(sum(bytes), 0) as bytes, coalesce(sum(revisions), 0) as rows from (
         select max(bytes) as bytes, count(*) as revisions from project_revisions where tenant = $1 group by document) d`,
    );
    const [thumbnails] = await of(
      `select coalesce(sum(bytes), 0) as bytes, coalesce(sum(projects), 0) as rows from (
         select max(thumbnail_bytes) as bytes, count(*) as projects from projects where tenant = $1 group by thumbnail) t`,
    );
    const [media] = await of('select 0 as bytes, count(*) as rows from project_media where tenant = $1');
    return added([documents!, thumbnails!, media!]);
  }

  /** The largest of each kind that can be deleted now: ended exports, unused media, projects. */
  async largest(tenant: string, each: number, tx: Transaction): Promise<Deletable[]> {
    const of = async (kind: Deletable['kind'], sql: string) => {
      const rows = await tx.query<{ id: string; bytes: number }>(`${sql} order by bytes desc limit $2`, [tenant, each]);
      return rows.map(({ id, bytes }) => ({ kind, id, bytes: Number(bytes) }));
    };
    return [
      ...(await of(
        'media',
        `select sha256 as id, bytes from media where tenant = $1
         and not exists (select 1 from project_media p where p.tenant = media.tenant and p.sha256 = media.sha256)
         and not exists (select 1 from uploads u join exports e on e.id = u.export_id
           where u.hash = media.sha256 and e.tenant = media.tenant and e.state not in ('expired', 'cancelled'))`,
      )),
      ...(await of(
        'export',
        `select e.id, sum(o.bytes) as bytes from exports e join outputs o on o.export_id = e.id
         where e.tenant = $1 and e.state in ('completed', 'failed') and o.bytes is not null group by e.id`,
      )),
      ...(await of(
        'project',
        'select project_id as id, sum(bytes) as bytes from project_revisions where tenant = $1 group by project_id',
      )),
    ].sort((a, b) => b.bytes - a.bytes);
  }
}

function added(all: readonly Stored[]): Stored {
  // PostgreSQL returns sums as texts.
  return {
    bytes: all.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    rows: all.reduce((sum, { rows }) => sum + Number(rows), 0),
  };
}
