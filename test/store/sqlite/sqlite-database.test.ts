import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Schema } from '../../../src/store/migration/schema-state.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { databaseSuite } from '../database-suite.ts';
import { fastFolder, tempFolder } from '../temp-folder.ts';

const EMPTY: Schema = { version: 1, sql: '' };
const NOTES: Schema = { version: 1, sql: 'create table notes (id text)' };
const LETTERS: Schema = { version: 1, sql: 'create table notes (id integer primary key, text text)' };
const KEEPER = join(import.meta.dirname, 'keep-folder.ts');

databaseSuite('sqlite', async (t) => {
  const database = await SqliteDatabase.open(tempFolder(t), EMPTY);
  t.after(() => database.close());
  return database;
});

test('sqlite: written data is there after closing and opening', async (t) => {
  const folder = join(tempFolder(t), 'made', 'on the way');
  const first = await SqliteDatabase.open(folder, NOTES);
  await first.query('insert into notes values ($1)', ['a']);
  await first.close();
  const second = await SqliteDatabase.open(folder, NOTES);
  t.after(() => second.close());
  assert.deepEqual(await second.query('select id from notes'), [{ id: 'a' }]);
});

test('sqlite: [H23] it uses WAL and full sync, so that a power cut loses nothing acknowledged', async (t) => {
  const database = await SqliteDatabase.open(tempFolder(t), EMPTY);
  t.after(() => database.close());
  assert.deepEqual(await database.query('pragma journal_mode'), [{ journal_mode: 'wal' }]);
  assert.deepEqual(await database.query('pragma synchronous'), [{ synchronous: 2 }]);
  assert.deepEqual(await database.query('pragma foreign_keys'), [{ foreign_keys: 1 }]);
});

test('sqlite: if not all tables can be created, the database stays empty', async (t) => {
  const folder = tempFolder(t);
  const broken = { version: 1, sql: 'create table notes (id text); create nonsense' };
  await assert.rejects(SqliteDatabase.open(folder, broken));
  const database = await SqliteDatabase.open(folder, EMPTY);
  t.after(() => database.close());
  assert.deepEqual(await database.query(`select name from sqlite_schema where type = 'table'`), []);
});

test('sqlite: a data folder of another schema version, older or newer, is refused by name and not changed', async (t) => {
  for (const [found, needed] of [
    [3, 13],
    [14, 13],
  ] as const) {
    const folder = tempFolder(t);
    await (await SqliteDatabase.open(folder, { ...NOTES, version: found })).close();
    const which =
      found > needed
        ? `, newer than this release, which has schema ${needed}. Start the newer release`
        : `. This release can migrate schema ${needed} and newer ones. Start the release that made it`;
    const before = readFileSync(join(folder, 'tiercut.db'));
    await assert.rejects(SqliteDatabase.open(folder, { ...NOTES, version: needed }), {
      code: 'store.schema_mismatch',
      kind: 'unavailable',
      message: `The data folder ${folder} has schema ${found}${which}, or name an empty folder in TIERCUT_DATA_DIR.`,
    });
    assert.deepEqual(readFileSync(join(folder, 'tiercut.db')), before);
  }
});

test('sqlite: a file that is not a database, or a damaged one, is refused with the reason inside', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'tiercut.db'), 'this is a letter, and a long one, but no database at all. '.repeat(99));
  await assert.rejects(SqliteDatabase.open(folder, EMPTY), { code: 'store.corrupt', kind: 'internal' });

  const damaged = tempFolder(t);
  const database = await SqliteDatabase.open(damaged, LETTERS);
  for (let i = 0; i < 50; i += 1) await database.query('insert into notes (text) values ($1)', ['x'.repeat(2000)]);
  await database.close();
  const bytes = readFileSync(join(damaged, 'tiercut.db'));
  bytes.fill(0xff, 4096, bytes.length - 4096);
  writeFileSync(join(damaged, 'tiercut.db'), bytes);
  await assert.rejects(SqliteDatabase.open(damaged, LETTERS), {
    code: 'store.corrupt',
  });
  assert.deepEqual(bytes, readFileSync(join(damaged, 'tiercut.db')), 'the evidence is kept');
});

