import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { Freeing } from '../../../src/exports/freeing.ts';
import type { Transaction } from '../../../src/store/database.ts';
import { RESERVE_BYTES } from '../../../src/store/nodes/node-store.ts';
import { keptBackBytes, ReserveFile } from '../../../src/store/sqlite/reserve-file.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SmallDisk } from '../../faults/small-disk.ts';
import { tempFolder } from '../temp-folder.ts';

const NO_MOUNT = 'only who may mount can have a small disk';
const END = 'insert into ended_sessions (id, expires_at_ms) values ($1, 1)';

const isFull = (error: unknown) => error instanceof ExportError && error.code === 'store.disk_full';

async function idsOf(database: SqliteDatabase): Promise<string[]> {
  const rows = await database.query<{ id: string }>('select id from ended_sessions order by id');
  return rows.map(({ id }) => id);
}

test('[H27] the log of the records is the reserve: it survives a stop, a kill and a start, and holds what was committed', async (t) => {
  const folder = tempFolder(t);
  const [log, reserve] = [join(folder, 'tiercut.db-wal'), join(folder, 'reserve')];
  const first = await SqliteDatabase.open(folder);
  await first.query(END, ['a']);
  await Promise.all([first.reserve.refill(), first.reserve.refill(), first.query(END, ['b'])]);
  assert.equal(first.reserve.missingBytes, 0);
  assert.ok(statSync(log).size >= RESERVE_BYTES);
  for (let n = 0; n < 400; n += 1) await first.query(END, [`c${n} ${'x'.repeat(4000)}`]);
  const { size } = statSync(log);
  assert.equal(size, RESERVE_BYTES, 'written in place');
  await first.query("delete from ended_sessions where id like 'c%'");
  await first.close();
  assert.deepEqual([existsSync(log), statSync(reserve).size], [false, size]);

  // The old log must not be applied again to a database that has changed since.
  const stale = readFileSync(reserve);
  rmSync(reserve);
  const second = await SqliteDatabase.open(folder);
  await second.query(END, ['d']);
  await second.close();
  writeFileSync(reserve, stale);
  const third = await SqliteDatabase.open(folder);
  assert.deepEqual(await idsOf(third), ['a', 'b', 'd']);
  assert.deepEqual([statSync(log).size, existsSync(reserve)], [size, false]);
  await third.query(END, ['e']);
  await third.close();
  const fourth = await SqliteDatabase.open(folder);
  assert.deepEqual(await idsOf(fourth), ['a', 'b', 'd', 'e']);
  await fourth.close();
});

test('[H27] the log of a killed process keeps its data beside a reserve', async (t) => {
  const [folder, copy] = [tempFolder(t), tempFolder(t)];
  const running = await SqliteDatabase.open(folder);
  await running.query(END, ['a']);
  await running.reserve.refill();
  for (const name of ['tiercut.db', 'tiercut.db-wal']) {
    writeFileSync(join(copy, name), readFileSync(join(folder, name)));
  }
  await running.close();
  writeFileSync(join(copy, 'reserve'), Buffer.alloc(RESERVE_BYTES));
  const next = await SqliteDatabase.open(copy);
  assert.deepEqual(await idsOf(next), ['a']);
  assert.equal(existsSync(join(copy, 'reserve')), false);
  await next.close();
});

test('[H27] with 0 bytes free only work that frees space may write, and it needs none', async (t) => {
  using disk = SmallDisk.mount(32);
  if (disk === null) return t.skip(NO_MOUNT);
  const database = await SqliteDatabase.open(disk.folder);
  const { reserve } = database;
  for (let n = 0; n < 200; n += 1) await database.query(END, [`${n} ${'x'.repeat(4000)}`]);
  await reserve.refill();
  disk.fill(0);
  await reserve.refill();
  assert.deepEqual([reserve.isFull, reserve.missingBytes], [true, 0]);
  // A measurement counts for some milliseconds.
  await new Promise((done) => setTimeout(done, 20));
  await assert.rejects(database.query(END, ['a']), isFull);
  await assert.rejects(
    database.transaction((tx) => tx.query(END, ['a'])),
    isFull,
  );
  assert.deepEqual(await database.query("delete from ended_sessions where id = 'none'"), [], 'writes nothing');
  for (let n = 0; n < 200; n += 1) {
    const drop = (tx: Transaction) => tx.query('delete from ended_sessions where id like $1', [`${n} %`]);
    await reserve.lend(() => (n % 2 === 0 ? drop(database) : database.transaction(drop)));
  }
  assert.deepEqual(await idsOf(database), []);
  disk.free();
  await new Promise((done) => setTimeout(done, 20));
  await database.query(END, ['b']);
  await database.close();
  assert.equal(await keptBackBytes(disk.folder), RESERVE_BYTES);

  // Without any space, a start takes a little of the reserve; it comes back later.
  disk.fill(0);
  const started = await SqliteDatabase.open(disk.folder);
  assert.ok(started.reserve.missingBytes > 0 && started.reserve.missingBytes < RESERVE_BYTES / 4);
  disk.free();
  await started.reserve.refill();
  assert.deepEqual([started.reserve.isFull, started.reserve.missingBytes], [false, 0]);
  await started.close();
  truncateSync(join(disk.folder, 'reserve'), 1000);
  assert.equal((await ReserveFile.open(disk.folder)).missingBytes, RESERVE_BYTES - 1000, 'a part of it counts');
});

test('[H27] a full disk is reported once, and its end', async () => {
  const logged: string[] = [];
  const reserve = {
    missingBytes: 0,
    isFull: false,
    lend: <T>(work: () => Promise<T>) => work(),
    refill: async () => {},
  };
  const freeing = new Freeing({ reserve, log: (_level, message) => logged.push(message) });
  await freeing.run(async () => {});
  reserve.isFull = true;
  assert.equal(await freeing.run(async () => 'freed'), 'freed');
  await freeing.refill();
  reserve.isFull = false;
  await freeing.refill();
  assert.deepEqual(logged, ['disk full', 'disk no longer full']);
  assert.equal(await new Freeing({ reserve: null, log: () => {} }).run(async () => 'freed'), 'freed');
});
