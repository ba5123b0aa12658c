import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../../src/store/database.ts';
import type { Attempt, JobQueue } from '../../../src/store/job-queue.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { ExportRecords } from '../../../src/store/records/export-records.ts';
import { seen } from '../../service/export-client.ts';
import { chunk } from '../job-queue-suite.ts';
import { newExport } from '../new-export.ts';
import type { PostgresFixture, PostgresQueueHarness } from './postgres-fixture.ts';

const NONE: ReadonlySet<string> = new Set();
const MEDIAN_MS = 3_000;

/** What copies of jobs must do, beyond the suite of every queue. */
export function copiesSuite(fixture: PostgresFixture): void {
  test('[H41] a job that runs for more than twice the median is copied, once', async (t) => {
    const { queue, pass, held } = await openWithSlow(fixture, t);
    await pass(MEDIAN_MS - 100);
    assert.equal(await queue.claimCopy(NONE), null, 'not slow yet');
    await pass(200);
    const copy = await queue.claimCopy(NONE);
    const [{ job, token }] = held as [Attempt];
    assert.deepEqual([copy?.job, copy?.token, copy?.isCopy], [job, token, true]);
    assert.equal(await queue.claimCopy(NONE), null, 'a job has one copy at most');
    await pass(10_000);
    assert.equal(await queue.claimCopy(NONE), null);
  });

  test('[H41] the first of the two completes the job, the other is late', async (t) => {
    const { database, queue, pass, held } = await openWithSlow(fixture, t, 20, 2);
    await pass(2 * MEDIAN_MS);
    for (const isCopyFirst of [true, false]) {
      const copy = (await queue.claimCopy(NONE))!;
      const original = held.find(({ job }) => job.id === copy.job.id)!;
      const [first, late] = isCopyFirst ? [copy, original] : [original, copy];
      assert.equal(await complete(queue, database, first), true);
      assert.equal(await queue.heartbeat(late), false);
      assert.equal(await complete(queue, database, late), false);
    }
  });

  test('[H41] a copy can neither fail nor return its job, and its heartbeats keep the lease', async (t) => {
    const { database, queue, pass, held } = await openWithSlow(fixture, t);
    const [original] = held as [Attempt];
    await pass(2 * MEDIAN_MS);
    const copy = (await queue.claimCopy(NONE))!;
    assert.equal(await database.transaction((tx) => queue.fail(copy, 'it broke', true, tx)), 'lost');
    assert.equal(await database.transaction((tx) => queue.divide(copy, 'it broke', tx)), false);
    await queue.release(copy);
    await pass(1);
    assert.deepEqual(await queue.count(), { waiting: 0, running: 1 });
    for (let n = 0; n < 3; n += 1) {
      assert.equal(await queue.heartbeat(copy), true);
      await pass(29_000);
    }
    assert.equal(await queue.heartbeat(original), true, 'the same attempt');
  });

  test('[H41] a copy of a failed try is late', async (t) => {
    const { database, queue, pass, held } = await openWithSlow(fixture, t);
    await pass(2 * MEDIAN_MS);
    const copy = (await queue.claimCopy(NONE))!;
    assert.equal(await database.transaction((tx) => queue.fail(held[0]!, 'it broke', false, tx)), 'retried');
    await pass(1_000);
    const next = (await queue.claim())!;
    assert.equal(await complete(queue, database, copy), false);
    await pass(10 * MEDIAN_MS);
    assert.equal(await queue.claimCopy(NONE), null, 'what has failed is not copied');
    assert.equal(await queue.heartbeat(next), false, 'and its lease is its own');
  });

  test('[H41] a node does not copy its own jobs, nor those of an export without a finished job', async (t) => {
    const { database, queue, pass, held } = await openWithSlow(fixture, t);
    await database.transaction((tx) => queue.enqueue([chunk('b', 0)], tx));
    await queue.claim();
    await pass(10 * MEDIAN_MS - 1_000);
    assert.equal(await queue.claimCopy(new Set([held[0]!.job.id])), null);
  });

  test('[H41] an export has at most one copy for eight jobs, and one more', async (t) => {
    const { queue, pass } = await openWithSlow(fixture, t, 20, 10);
    await pass(2 * MEDIAN_MS);
    const copies: Attempt[] = [];
    for (let copy = await queue.claimCopy(NONE); copy !== null; copy = await queue.claimCopy(NONE)) copies.push(copy);
    assert.deepEqual(
      copies.map(({ job }) => job.id),
      ['a/0', 'a/1', 'a/2'],
    );
  });

  test('[H41] the copies are removed with their export', async (t) => {
    const { database, queue, pass } = await openWithSlow(fixture, t);
    await pass(2 * MEDIAN_MS);
    const copy = (await queue.claimCopy(NONE))!;
    await database.transaction((tx) => queue.cancel('a', null, tx));
    assert.deepEqual(
      await database.query(`select id from pgboss.job where name = 'copies' or name like 'render-%'`),
      [],
    );
    assert.equal(await complete(queue, database, copy), false);
  });

  test('[H41] the node of the original try is notified of a copy that was first', async (t) => {
    const { database, queue, pass, held } = await openWithSlow(fixture, t);
    const overtaken: string[] = [];
    const other = await openPostgresStore(fixture.url, {
      onCancelled: () => {},
      onOvertaken: (id) => overtaken.push(id),
    });
    t.after(() => other.close());
    await pass(2 * MEDIAN_MS);
    assert.equal(await complete(queue, database, (await queue.claimCopy(NONE))!), true);
    await seen('the notice', async () => overtaken.includes(held[0]!.job.id));
  });
}

/** A queue with `count` jobs of one export: all but the first `slow` took `MEDIAN_MS`; those still run. */
async function openWithSlow(
  fixture: PostgresFixture,
  t: TestContext,
  count = 4,
  slow = 1,
): Promise<PostgresQueueHarness & { held: Attempt[] }> {
  const harness = await fixture.openQueue(t);
  const { database, queue, pass, tick } = harness;
  const { id, tenant } = newExport({ id: 'a' });
  await database.transaction((tx) => new ExportRecords().insert(newExport({ id }), tx));
  await database.query(`update exports set state = 'rendering'`);
  const jobs = Array.from({ length: count }, (_, n) => ({ ...chunk(id, n), tenant }));
  await database.transaction((tx) => queue.enqueue(jobs, tx));
  const held: Attempt[] = [];
  for (let n = 0; n < count; n += 1) {
    held.push((await queue.claim())!);
    await tick(1);
  }
  await pass(MEDIAN_MS);
  for (const attempt of held.splice(slow)) assert.equal(await complete(queue, database, attempt), true);
  return { ...harness, held };
}

function complete(queue: JobQueue, database: Database, attempt: Attempt): Promise<boolean> {
  return database.transaction((tx) => queue.complete(attempt, tx));
}