test('sqlite: [H27] a full disk has its own error, rolls the transaction back, and is temporary', async (t) => {
  const database = await SqliteDatabase.open(tempFolder(t), LETTERS);
  t.after(() => database.close());
  const [{ page_count: pages }] = (await database.query<{ page_count: number }>('pragma page_count')) as [
    { page_count: number },
  ];
  await database.query(`pragma max_page_count = ${pages + 2}`);
  const tooMuch = database.transaction(async (tx) => {
    for (let i = 0; i < 100; i += 1) await tx.query('insert into notes (text) values ($1)', ['x'.repeat(4000)]);
  });
  await assert.rejects(tooMuch, { code: 'store.disk_full', kind: 'unavailable' });
  assert.deepEqual(await database.query('select count(*) as n from notes'), [{ n: 0 }]);
  await database.query('pragma max_page_count = 100000');
  await database.query('insert into notes (text) values ($1)', ['there is room again']);
});

test('sqlite: a writer waits for a running transaction', async (t) => {
  const database = await SqliteDatabase.open(tempFolder(t), NOTES);
  t.after(() => database.close());
  const half = Promise.withResolvers<void>();
  const writing = database.transaction(async (tx) => {
    await tx.query(`insert into notes values ('a')`);
    await half.promise;
  });
  const behind = database.query('select id from notes');
  assert.deepEqual(await database.committed.query('select id from notes'), []);
  half.resolve();
  await writing;
  assert.deepEqual(await behind, [{ id: 'a' }]);
});

test('sqlite: an invalid statement is a bug', async (t) => {
  const database = await SqliteDatabase.open(tempFolder(t), EMPTY);
  t.after(() => database.close());
  await assert.rejects(database.query('select nothing'), (error: Error) => error.name === 'Error');
});

test('sqlite: using the database itself inside a transaction is refused, instead of waiting forever', async (t) => {
  const database = await SqliteDatabase.open(tempFolder(t), EMPTY);
  t.after(() => database.close());
  await assert.rejects(
    database.transaction(() => database.query('select 1')),
    /ask the transaction/,
  );
  await assert.rejects(
    database.transaction(() => database.transaction(async () => 1)),
    /ask the transaction/,
  );
  await assert.rejects(
    database.transaction(() => database.committed.query('select 1')),
    /ask the transaction/,
  );
  assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
});

test('sqlite: a second service on the same folder is refused, here and from another process', async (t) => {
  const folder = tempFolder(t);
  const keeper = spawn(process.execPath, [KEEPER, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => keeper.kill('SIGKILL'));
  await once(keeper.stdout, 'data');
  await assert.rejects(SqliteDatabase.open(folder), { code: 'store.locked', kind: 'unavailable' });

  keeper.kill('SIGKILL');
  await once(keeper, 'exit');
  const database = await SqliteDatabase.open(folder);
  await assert.rejects(SqliteDatabase.open(folder), { code: 'store.locked' });
  assert.deepEqual(readdirSync(folder).sort(), ['lock', 'tiercut.db', 'tiercut.db-shm', 'tiercut.db-wal']);
  await database.close();
  await (await SqliteDatabase.open(folder)).close();
  assert.deepEqual(readdirSync(folder).sort(), ['lock', 'tiercut.db'], 'nothing else is left over');
});

test('sqlite: frequent queries do not starve the rest of the process', async (t) => {
  const database = await SqliteDatabase.open(tempFolder(t), EMPTY);
  t.after(() => database.close());
  for (const asked of [database, database.committed]) {
    let read = false;
    const reading = readFile(import.meta.filename).then(() => {
      read = true;
    });
    for (let i = 0; i < 200_000 && !read; i += 1) await asked.query('select 1');
    assert.equal(read, true);
    await reading;
  }
});

test('sqlite: an operator may read the database while the service runs', async (t) => {
  const folder = tempFolder(t);
  const database = await SqliteDatabase.open(folder, NOTES);
  t.after(() => database.close());
  await database.query('insert into notes values ($1)', ['a']);
  using look = new DatabaseSync(join(folder, 'tiercut.db'), { readOnly: true });
  assert.equal(look.prepare('select id from notes').get()?.id, 'a');
});

test('sqlite: a folder in which one of our files cannot be opened is reported, with the file', async (t) => {
  for (const name of ['lock', 'tiercut.db']) {
    const folder = fastFolder(t);
    mkdirSync(join(folder, name));
    await assert.rejects(SqliteDatabase.open(folder), {
      code: 'store.unusable_folder',
      message: `The data folder ${folder} cannot be used: its file "${name}" cannot be opened. TIERCUT_DATA_DIR names it.`,
    });
  }
});
