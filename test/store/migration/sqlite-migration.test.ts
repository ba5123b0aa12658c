import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SCHEMA_VERSION, STEPS } from '../../../src/store/migration/steps.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SQLITE_SCHEMA } from '../../../src/store/sqlite/sqlite-schema.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { SmallDisk } from '../../faults/small-disk.ts';
import { fastFolder } from '../temp-folder.ts';
import {
  claimAll,
  LATER,
  loadSqlite,
  migrated,
  movedEvents,
  RELEASED,
  recordedEvents,
  releasedFolder,
  restrictedTo,
  sqliteRecords,
  sqliteTables,
  waitingWork,
} from './released.ts';

const LATER_SCHEMA = {
  ...SQLITE_SCHEMA,
  version: LATER.removes.number,
  steps: [...STEPS, LATER.adds, LATER.replaces, LATER.removes],
};

function copiesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.includes('.before-'));
}

for (const version of RELEASED) {
  test(`[H62] sqlite: a database of schema ${version} has every record after the migration, and the tables of a new one`, async (t) => {
    const { folder, file } = releasedFolder(version, t);
    const before = sqliteRecords(file);
    for (const [table, rows] of before) assert.ok(rows.length > 0, `the dump has no records in ${table}`);
    await (await SqliteDatabase.open(folder)).close();
    const after = sqliteRecords(file);
    assert.deepEqual(restrictedTo(migrated(before), after), migrated(before));
    assert.ok(recordedEvents(before).length > 0);
    assert.deepEqual(movedEvents(after), recordedEvents(before), 'what waits for receivers');
    assert.deepEqual(
      after.get('schema_steps')!.map(({ number }) => number),
      STEPS.map(({ number }) => number),
    );

    const store = await openSqliteStore(folder, { onCancelled: () => {} });
    assert.deepEqual(await claimAll(store.jobs), waitingWork(before), 'all that waited or was held waits');
    await store.close();
    const fresh = fastFolder(t);
    await (await SqliteDatabase.open(fresh)).close();
    assert.deepEqual(sqliteTables(file), sqliteTables(join(fresh, 'tiercut.db')));
    const versionOf = (path: string) => new DatabaseSync(path).prepare('pragma user_version').get();
    assert.deepEqual(versionOf(file), versionOf(join(fresh, 'tiercut.db')));
  });
}

test('[H62] sqlite: steps of every kind keep all records, and the copy has the database as it was', async (t) => {
  const { folder, file } = releasedFolder(19, t);
  const before = sqliteRecords(file);
  const database = await SqliteDatabase.open(folder, LATER_SCHEMA);
  assert.deepEqual(
    database.migration.applied.map(({ number }) => number),
    LATER_SCHEMA.steps.map(({ number }) => number),
  );
  assert.deepEqual(await database.query('pragma foreign_keys'), [{ foreign_keys: 1 }]);
  await database.close();
  assert.deepEqual(restrictedTo(migrated(before), sqliteRecords(file)), migrated(before), 'revisions of projects, too');
  const [copy] = copiesIn(folder);
  assert.equal(copy, 'tiercut.db.before-20');
  assert.deepEqual(sqliteRecords(join(folder, copy!)), before);

  await (await SqliteDatabase.open(folder, LATER_SCHEMA)).close();
  assert.deepEqual(copiesIn(folder), [copy], 'a start without a migration leaves the copy');
  const number = LATER_SCHEMA.version + 1;
  const next = { number, name: 'next', kind: 'adds', statements: () => ['create table next (id text)'] } as const;
  const broken = { ...next, statements: () => ['create table next (id text)', 'no statement'] };
  const with_ = (step: typeof next) => ({ ...LATER_SCHEMA, version: number, steps: [...LATER_SCHEMA.steps, step] });
  await assert.rejects(SqliteDatabase.open(folder, with_(broken as never)), /syntax error/);
  assert.deepEqual(copiesIn(folder).length, 2, 'one that fails leaves the copy of the one before');
  await (await SqliteDatabase.open(folder, with_(next))).close();
  assert.deepEqual(copiesIn(folder), [`tiercut.db.before-${number}`]);
});

test('[H62] sqlite: what is only in the log of a killed service is in the copy and in the migrated database', async (t) => {
  const { folder, file } = releasedFolder(19, t);
  const writer = new DatabaseSync(file);
  writer.exec('pragma wal_autocheckpoint = 0');
  writer.exec(`insert into ended_sessions (id, expires_at_ms) values ('late', 1)`);
  const late = (path: string) =>
    sqliteRecords(path)
      .get('ended_sessions')!
      .some(({ id }) => id === 'late');
  await (await SqliteDatabase.open(folder)).close();
  writer.close();
  assert.ok(late(file) && late(join(folder, 'tiercut.db.before-20')));
});

test('[H62] sqlite: a database of a newer release is refused, unless that one has only added something', async (t) => {
  const { folder } = releasedFolder(19, t);
  const added = { ...LATER_SCHEMA, version: LATER.adds.number, steps: [...STEPS, LATER.adds] };
  await (await SqliteDatabase.open(folder, added)).close();
  await (await SqliteDatabase.open(folder)).close();
  await (await SqliteDatabase.open(folder, LATER_SCHEMA)).close();
  await assert.rejects(SqliteDatabase.open(folder), {
    code: 'store.schema_mismatch',
    message: `The data folder ${folder} has schema ${LATER_SCHEMA.version}, newer than this release, which has schema ${SCHEMA_VERSION}. Start the newer release, or name an empty folder in TIERCUT_DATA_DIR.`,
  });
});

test('[H62] sqlite: of two processes that migrate at once, one does and the other is refused', async (t) => {
  const { folder, file } = releasedFolder(19, t);
  const before = sqliteRecords(file);
  const both = await Promise.allSettled([1, 2].map(() => SqliteDatabase.open(folder, LATER_SCHEMA)));
  const opened = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  assert.deepEqual(refused, ['store.locked']);
  await opened[0]!.close();
  assert.deepEqual(restrictedTo(migrated(before), sqliteRecords(file)), migrated(before));
});

test('[H62] sqlite: a disk without room for the copy leaves the database unchanged', async (t) => {
  using disk = SmallDisk.mount(8);
  if (disk === null) return t.skip('mounting is not allowed');
  const file = join(disk.folder, 'tiercut.db');
  loadSqlite(19, file);
  const before = sqliteRecords(file);
  disk.fill(64 * 1024);
  await assert.rejects(SqliteDatabase.open(disk.folder), {
    code: 'store.disk_full',
    message: /no space for a copy of the database.*The database is unchanged\. Free \d+ MB/,
  });
  assert.deepEqual(sqliteRecords(file), before);
  assert.deepEqual(copiesIn(disk.folder), []);
  disk.free();
  await (await SqliteDatabase.open(disk.folder)).close();
  assert.deepEqual(restrictedTo(migrated(before), sqliteRecords(file)), migrated(before));
});
