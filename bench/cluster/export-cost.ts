import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ClusterFixture } from '../../test/cluster/cluster-fixture.ts';
import type { PostgresServer } from '../../test/postgres/postgres-server.ts';
import { longRequest } from '../../test/service/sample-request.ts';
import { madeOf } from './made-export.ts';

const SECONDS = 60;
const EXPORTS = 3;
/** Counters of a backend that is idle are handed in after a second or so. */
const SETTLED_MS = 3_000;

interface Counters {
  readonly transactions: number;
  readonly statements: number;
  readonly statementMs: number;
  readonly rowsInserted: number;
  readonly rowsUpdated: number;
  readonly rowsDeleted: number;
  readonly walBytes: number;
}

/**
 * The work of PostgreSQL for one export of a minute in one preset, with one API node and one worker: by the server's
 * own counters, less the queries of the same nodes while idle.
 */
export async function exportCost(server: PostgresServer, database: string): Promise<[string, string][]> {
  await countStatements(server);
  const admin = new pg.Client({ connectionString: server.url('postgres') });
  await admin.connect();
  try {
    await admin.query(`create database ${database}`);
    const settings = { TIERCUT_PRERENDER: 'selected' };
    await using cluster = await ClusterFixture.start({
      databaseUrl: server.url(database),
      apis: 1,
      workers: 1,
      settings,
    });
    const count = () => counters(admin, database);
    // The first one has caches to fill.
    await make(cluster, 'first');
    await delay(SETTLED_MS);
    const [idleFrom, idleMs] = [await count(), 10_000];
    await delay(idleMs);
    const [from, fromMs] = [await count(), performance.now()];
    for (let n = 0; n < EXPORTS; n += 1) await make(cluster, `export ${n}`);
    await delay(SETTLED_MS);
    const [to, toMs] = [await count(), performance.now()];
    return (Object.keys(to) as (keyof Counters)[]).map((name) => {
      const idleASecond = (from[name] - idleFrom[name]) / (idleMs / 1000);
      const each = (to[name] - from[name] - (idleASecond * (toMs - fromMs)) / 1000) / EXPORTS;
      return [name, `${each.toFixed(0)} (and ${idleASecond.toFixed(1)} a second while idle)`];
    });
  } finally {
    await admin.end();
  }
}

async function make(cluster: ClusterFixture, label: string): Promise<void> {
  await madeOf(cluster, longRequest(SECONDS, { label, settings: { quality: 'draft' } }));
}

async function countStatements(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
    await client.query('create extension pg_stat_statements');
  } finally {
    await client.end();
  }
  await server.stop('fast');
  await server.start();
}

async function counters(admin: pg.Client, database: string): Promise<Counters> {
  const { rows } = await admin.query<Counters>(
    `select xact_commit::float8 as transactions, statements, "statementMs",
            tup_inserted::float8 as "rowsInserted", tup_updated::float8 as "rowsUpdated", tup_deleted::float8 as "rowsDeleted",
            (pg_current_wal_lsn() - '0/0')::float8 as "walBytes"
     from pg_stat_database,
       (select sum(calls)::float8 as statements, sum(total_exec_time) as "statementMs"
        from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = $1)
     where datname = $1`,
    [database],
  );
  return rows[0]!;
}
