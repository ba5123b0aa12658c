import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { ExportRecords } from '../../../src/store/export-records.ts';
import { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { type Migration, migratePostgres, requireSchema } from '../../../src/store/postgres/postgres-schema.ts';
import { testDatabase } from '../../postgres/test-database.ts';
import { databaseSuite } from '../database-suite.ts';
import { newExport } from '../new-export.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();
const noEngine = async (): Promise<void> => {};

databaseSuite('postgres', (t) => fixture.open(t));

test('postgres: whoever got in another’s way is run again from the beginning, and nothing of the first try is told', async (t) => {
  const database = await fixture.open(t);
  await database.query('create table notes (id text primary key, number integer)');
  await database.query(`insert into notes values ('a', 0), ('b', 0)`);
  const meet = Promise.withResolvers<void>();
  let [arrived, tries, told] = [0, 0, 0];
  const both = (first: string, second: string) =>
    database.transaction(async (tx) => {
      tries += 1;
      tx.afterCommit(() => {
        told += 1;
      });
      await tx.query('update notes set number = number + 1 where id = $1', [first]);
      arrived += 1;
      if (arrived === 2) meet.resolve();
      await meet.promise;
      await tx.query('update notes set number = number + 1 where id = $1', [second]);
    });
  await Promise.all([both('a', 'b'), both('b', 'a')]);
  assert.deepEqual(await database.query('select id, number from notes order by id'), [
    { id: 'a', number: 2 },
    { id: 'b', number: 2 },
  ]);
  assert.ok(tries > 2, 'they have not met');
  assert.equal(told, 2);
});

test('postgres: where the row of an export cannot be had that is what is told, though the first statement was sent behind', async (t) => {
  const holder = await fixture.open(t);
  const record = newExport();
  await holder.transaction((tx) => new ExportRecords().insert(record, tx));
  const [own] = await holder.query<{ name: string }>('select current_database() as name');
  const here = `alter role postgres in database ${own!.name}`;
  await holder.query(`${here} set lock_timeout = '50ms'`);
  const impatient = await PostgresDatabase.open(fixture.url, { connections: 1 });
  t.after(() => impatient.close());
  const count = (database: PostgresDatabase) =>
    database.transaction((tx) => tx.query('select count(*) from exports'), { lockExport: record.id });
  await count(impatient);
  await holder.query(`${here} reset lock_timeout`);
  await holder.transaction(
    async (tx) => {
      await tx.query('select 1');
      await assert.rejects(count(impatient), { code: 'store.busy' });
    },
    { lockExport: record.id },
  );
  assert.deepEqual(await count(impatient), [{ count: 1 }]);
});

test('postgres: a NUL, which its texts have no place for, is kept as the mark for what cannot be shown', async (t) => {
  const database = await fixture.open(t);
  await database.query('create table notes (id text primary key)');
  await database.query('insert into notes values ($1)', ['a\0b']);
  await database.transaction((tx) => tx.query('insert into notes values ($1)', ['c\0d']));
  const rows = await database.query('select id from notes where id in ($1, $2) order by id', ['a\0b', 'c\0d']);
  assert.deepEqual(rows, [{ id: 'a\ufffdb' }, { id: 'c\ufffdd' }]);
});

test('postgres: a statement is planned once for a connection, and goes on when an upgrade adds a column', async (t) => {
  const database = await PostgresDatabase.open(fixture.url, { connections: 1 });
  t.after(() => database.close());
  await database.query('drop table if exists notes');
  await database.query('create table notes (id text primary key)');
  await database.query(`insert into notes values ('a')`);
  const byName = () => database.transaction((tx) => tx.query('select id from notes where id = $1', ['a']));
  const whole = () => database.query('select * from notes where id = $1', ['a']);
  for (let n = 0; n < 3; n += 1) assert.deepEqual([await byName(), await whole()], [[{ id: 'a' }], [{ id: 'a' }]]);
  const kept = await database.query(
    `select name from pg_prepared_statements where statement ~ '^select (id|[*]) from notes'`,
  );
  assert.equal(kept.length, 1);
  await database.query('alter table notes add column number integer');
  assert.deepEqual([await byName(), await whole()], [[{ id: 'a' }], [{ id: 'a', number: null }]]);
});

test('postgres: whatever an export is called, taking its row is not more than that', async (t) => {
  const database = await fixture.open(t);
  for (const lockExport of [`'; drop table exports; --`, `\\'; select 1`, 'a\0b', '$1']) {
    assert.equal(await database.transaction(async () => 'done', { lockExport }), 'done');
  }
  assert.deepEqual(await database.query('select id from exports'), []);
});

test('postgres: a transaction that goes on after a failed statement comes to nothing, and says so', async (t) => {
  const database = await fixture.open(t);
  await database.query('create table notes (id text primary key)');
  const stubborn = database.transaction(async (tx) => {
    await tx.query(`insert into notes values ('a')`);
    await tx.query('select nothing').catch(() => {});
  });
  await assert.rejects(stubborn, /went on/);
  assert.deepEqual(await database.query('select * from notes'), []);
});

test('postgres: inside a transaction, asking the database is a bug that shows', async (t) => {
  const database = await fixture.open(t);
  await assert.rejects(
    database.transaction(() => database.query('select 1')),
    /ask the transaction/,
  );
});

test('postgres: counts and sums are numbers', async (t) => {
  const database = await fixture.open(t);
  const sql = 'select count(*) as count, sum(n) as sum from (values (9007199254740991::bigint), (-1)) as t (n)';
  assert.deepEqual(await database.query(sql), [{ count: 2, sum: 2 ** 53 - 2 }]);
});

test('postgres: tables are brought up to date once, by whoever comes first; a step that fails leaves them as they were', async () => {
  const url = await testDatabase();
  const one: Migration = { sql: 'create table a (id text)', worksFrom: 1 };
  const two: Migration = { sql: `alter table a add column more text; insert into a values ('x', 'y')`, worksFrom: 1 };
  const broken: Migration = { sql: 'create table c (id text); create nonsense', worksFrom: 1 };
  await Promise.all([1, 2, 3].map(() => migratePostgres(url, noEngine, [one])));
  await assert.rejects(migratePostgres(url, noEngine, [one, two, broken]));
  await migratePostgres(url, noEngine, [one, two]);
  await migratePostgres(url, noEngine, [one, two]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select * from a');
  const { rows: left } = await client.query(`select to_regclass('c') as c`);
  await client.end();
  assert.deepEqual([rows, left], [[{ id: 'x', more: 'y' }], [{ c: null }]]);
});

test('postgres: two releases run side by side as long as the newer one has only added; an older schema is named as such', async () => {
  const url = await testDatabase();
  const one: Migration = { sql: 'create table a (id text, old text)', worksFrom: 1 };
  const expand: Migration = { sql: 'alter table a add column more text', worksFrom: 1 };
  const contract: Migration = { sql: 'alter table a drop column old', worksFrom: 2 };
  const open = (...known: Migration[]) => PostgresDatabase.open(url, {}, known);
  await assert.rejects(open(one), { code: 'store.older_schema', kind: 'unavailable' });
  await migratePostgres(url, noEngine, [one]);
  await assert.rejects(open(one, expand), { code: 'store.older_schema' });
  await migratePostgres(url, noEngine, [one, expand]);
  const older = await open(one);
  await requireSchema(older, [one, expand]);
  await older.close();
  await migratePostgres(url, noEngine, [one, expand, contract]);
  await assert.rejects(open(one), { code: 'store.newer_schema', kind: 'unavailable' });
  await assert.rejects(migratePostgres(url, noEngine, [one]), { code: 'store.newer_schema' });
  await (await open(one, expand)).close();
});
