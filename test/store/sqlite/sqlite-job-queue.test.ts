import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database, Transaction } from '../../../src/store/database.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../../src/store/sqlite/sqlite-job-queue.ts';
import { chunk, jobQueueSuite, type QueueHarness } from '../job-queue-suite.ts';
import { fastFolder } from '../temp-folder.ts';

jobQueueSuite('sqlite', open);

test('sqlite: after a restart every lease counts as expired, because its holder is dead', async (t) => {
  const { database, queue } = await open(t);
  await database.transaction((tx) => queue.enqueue([chunk('a', 0), chunk('a', 1)], tx));
  const before = await queue.claim();
  const second = new SqliteJobQueue(database);
  assert.equal(await second.heartbeat(before!), true, 'nobody else has claimed yet');
  const again = [await second.claim(), await second.claim()].map((attempt) => [attempt?.job.id, attempt?.failures]);
  assert.deepEqual(again, [
    ['a/0', 0],
    ['a/1', 0],
  ]);
  assert.equal(await second.heartbeat(before!), false);
  for (let deaths = 2; deaths <= 10; deaths += 1) {
    const next = await new SqliteJobQueue(database).claim();
    assert.deepEqual([next?.job.id, next?.alone, next?.exhausted], ['a/0', true, deaths === 10]);
  }
});

test('sqlite: [C91] of tenants not served yet, the one that waited longest is first', async (t) => {
  const { database, queue } = await open(t);
  const many = Array.from({ length: 9 }, (_, n) => ({ ...chunk('many', n, 300), tenant: 'a' }));
  const few = [0, 1, 2].map((n) => ({ ...chunk('few', n, 100), tenant: 'b' }));
  await database.transaction((tx) => queue.enqueue(many, tx));
  await queue.claim();
  await database.transaction((tx) => queue.enqueue([...few, { ...chunk('late', 0, 400), tenant: 'c' }], tx));
  let turns = '';
  for (let turn = 0; turn < 9; turn += 1) turns += (await queue.claim())?.job.tenant;
  assert.equal(turns, 'bcabab' + 'aaa');
});

test('sqlite: a clock that was set back between two starts delays nothing, and extends no raise', async (t) => {
  const { database, queue } = await open(t);
  await database.transaction((tx) => queue.enqueue([chunk('a', 0, 101), chunk('b', 0, 102)], tx));
  await database.transaction((tx) => queue.raise('a', null, 109, tx));
  const failed = await queue.claim();
  await database.transaction((tx) => queue.fail(failed!, 'it broke', false, tx));

  const earlier = new SqliteJobQueue(database, { now: () => 1_000 });
  await database.transaction((tx) => earlier.enqueue([chunk('c', 0, 200)], tx));
  const order = [await earlier.claim(), await earlier.claim(), await earlier.claim()];
  assert.deepEqual(
    order.map((attempt) => [attempt?.job.id, attempt?.job.priority]),
    [
      ['a/0', 200],
      ['b/0', 200],
      ['c/0', 200],
    ],
    'by age, as what has waited for long',
  );
});

test('sqlite: a wait ends by itself when a pause or a lease does, and not before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 });
  const database = await SqliteDatabase.open(fastFolder(t));
  const queue = new SqliteJobQueue(database, { leaseMs: 30_000, now: Date.now });
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
  }
  assert.equal((await queue.claim())?.failures, 1, 'the failure counts, the death does not');
});

test('sqlite: the jobs of four hours in three presets are added by one statement, because each statement blocks the process', async (t) => {
  const { database, queue } = await open(t);
  const jobs = Array.from({ length: 3 * 1440 }, (_, n) => chunk('a', n));
  let statements = 0;
  await database.transaction((tx) => {
    const counting: Transaction = {
      query: (sql, parameters) => {
        statements += 1;
        return tx.query(sql, parameters);
      },
      afterCommit: (run) => tx.afterCommit(run),
    };
    return queue.enqueue(jobs, counting);
  });
  assert.equal(statements, 1);
  assert.deepEqual(await queue.count(), { waiting: jobs.length, running: 0 });
});

test('sqlite: a job that is added between lookup and wait is not missed', async (t) => {
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
    afterCommit: (run) => run(),
    committed: database.committed,
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

test('sqlite: a wait that is left when the queue closes is rejected', async (t) => {
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
  const cancelled: string[] = [];
  const queue = new SqliteJobQueue(database, { now: () => nowMs, onCancelled: (id) => cancelled.push(id) });
  return {
    database,
    queue,
    cancelled,
    pass: async (ms) => {
      nowMs += ms;
    },
  };
}

/** Lets everything that waits only for the database proceed. */
async function settle(database: Database): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await database.query('select 1');
}
