import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Attempt, Job } from '../../../src/store/job-queue.ts';
import type { NodeStore } from '../../../src/store/nodes/node-store.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { chunk, jobQueueSuite } from '../job-queue-suite.ts';
import { copiesSuite } from './copies-suite.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();
const NODES = 4;

// With real clocks, before the suite replaces them.
test('postgres: several nodes claim at the same time, and each job goes to one of them', async (t) => {
  const nodes = await openNodes(t);
  const jobs = Array.from({ length: 60 }, (_, n) => ({ ...chunk('a', n), tenant: `t${n % 3}` }));
  // Added by all of them, it is there once.
  await Promise.all(nodes.map((node) => node.database.transaction((tx) => node.jobs.enqueue(jobs, tx))));
  assert.deepEqual(await counted(nodes[0]!), { waiting: 60, running: 0 });
  const claims = await Promise.all(nodes.flatMap((node) => Array.from({ length: 20 }, () => node.jobs.claim())));
  const ids = claims.flatMap((attempt) => (attempt === null ? [] : [attempt.job.id]));
  assert.deepEqual([ids.length, new Set(ids).size], [60, 60]);
});

test('postgres: forty parts that four nodes finish are assembled once', async (t) => {
  const nodes = await openNodes(t);
  const [{ database, jobs }] = nodes;
  await database.query('create table fan_in (jobs_left integer)');
  await database.query('insert into fan_in values (40)');
  const parts = Array.from({ length: 40 }, (_, n) => chunk('a', n));
  await database.transaction((tx) => jobs.enqueue(parts, tx));
  const join: Job = { ...chunk('a', 99), kind: 'assembly', chunks: null };
  await Promise.all(
    nodes.map(async (node) => {
      for (let attempt = await node.jobs.claim(); attempt !== null; attempt = await node.jobs.claim()) {
        if (attempt.job.kind === 'assembly') {
          await node.jobs.release(attempt);
          return;
        }
        const done = attempt;
        await node.database.transaction(async (tx) => {
          const [row] = await tx.query<{ jobs_left: number }>(
            'update fan_in set jobs_left = jobs_left - 1 returning jobs_left',
          );
          assert.equal(await node.jobs.complete(done, tx), true);
          if (row!.jobs_left === 0) await node.jobs.enqueue([join], tx);
        });
      }
    }),
  );
  assert.deepEqual(await database.query('select jobs_left from fan_in'), [{ jobs_left: 0 }]);
  assert.deepEqual(await counted(nodes[0]!), { waiting: 1, running: 0 });
});

test('postgres: concurrent operations of nodes on the same jobs never fail, and all jobs are done in the end', async (t) => {
  const nodes = await openNodes(t);
  const presets = ['one', 'two', 'three'];
  const exportIds = ['a', 'b', 'c'];
  const added = exportIds.flatMap((id, n) =>
    Array.from({ length: 12 }, (_, first) => ({ ...chunk(id, first, 100), presets, tenant: `t${n % 2}` })),
  );
  const [{ database, jobs }] = nodes;
  await database.transaction((tx) => jobs.enqueue(added, tx));
  const done = new Map<string, number>();
  const end = async (node: NodeStore, attempt: Attempt, turn: number): Promise<void> => {
    if (turn % 7 === 3) return node.jobs.release(attempt);
    await node.database.transaction(async (tx) => {
      if (turn % 5 === 2 && attempt.job.presets.length > 1) await node.jobs.divide(attempt, null, tx);
      else if (await node.jobs.complete(attempt, tx)) {
        tx.afterCommit(() => {
          for (const preset of attempt.job.presets) {
            const key = `${attempt.job.exportId}/${attempt.job.chunks!.first}/${preset}`;
            done.set(key, (done.get(key) ?? 0) + 1);
          }
        });
      }
    });
  };
  const work = async (node: NodeStore): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const attempt = await node.jobs.claim();
      if (attempt !== null) await end(node, attempt, turn);
      else if (Object.values(await counted(node)).every((count) => count === 0)) return;
      else await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const meddle = async (node: NodeStore, number: number): Promise<void> => {
    for (let turn = 0; turn < 15; turn += 1) {
      const [id, preset] = [exportIds[(turn + number) % 3]!, presets[(turn * 2 + number) % 3]!];
      await node.database.transaction(async (tx) => {
        await node.jobs.setApart(id, preset, 50, tx);
        await node.jobs.raise(id, preset, 200, tx);
      });
      await (node.jobs as unknown as { tidy(): Promise<void> }).tidy();
    }
  };
  await Promise.all([...nodes.map(work), ...nodes.map(work), ...nodes.map(meddle)]);
  assert.equal(done.size, exportIds.length * 12 * presets.length);
  assert.deepEqual([...new Set(done.values())], [1], 'each was done once');
});

test('postgres: [C12] jobs that have waited since before the places started again are not behind newer ones for ever', async (t) => {
  const { database, queue, pass } = await fixture.openQueue(t);
  await database.query(`select setval('job_places', 4194300)`);
  const before = [200, 100, 100].map((priority, n) => ({ ...chunk('a', n, priority), id: `before/${n}` }));
  await database.transaction((tx) => queue.enqueue(before, tx));
  await pass(1_000);
  const after = [100, 200, 200].map((priority, n) => ({ ...chunk('b', n, priority), id: `after/${n}` }));
  await database.transaction((tx) => queue.enqueue(after, tx));
  const claimed = async () => {
    const attempt = (await queue.claim())!;
    await database.transaction((tx) => queue.complete(attempt, tx));
    return attempt.job.id;
  };
  assert.equal(await claimed(), 'after/1');
  await pass(600_000 - 1_000);
  const order = [await claimed(), await claimed(), await claimed(), await claimed(), await claimed()];
  assert.deepEqual(order.slice(0, 3).toSorted(), ['before/0', 'before/1', 'before/2']);
  assert.deepEqual(order.slice(3), ['after/2', 'after/0']);
});

jobQueueSuite('postgres', (t) => fixture.openQueue(t));
copiesSuite(fixture);

/** Nodes on an empty queue. */
async function openNodes(t: TestContext): Promise<[NodeStore, ...NodeStore[]]> {
  await fixture.open(t);
  const nodes: NodeStore[] = [];
  for (let number = 0; number < NODES; number += 1) {
    const node = await openPostgresStore(fixture.url, { onCancelled: () => {} });
    t.after(() => node.close());
    nodes.push(node);
  }
  return nodes as [NodeStore, ...NodeStore[]];
}

/** The numbers of the engine are some seconds old. */
async function counted({ database }: NodeStore): Promise<{ waiting: number; running: number }> {
  const [row] = await database.query<{ waiting: number; running: number }>(
    `select count(*) filter (where state < 'active') as waiting, count(*) filter (where state = 'active') as running
     from pgboss.job where name like 'render-%'`,
  );
  return row!;
}
