import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { testDatabase } from './test-database.ts';

test('each file of a run has its own database on one PostgreSQL server, which writes durably', async () => {
  const urls = await Promise.all([testDatabase(), testDatabase()]);
  const clients = urls.map((connectionString) => new pg.Client({ connectionString }));
  try {
    const facts = await Promise.all(
      clients.map(async (client) => {
        await client.connect();
        await client.query('create table only_mine (id int)');
        const { rows } = await client.query(
          "select current_database() as name, pg_postmaster_start_time() as started, current_setting('fsync') as fsync",
        );
        return rows[0] as { name: string; started: Date; fsync: string };
      }),
    );
    assert.equal(new Set(facts.map(({ name }) => name)).size, 2);
    assert.equal(new Set(facts.map(({ started }) => started.getTime())).size, 1);
    assert.deepEqual(new Set(facts.map(({ fsync }) => fsync)), new Set(['on']));
  } finally {
    for (const client of clients) await client.end();
  }
});
