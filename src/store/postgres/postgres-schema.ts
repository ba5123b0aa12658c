import type pg from 'pg';
import type { Schema } from '../migration/schema-state.ts';
import { SCHEMA_VERSION, STEPS } from '../migration/steps.ts';
import { recordTables, type SqlDialect } from '../migration/tables.ts';

/** Tables whose rows change often: with free space in each page, a new version of a row needs no new index entries. */
const UPDATED: ReadonlySet<string> = new Set(['exports', 'outputs']);
/** Tables that may be empty after a crash. */
const UNLOGGED: ReadonlySet<string> = new Set(['live_frames']);

export const POSTGRES_DIALECT: SqlDialect = {
  database: 'postgres',
  wide: 'bigint',
  real: 'double precision',
  serialKey: 'bigint generated always as identity primary key',
  table: (name, columns) =>
    `create ${UNLOGGED.has(name) ? 'unlogged ' : ''}table ${name} (${columns})${UPDATED.has(name) ? ' with (fillfactor = 80)' : ''};`,
};

/** The places of jobs among those of the same priority. They start again after some millions. */
const JOBS = 'create sequence job_places minvalue 0 maxvalue 4194303 cycle;';

/** All our tables. The job engine creates its own. */
export const POSTGRES_SCHEMA: Schema = {
  version: SCHEMA_VERSION,
  sql: recordTables(POSTGRES_DIALECT) + JOBS,
  steps: STEPS,
};

/** The schema of connections whose name has no version: those of 1.0.0-rc.1. */
const UNNAMED_SCHEMA = 19;

/**
 * The name of a connection, which shows what it is for and the schema of its node: `tiercut/20 listen`. As long as a
 * node runs, the server has a connection of it that listens.
 */
export function connectionName(use: string | null = null, version = SCHEMA_VERSION): string {
  return `tiercut/${version}${use === null ? '' : ` ${use}`}`;
}

/** How many nodes with a schema before `version` are connected. */
export async function olderNodes(client: pg.ClientBase, version: number): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name ~ '^tiercut(/[0-9]+)?( |$)'`,
  );
  const older = rows.filter(({ name }) => {
    const [, found = `${UNNAMED_SCHEMA}`] = /^tiercut\/(\d+)/.exec(name) ?? [];
    return Number(found) < version && !name.endsWith(' migrate');
  });
  // A node may have lost the connection that listens, and still have others.
  return older.length === 0 ? 0 : Math.max(1, older.filter(({ name }) => name.endsWith(' listen')).length);
}
