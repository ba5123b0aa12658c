import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Attempt } from '../../../src/store/job-queue.ts';
import { bossEngine } from '../../../src/store/postgres/boss-engine.ts';
import { openPool } from '../../../src/store/postgres/postgres-pool.ts';
import { chunk } from '../job-queue-suite.ts';
import { PostgresFixture, type PostgresQueueHarness } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();
const DAY_MS = 86_400_000;
const LEASE_MS = 30_000;
const JUMPS = { 'two days back': -2 * DAY_MS, 'ten years back': -3650 * DAY_MS, 'ten years forward': 3650 * DAY_MS };

interface Started extends PostgresQueueHarness {
  /** Of a worker that is not heard of again. */
  readonly held: Attempt;
}

/** One job is held, one is in a pause, one waits. */
async function start(t: TestContext): Promise<Started> {
  const harness = await fixture.openQueue(t);
  const { queue, database } = harness;
  await database.transaction((tx) => queue.enqueue([chunk('a', 0), chunk('a', 1), chunk('a', 2)], tx));
  const held = (await queue.claim())!;
  const broken = (await queue.claim())!;
  await database.transaction((tx) => queue.fail(broken, 'it broke', false, tx));
  return { ...harness, held };
}

/** What the engine does by itself every minute: it drops what is too old. */
async function supervise(): Promise<void> {
  const pool = openPool(fixture.url, { connections: 2 });
  const boss = bossEngine(pool, { migrate: false });
  await boss.start();
  await boss.supervise();
  await boss.stop({ graceful: false });
  await pool.end();
}

for (const [jump, ms] of Object.entries(JUMPS)) {
  test(`[C35, H30] the clock of PostgreSQL jumps ${jump}: what waits is due, and a dead worker's job is due after its lease`, async (t) => {
    const { queue, database, held, pass } = await start(t);
    await pass(ms);
    await supervise();
    const due: (string | undefined)[] = [];
    for (let attempt = await queue.claim(); attempt !== null; attempt = await queue.claim()) {
      const claimed = attempt;
      due.push(claimed.job.id);
      await database.transaction((tx) => queue.complete(claimed, tx));
    }
    await pass(LEASE_MS + 1_000);
    due.push((await queue.claim())?.job.id);
    assert.deepEqual(new Set(due.filter((id) => id !== undefined)), new Set(['a/0', 'a/1', 'a/2']));
    assert.ok(due.indexOf(held.job.id) >= 0, 'the job of the dead worker is taken over');
  });
}

test('[C35, H30] the clock of PostgreSQL is set back: running jobs keep their lease', async (t) => {
  const { queue, held, pass } = await start(t);
  await pass(-2 * DAY_MS);
  await pass(LEASE_MS / 3);
  assert.equal(await queue.heartbeat(held), true);
  await pass(LEASE_MS - 1_000);
  assert.equal(await queue.heartbeat(held), true);
});

test('[C12, H30] the clock of PostgreSQL is set back: a raise still lapses, and a job that waited long is urgent', async (t) => {
  const { queue, database, pass } = await fixture.openQueue(t);
  await database.transaction((tx) => queue.enqueue([chunk('a', 0, 60), chunk('b', 0, 100)], tx));
  await database.transaction((tx) => queue.raise('a', null, 300, tx));
  await pass(-2 * DAY_MS);
  const [first, second] = [await queue.claim(), await queue.claim()];
  assert.deepEqual([first!.job.id, first!.job.priority], ['a/0', 200], 'the raise is over, and it counts as patient');
  assert.equal(second!.job.id, 'b/0');
});
