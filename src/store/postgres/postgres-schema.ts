import pg from 'pg';
import { ExportError } from '../../errors.ts';
import type { Transaction } from '../database.ts';
import { postgresError } from './postgres-error.ts';

/**
 * One step of the schema. An upgrade runs two releases side by side for a while: what a step takes away was not used by
 * the release before it any more (expand, then contract).
 */
export interface Migration {
  readonly sql: string;
  /** The oldest version of the schema whose release can still work once this step is done. */
  readonly worksFrom: number;
}

/** Numbers are as large as the embedded database's: 64 bits for times and bytes. Documents are texts, flags are 0 and 1. */
const FIRST = `
  create table exports (
    id text primary key,
    tenant text not null,
    state text not null check (state in ('queued', 'rendering', 'completed', 'failed', 'cancelled', 'expired')),
    created_at_ms bigint not null,
    expires_at_ms bigint,
    revision integer not null default 1,
    state_revision integer not null default 1,
    selected_preset text not null,
    settings text not null,
    title text not null,
    file_name text not null,
    duration_seconds double precision not null,
    total_frames integer not null,
    warnings text not null,
    error text,
    request_hash text not null,
    idempotency_key text,
    sound_state text not null check (sound_state in ('waiting', 'queued', 'completed')),
    callback_url text,
    external_id text,
    webhook_state text not null check (webhook_state in ('none', 'pending', 'delivered', 'given_up')),
    webhook_attempts integer not null default 0,
    webhook_due_at_ms bigint
  ) with (fillfactor = 80);
  create unique index exports_idempotency on exports (tenant, idempotency_key) where idempotency_key is not null;
  create index exports_state on exports (state, created_at_ms);
  create index exports_expiry on exports (expires_at_ms) where expires_at_ms is not null;
  create index exports_webhook on exports (webhook_due_at_ms) where webhook_state = 'pending';
  create index exports_list on exports (tenant, created_at_ms, id);
  create index exports_list_state on exports (tenant, state, created_at_ms, id);
  create index exports_list_external on exports (tenant, external_id, created_at_ms, id) where external_id is not null;

  create table outputs (
    export_id text not null references exports (id) on delete cascade,
    preset text not null,
    place integer not null,
    state text not null check (state in ('waiting', 'queued', 'rendering', 'completed', 'failed')),
    width integer not null,
    height integer not null,
    total_frames integer not null,
    frames_done integer not null default 0 check (frames_done between 0 and total_frames),
    jobs_left integer not null default 0 check (jobs_left >= 0),
    bytes bigint,
    sha256 text,
    error text,
    engine_version text,
    primary key (export_id, preset)
  ) with (fillfactor = 80);
  create index outputs_under_way on outputs (export_id) where state in ('queued', 'rendering');

  -- Of jobs under way. Nothing is lost with it that a worker does not tell again.
  create unlogged table live_frames (
    export_id text not null,
    preset text not null,
    first_chunk integer not null,
    frames integer not null,
    primary key (export_id, preset, first_chunk),
    foreign key (export_id, preset) references outputs (export_id, preset) on delete cascade
  );

  create table uploads (
    export_id text not null references exports (id) on delete cascade,
    field text not null,
    hash text not null,
    bytes bigint not null,
    primary key (export_id, field)
  );
  create index uploads_hash on uploads (hash);

  create table deliveries (
    seq bigint generated always as identity primary key,
    export_id text not null references exports (id) on delete cascade,
    at_ms bigint not null,
    duration_ms integer not null,
    delivered integer not null check (delivered in (0, 1)),
    status integer,
    reason text
  );
  create index deliveries_export on deliveries (export_id, seq);

  create table media (
    tenant text not null,
    sha256 text not null,
    bytes bigint not null,
    lasting integer not null check (lasting in (0, 1)),
    used_at_ms bigint not null,
    facts text,
    facts_by text,
    primary key (tenant, sha256)
  );
  create index media_sha256 on media (sha256);
  create index media_used on media (used_at_ms) where lasting = 1;

  create table unfinished_media (
    tenant text not null,
    sha256 text not null,
    file text not null unique,
    bytes bigint not null,
    received bigint not null check (received between 0 and bytes),
    received_at_ms bigint not null,
    primary key (tenant, sha256)
  );

  create table ended_sessions (id text primary key, expires_at_ms bigint not null);
  create index ended_sessions_expiry on ended_sessions (expires_at_ms);

  create table jobs (
    id text primary key,
    engine_id uuid not null unique,
    tenant text not null,
    export_id text not null,
    kind text not null check (kind in ('chunks', 'sound', 'assembly')),
    presets jsonb not null,
    first_chunk integer,
    chunk_count integer,
    priority integer not null,
    added_at_ms bigint not null,
    raised_until_ms bigint,
    released integer not null default 0
  );
  create index jobs_export on jobs (export_id);
  create index jobs_raised on jobs (raised_until_ms) where raised_until_ms is not null;
`;

