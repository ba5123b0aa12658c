import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../../src/store/database.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../../src/store/sqlite/sqlite-job-queue.ts';
import { chunk, jobQueueSuite, type QueueHarness } from '../job-queue-suite.ts';
import { fastFolder } from '../temp-folder.ts';

jobQueueSuite('sqlite', open);

test('sqlite: after a restart every lease counts as run out, since its holder is dead', async (t) => {
  const { database, queue } = await open(t);
  await database.transaction((tx) => queue.enqueue([chunk('a', 0), chunk('a', 1)], tx));
  const before = await queue.claim();
  assert.deepEqual(await queue.sweep(), []);
  assert.equal(await queue.heartbeat(before!), true, 'its own leases run on');

  const second = new SqliteJobQueue(database);
  assert.deepEqual(await second.sweep(), []);
  assert.equal(await second.heartbeat(before!), false);
  const again = [await second.claim(), await second.claim()].map((attempt) => [attempt?.job.id, attempt?.attempt]);
  assert.deepEqual(again, [
    ['a/0', 2],
    ['a/1', 1],
  ]);
  const third = new SqliteJobQueue(database);
  assert.deepEqual(await third.sweep(), []);
  await third.claim();
  assert.deepEqual(await new SqliteJobQueue(database).sweep(), [chunk('a', 0)], '[C35] the third death is the last');
});

test('sqlite: a wait ends by itself when a pause or a lease does, and not before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 });
  const database = await SqliteDatabase.open(fastFolder(t));
  const queue = new SqliteJobQueue(database, { leaseMs: 30_000, backoffMs: 1_000, now: Date.now });
  t.after(() => database.close());
  await database.transaction((tx) => queue.enqueue([chunk('a', 0)], tx));

  for (const durationMs of [1_000, 30_000]) {
    const attempt = await queue.claim();
    if (durationMs === 1_000) await database.transaction((tx) => queue.fail(attempt!, 'it broke', false, tx));
    assert.equal(await queue.claim(), null);
    let woken = false;
    const waiting = queue.changed(new AbortController().signal).then(() => {
      woken = true;
    });
    await settle(database);
    t.mock.timers.tick(durationMs - 1);
    await settle(database);
    assert.equal(woken, false);
    t.mock.timers.tick(1);
    await waiting;
    await queue.sweep();
  }
  assert.equal((await queue.claim())?.attempt, 3);
});

test('sqlite: a lease that ran out wakes a waiter once, not again and again', async (t) => {
  const { database, queue, pass } = await open(t);
  await database.transaction((tx) => queue.enqueue([chunk('a', 0)], tx));
  await queue.claim();
  assert.equal(await queue.claim(), null);
  await pass(30_000);
  await queue.changed(new AbortController().signal);
  assert.equal(await queue.claim(), null, 'nobody has swept');
  let woken = false;
  const stop = new AbortController();
  const waiting = queue.changed(stop.signal).then(() => {
    woken = true;
  });
  await settle(database);
  assert.equal(woken, false);
  stop.abort();
  await assert.rejects(waiting);
});

test('sqlite: what comes between looking and waiting is not missed', async (t) => {
  const { database } = await open(t);
  const looked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow: Database = {
    query: async (sql, parameters) => {
      const rows = await database.query(sql, parameters);
      looked.resolve();
      await gate.promise;
      return rows as never[];
    },
    transaction: (work) => database.transaction(work),
    close: () => database.close(),
  };
  const queue = new SqliteJobQueue(slow);
  const waiting = queue.changed(new AbortController().signal);
  await looked.promise;
  await database.transaction((tx) => queue.enqueue([chunk('a', 0)], tx));
  gate.resolve();
  await waiting;
});

test('sqlite: a wait left over when the queue closes is refused', async (t) => {
  const { database, queue } = await open(t);
  await queue.claim();
  const waiting = assert.rejects(queue.changed(new AbortController().signal), /closed/);
  await settle(database);
  await queue.close();
  await waiting;
});

async function open(t: TestContext): Promise<QueueHarness> {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  let nowMs = 1_000_000;
  const queue = new SqliteJobQueue(database, { now: () => nowMs });
  return {
    database,
    queue,
    pass: async (ms) => {
      nowMs += ms;
    },
  };
}

/** Lets everything that only waits for the database go as far as it can. */
async function settle(database: Database): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await database.query('select 1');
}
