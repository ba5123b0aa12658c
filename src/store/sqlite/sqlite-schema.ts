import type { Schema } from '../migration/schema-state.ts';
import { SCHEMA_VERSION, STEPS } from '../migration/steps.ts';
import { recordTables, type SqlDialect } from '../migration/tables.ts';

/** Tables with long rows or a numeric key, which would be slower without a rowid. */
const WITH_ROWID: ReadonlySet<string> = new Set(['exports', 'deliveries', 'jobs']);

export const SQLITE_DIALECT: SqlDialect = {
  database: 'sqlite',
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
  ${SQLITE_DIALECT.table(
    'jobs',
    `seq integer primary key autoincrement,
    id text not null unique,
    tenant text not null,
    export_id text not null,
    kind text not null,
    lane text not null,
    presets text not null,
    first_chunk integer,
    chunk_count integer,
    needs text,
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
  create index jobs_turn on jobs (lane, tenant, urgency desc, seq) where state = 'waiting';
  create index jobs_due on jobs (lane, due_at_ms) where state = 'waiting';
  create index jobs_fresh on jobs (added_at_ms) where state = 'waiting' and aged = 0;
  create index jobs_raised on jobs (raised_until_ms) where raised_until_ms is not null;
  create index jobs_lease on jobs (lease_until_ms) where state = 'running';
  create index jobs_export on jobs (export_id);
`;

/** All tables of a data folder's database. */
export const SQLITE_SCHEMA: Schema = {
  version: SCHEMA_VERSION,
  sql: recordTables(SQLITE_DIALECT) + JOBS,
  steps: STEPS,
};
