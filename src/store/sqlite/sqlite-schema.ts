import { recordTables, SCHEMA_VERSION, type Schema, type SqlDialect } from '../schema.ts';
import { otherSchema } from '../store-error.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Tables with long rows or a numeric key, which would be slower without a rowid. */
const WITH_ROWID: ReadonlySet<string> = new Set(['exports', 'deliveries', 'jobs']);

const DIALECT: SqlDialect = {
  wide: 'integer',
  real: 'real',
  serialKey: 'integer primary key autoincrement',
  table: (name, columns) => `create table ${name} (${columns}) strict${WITH_ROWID.has(name) ? '' : ', without rowid'};`,
};

/**
 * Waiting, running and done jobs, in the order of arrival. `holder` is the process that claimed a job; a later process
 * knows that it is dead.
 */
const JOBS = `
  ${DIALECT.table(
    'jobs',
    `seq integer primary key autoincrement,
    id text not null unique,
    tenant text not null,
    export_id text not null,
    kind text not null check (kind in ('chunks', 'sound', 'assembly')),
    presets text not null,
    first_chunk integer,
    chunk_count integer,
    priority integer not null,
    urgency integer not null,
    raised_until_ms integer,
    aged integer not null default 0,
    added_at_ms integer not null,
    state text not null check (state in ('waiting', 'running', 'done', 'failed')),
    attempt integer not null default 0,
    failures integer not null default 0,
    deaths integer not null default 0,
    due_at_ms integer not null,
    lease_until_ms integer,
    holder text,
    reason text`,
  )}
  create index jobs_turn on jobs (tenant, urgency desc, seq) where state = 'waiting';
  create index jobs_due on jobs (due_at_ms) where state = 'waiting';
  create index jobs_fresh on jobs (added_at_ms) where state = 'waiting' and aged = 0;
  create index jobs_raised on jobs (raised_until_ms) where raised_until_ms is not null;
  create index jobs_lease on jobs (lease_until_ms) where state = 'running';
  create index jobs_export on jobs (export_id);
`;

/** All tables of a data folder's database. */
export const SQLITE_SCHEMA: Schema = { version: SCHEMA_VERSION, sql: recordTables(DIALECT) + JOBS };

/**
 * Creates the tables in a new database, all of them or none.
 *
 * @throws `store.schema_mismatch` if another release has created them.
 */
export function requireTables(connection: SqliteConnection, folder: string, { version, sql }: Schema): void {
  const [found] = connection.run<{ user_version: number }>('pragma user_version', []);
  if (found!.user_version === version) return;
  if (found!.user_version !== 0) {
    const remedy = 'Start the release that made it, or name an empty folder in TIERCUT_DATA_DIR.';
    throw otherSchema(`The data folder ${folder}`, found!.user_version, version, remedy);
  }
  connection.exec('begin immediate');
  try {
    connection.exec(sql);
    connection.exec(`pragma user_version = ${version}`);
    connection.exec('commit');
  } catch (cause) {
    if (connection.isTransaction) connection.exec('rollback');
    throw cause;
  }
}