/** Rendered pieces and who needs them, the bytes of uploads, and which blob a finished video is. */
const FILES = `
  create table parts (
    key text primary key,
    blob text not null unique,
    bytes bigint not null,
    used_at_ms bigint not null
  );
  create index parts_used on parts (used_at_ms, key);

  create table part_pins (owner text not null, key text not null, primary key (owner, key));
  create index part_pins_key on part_pins (key);

  create table contents (
    sha256 text primary key,
    blob text not null unique,
    bytes bigint not null,
    used_at_ms bigint not null
  );

  alter table outputs add column blob text;
`;

/** Outputs that are cut from another one; null in those that are not. (C52) */
const SHORTS = `
  alter table outputs add column short_number integer;
  alter table outputs add column short_title text;
  alter table outputs add column short_start integer;
  create index outputs_shorts_queued on outputs (export_id) where state = 'queued' and short_number is not null;
`;

/** Each brings the schema from the version of its place to the next. Shipped ones are never edited: add another. */
export const MIGRATIONS: readonly Migration[] = [
  { sql: FIRST, worksFrom: 1 },
  { sql: FILES, worksFrom: 2 },
  { sql: SHORTS, worksFrom: 2 },
];

/** Of all who might change the tables at once. */
const MIGRATION_LOCK = 7_403_114_021;

/**
 * Brings the tables up to date, all of it or nothing. Run once for each release before its processes start, and not while
 * they come up: changing tables under load is how processes get in each other's way. Two at once take turns.
 *
 * @param engine has the job engine do the same with its own, under the same lock
 * @throws `store.newer_schema`, `store.unreachable`
 */
export async function migratePostgres(
  url: string,
  engine: (url: string) => Promise<void>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'tiercut migrate' });
  client.on('error', () => {}); // the statement that is under way is told as well
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { version, worksFrom } = await schemaOf(async (sql) => (await client.query(sql)).rows);
    requireKnown(version, worksFrom, migrations);
    await engine(url);
    if (version < migrations.length) await client.query(stepsFrom(version, migrations));
  } catch (cause) {
    throw postgresError(cause);
  } finally {
    await client.end().catch(() => {});
  }
}

/** @throws `store.older_schema`, `store.newer_schema` */
export async function requireSchema(database: Transaction, migrations = MIGRATIONS): Promise<void> {
  const { version, worksFrom } = await schemaOf((sql) => database.query(sql));
  requireKnown(version, worksFrom, migrations);
  if (version >= migrations.length) return;
  const message = `The database has schema ${version}, this release needs ${migrations.length}. Run \`tiercut migrate\` first.`;
  throw new ExportError('unavailable', 'store.older_schema', message);
}

/** Without parameters several statements are one, all or nothing. */
function stepsFrom(version: number, migrations: readonly Migration[]): string {
  const worksFrom = Math.max(...migrations.map((migration) => migration.worksFrom));
  return `begin;
    create table if not exists schema_version (version integer not null, works_from integer not null);
    ${migrations
      .slice(version)
      .map(({ sql }) => `${sql};`)
      .join('\n')}
    delete from schema_version;
    insert into schema_version (version, works_from) values (${migrations.length}, ${worksFrom});
    commit`;
}

async function schemaOf(ask: (sql: string) => Promise<object[]>): Promise<{ version: number; worksFrom: number }> {
  const [table] = (await ask(`select to_regclass('schema_version') is not null as known`)) as { known: boolean }[];
  if (!table!.known) return { version: 0, worksFrom: 0 };
  const [row] = (await ask('select version, works_from from schema_version')) as {
    version: number;
    works_from: number;
  }[];
  return { version: row!.version, worksFrom: row!.works_from };
}

function requireKnown(version: number, worksFrom: number, migrations: readonly Migration[]): void {
  if (worksFrom <= migrations.length) return;
  const message = `The database was changed by a newer release (schema ${version}, this one knows ${migrations.length}). Start that release.`;
  throw new ExportError('unavailable', 'store.newer_schema', message);
}
