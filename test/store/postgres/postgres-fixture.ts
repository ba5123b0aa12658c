import { after, type TestContext } from 'node:test';
import { JOB_ENGINE } from '../../../src/store/postgres/move-jobs.ts';
import { PgBossJobQueue } from '../../../src/store/postgres/pg-boss-job-queue.ts';
import { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { migratePostgres } from '../../../src/store/postgres/postgres-migration.ts';
import { PostgresNotices } from '../../../src/store/postgres/postgres-notices.ts';
import { POSTGRES_SCHEMA } from '../../../src/store/postgres/postgres-schema.ts';
import { testDatabase } from '../../postgres/test-database.ts';
import type { QueueHarness } from '../job-queue-suite.ts';

/** Every table that the schema makes. */
const TABLES = [...POSTGRES_SCHEMA.sql.matchAll(/create(?: unlogged)? table (\w+)/gi)]
  .map(([, name]) => name)
  .filter((name) => name !== 'schema_steps')
  .join(', ');

/** With a manual clock only: effects of time show when the queue is asked to check. */
export interface PostgresQueueHarness extends QueueHarness {
  readonly queue: PgBossJobQueue;
  tick(ms: number): Promise<unknown>;
}

/** A database for this file, with our tables. Its tests use it one after the other. */
export class PostgresFixture {
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async create(): Promise<PostgresFixture> {
    const url = await testDatabase();
    await migratePostgres(url, JOB_ENGINE);
    return new PostgresFixture(url);
  }

  /** Empty, with eight connections; closed after the test, or after all of them. */
  async open(t?: TestContext): Promise<PostgresDatabase> {
    const database = await PostgresDatabase.open(this.url, { connections: 8 });
    if (t === undefined) after(() => database.close());
    else t.after(() => database.close());
    await database.query(`truncate ${TABLES}`);
    await database.query('delete from pgboss.job');
    await database.query(`delete from pgboss.queue where name like '%-%'`);
    await database.query('update pgboss.queue set monitor_claim_on = null, monitor_on = null');
    await database.query('drop table if exists notes, fan_in');
    return database;
  }

  /** A queue whose time changes only by `pass`; in each database, which all its connections share. */
  async openQueue(t: TestContext): Promise<PostgresQueueHarness> {
    const database = await this.open(t);
    await database.query('create table if not exists hand_clock (at timestamptz not null)');
    await database.query('truncate hand_clock');
    await database.query('insert into hand_clock select now()');
    await database.query(
      `create or replace function pgboss.job_now() returns timestamptz language sql stable as 'select at from public.hand_clock'`,
    );
    const cancelled: string[] = [];
    const notices = await PostgresNotices.open(this.url, database.pool);
    const queue = await PgBossJobQueue.open(database, notices, {
      lookEveryMs: 3_600_000, // it checks when it is notified that time has passed
      onCancelled: (id) => cancelled.push(id),
      now: '(select (extract(epoch from at) * 1000)::bigint from hand_clock)',
    });
    // In the order of opening: the database is closed last.
    t.after(async () => {
      await queue.close();
      await notices[Symbol.asyncDispose]();
    });
    const tick = (ms: number) =>
      database.query(`update hand_clock set at = at + $1 * interval '1 ms' + interval '10 us'`, [ms]);
    const pass = async (ms: number) => {
      await tick(ms);
      // The engine looks at most once a second, of its own clock.
      await database.query('update pgboss.queue set monitor_claim_on = null, monitor_on = null');
      await queue.tidy();
    };
    return { database, queue, cancelled, tick, pass };
  }
}
