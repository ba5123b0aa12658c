import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import pg from 'pg';
import type { Schema } from '../../../src/store/migration/schema-state.ts';
import { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { migratePostgres } from '../../../src/store/postgres/postgres-migration.ts';
import { ExportRecords } from '../../../src/store/records/export-records.ts';
import { testDatabase } from '../../postgres/test-database.ts';
import { databaseSuite } from '../database-suite.ts';
import { newExport } from '../new-export.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();
const noEngine = { create: async (): Promise<void> => {}, moves: {} };

databaseSuite('postgres', (t) => fixture.open(t));

test('postgres: a conflicting transaction runs again from the start, and nothing of the first try is visible', async (t) => {
  const database = await fixture.open(t);
  await database.query('create table notes (id text primary key, number integer)');
  await database.query(`insert into notes values ('a', 0), ('b', 0)`);
  const meet = Promise.withResolvers<void>();
  let [arrived, tries, reported] = [0, 0, 0];
  const both = (first: string, second: string) =>
    database.transaction(async (tx) => {
      tries += 1;
      tx.afterCommit(() => {
        reported += 1;
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
  assert.equal(reported, 2);
});

test('postgres: if a row of an export cannot be locked, that is the error, even if the first statement was sent behind it', async (t) => {
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

test('postgres: a NUL, which its texts cannot hold, is stored as the replacement character', async (t) => {
  const database = await fixture.open(t);
  await database.query('create table notes (id text primary key)');
  await database.query('insert into notes values ($1)', ['a\0b']);
  await database.transaction((tx) => tx.query('insert into notes values ($1)', ['c\0d']));
  const rows = await database.query('select id from notes where id in ($1, $2) order by id', ['a\0b', 'c\0d']);
  assert.deepEqual(rows, [{ id: 'a\ufffdb' }, { id: 'c\ufffdd' }]);
});

test('postgres: a statement is planned once per connection, and still works when a column is added', async (t) => {
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

test('postgres: an export id cannot inject SQL into the statement that locks its row', async (t) => {
  const database = await fixture.open(t);
  for (const lockExport of [`'; drop table exports; --`, `\\'; select 1`, 'a\0b', '$1']) {
    assert.equal(await database.transaction(async () => 'done', { lockExport }), 'done');
  }
  assert.deepEqual(await database.query('select id from exports'), []);
});

test('postgres: a transaction that continues after a failed statement is rolled back, with an error', async (t) => {
  const database = await fixture.open(t);
  await database.query('create table notes (id text primary key)');
  const stubborn = database.transaction(async (tx) => {
    await tx.query(`insert into notes values ('a')`);
    await tx.query('select nothing').catch(() => {});
  });
  await assert.rejects(stubborn, /went on/);
  assert.deepEqual(await database.query('select * from notes'), []);
});

test('postgres: using the database itself inside a transaction is reported as a bug', async (t) => {
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

test('postgres: tables are created once, by the first node, all of them or none', async () => {
  const url = await testDatabase();
  const broken: Schema = { version: 1, sql: 'create table a (id text); create nonsense' };
  await assert.rejects(migratePostgres(url, noEngine, broken));
  const whole: Schema = { version: 1, sql: "create table a (id text); insert into a values ('x')" };
  await Promise.all([1, 2, 3].map(() => migratePostgres(url, noEngine, whole)));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select * from a');
  await client.end();
  assert.deepEqual(rows, [{ id: 'x' }]);
});

test('postgres: a database without tables, or of another schema version, is refused with instructions', async () => {
  const url = await testDatabase();
  const where = `The database "${new URL(url).pathname.slice(1)}"`;
  const refusal = { code: 'store.schema_mismatch', kind: 'unavailable' };
  const schema = (version: number): Schema => ({ version, sql: 'create table a (id text)' });
  await assert.rejects(PostgresDatabase.open(url, {}, schema(13)), {
    ...refusal,
    message: `${where} has no tables yet. Run \`tiercut migrate\` first.`,
  });
  await migratePostgres(url, noEngine, schema(13));
  await (await PostgresDatabase.open(url, {}, schema(13))).close();
  const create = mock.fn(noEngine.create);
  for (const version of [12, 14]) {
    const which =
      version < 13
        ? `, newer than this release, which has schema 12. Start the newer release`
        : `. This release can migrate schema 14 and newer ones. Start the release that made it`;
    const message = `${where} has schema 13${which}, or name an empty database in TIERCUT_DATABASE_URL and run \`tiercut migrate\`.`;
    await assert.rejects(PostgresDatabase.open(url, {}, schema(version)), { ...refusal, message });
    await assert.rejects(migratePostgres(url, { ...noEngine, create }, schema(version)), { ...refusal, message });
  }
  assert.equal(create.mock.callCount(), 0, 'the tables of the engine are left alone');
});
