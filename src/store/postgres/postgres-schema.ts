import pg from 'pg';
import { ExportError } from '../../errors.ts';
import type { Transaction } from '../database.ts';
import { recordTables, SCHEMA_VERSION, type Schema, type SqlDialect } from '../schema.ts';
import { otherSchema } from '../store-error.ts';
import { postgresError } from './postgres-error.ts';

/** Tables whose rows change often: with free space in each page, a new version of a row needs no new index entries. */
const UPDATED: ReadonlySet<string> = new Set(['exports', 'outputs']);
/** Tables that may be empty after a crash. */
const UNLOGGED: ReadonlySet<string> = new Set(['live_frames']);

const DIALECT: SqlDialect = {
  wide: 'bigint',
  real: 'double precision',
  serialKey: 'bigint generated always as identity primary key',
  table: (name, columns) =>
    `create ${UNLOGGED.has(name) ? 'unlogged ' : ''}table ${name} (${columns})${UPDATED.has(name) ? ' with (fillfactor = 80)' : ''};`,
};

/** The jobs. The engine knows their states. */
const JOBS = `
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
    released integer not null default 0,
    failed integer not null default 0
  );
  create index jobs_export on jobs (export_id);
  create index jobs_raised on jobs (raised_until_ms) where raised_until_ms is not null;
`;

/** All our tables. The job engine creates its own. */
export const POSTGRES_SCHEMA: Schema = { version: SCHEMA_VERSION, sql: recordTables(DIALECT) + JOBS };

/** The lock of the migration, across processes. */
const MIGRATION_LOCK = 7_403_114_021;

type Ask = (sql: string) => Promise<object[]>;

/**
 * Creates all tables or none; does nothing if they exist. Run it once before the first node starts, not in the nodes:
 * creating tables under load makes processes block each other. Concurrent runs take turns.
 *
 * @param engine creates the tables of the job engine, under the same lock
 * @throws `store.schema_mismatch`, `store.unreachable`
 */
export async function migratePostgres(
  url: string,
  engine: (url: string) => Promise<void>,
  schema: Schema = POSTGRES_SCHEMA,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'tiercut migrate' });
  client.on('error', () => {}); // the running statement gets the error as well
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ask: Ask = async (sql) => (await client.query(sql)).rows;
    const found = await versionOf(ask);
    if (found !== null && found !== schema.version) throw await mismatch(ask, found, schema);
    await engine(url);
    if (found === null) await client.query(creation(schema));
  } catch (cause) {
    throw postgresError(cause);
  } finally {
    await client.end().catch(() => {});
  }
}

/** @throws `store.schema_mismatch` */
export async function requireSchema(database: Transaction, schema: Schema = POSTGRES_SCHEMA): Promise<void> {
  const ask: Ask = (sql) => database.query(sql);
  const found = await versionOf(ask);
  if (found !== schema.version) throw await mismatch(ask, found, schema);
}

/** Without parameters, several statements run as one transaction. */
function creation({ version, sql }: Schema): string {
  return `begin; ${sql};
    create table schema_version (version integer not null);
    insert into schema_version (version) values (${version});
    commit`;
}

/** null if there are no tables. */
async function versionOf(ask: Ask): Promise<number | null> {
  const [table] = (await ask(`select to_regclass('schema_version') is not null as known`)) as { known: boolean }[];
  if (!table!.known) return null;
  const [row] = (await ask('select version from schema_version')) as { version: number }[];
  return row!.version;
}

async function mismatch(ask: Ask, found: number | null, { version }: Schema): Promise<ExportError> {
  const [row] = (await ask('select current_database() as name')) as { name: string }[];
  const where = `The database "${row!.name}"`;
  if (found === null) {
    const message = `${where} has no tables yet. Run \`tiercut migrate\` first.`;
    return new ExportError('unavailable', 'store.schema_mismatch', message);
  }
  const remedy =
    'Start the release that made it, or name an empty database in TIERCUT_DATABASE_URL and run `tiercut migrate`.';
  return otherSchema(where, found, version, remedy);
}
