import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { NodeStore } from '../../../src/store/nodes/node-store.ts';
import { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { PostgresChanges } from '../../../src/store/postgres/postgres-notices.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { ExportRecords } from '../../../src/store/records/export-records.ts';
import { OutputRecords } from '../../../src/store/records/output-records.ts';
import { TcpProxy } from '../../cluster/tcp-proxy.ts';
import { changesSuite } from '../changes-suite.ts';
import { chunk } from '../job-queue-suite.ts';
import { newExport } from '../new-export.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();
const [records, outputs] = [new ExportRecords(), new OutputRecords()];

changesSuite('postgres', async (t) => {
  const [one, other] = await openNodes(t);
  return { here: one.changes, there: other.changes };
});

test('postgres: a change that a node made without a notice is seen at the next poll', async (t) => {
  const database = await fixture.open(t);
  const record = newExport();
  await database.transaction((tx) => records.insert(record, tx));
  const deaf = { on: () => {}, say: () => {} } as never;
  await using changes = new PostgresChanges(deaf, database.committed, 20);
  await changes.listen(record.id).next; // the first look knows nothing yet
  const second = changes.listen(record.id);
  const still = Promise.withResolvers<void>();
  let reported = false;
  void second.next.then(() => {
    reported = true;
  });
  setTimeout(still.resolve, 100);
  await still.promise;
  assert.equal(reported, false, 'nothing has changed');
  await database.transaction((tx) => records.setState(record.id, 'rendering', tx), { lockExport: record.id });
  await second.next;
});

test('postgres: the worker on another node learns of a cancelled export within a second', async (t) => {
  const reported = Promise.withResolvers<string>();
  const [api, worker] = await openNodes(t, reported.resolve);
  await api.database.transaction((tx) => api.jobs.enqueue([chunk('x', 0)], tx));
  await worker.jobs.changed(AbortSignal.timeout(60_000));
  const attempt = await worker.jobs.claim();
  await api.database.transaction((tx) => api.jobs.cancel('x', null, tx));
  const beganMs = performance.now();
  assert.equal(await reported.promise, 'x');
  assert.ok(performance.now() - beganMs < 1_000);
  assert.equal(await worker.jobs.heartbeat(attempt!), false);
});

test('postgres: a waiting worker gets a notice of a job that another node adds', async (t) => {
  const [api, worker] = await openNodes(t);
  assert.equal(await worker.jobs.claim(), null);
  const waiting = worker.jobs.changed(new AbortController().signal);
  await api.database.transaction((tx) => api.jobs.enqueue([chunk('x', 0)], tx));
  const beganMs = performance.now();
  await waiting;
  assert.ok(performance.now() - beganMs < 1_000, 'it has not just looked by itself');
  assert.equal((await worker.jobs.claim())?.job.id, 'x/0');
});

test('postgres: [C26] the progress of a job shows on every node, once, and never falls', async (t) => {
  const [api, worker] = await openNodes(t);
  const { database } = api;
  const record = newExport();
  const preset = 'preset_one';
  await database.transaction(async (tx) => {
    await records.insert(record, tx);
    await outputs.start(record.id, preset, { chunkJobs: 2, framesDone: 0, soundDone: true }, tx);
  });
  const look = async () => {
    const output = (await records.find(record.id, database.committed))!.outputs[0]!;
    return { done: output.framesDone, inFlight: output.framesInFlight };
  };
  const job = { exportId: record.id, id: 'job', firstChunk: 4 };
  const seen = async (report: () => void) => {
    const change = api.changes.listen(record.id);
    report();
    await change.next;
    return look();
  };
  assert.deepEqual(await seen(() => worker.progress.report(job, [[preset, 60]])), { done: 0, inFlight: 60 });
  // The worker dies; the next one starts again.
  await worker.progress.end(job, [preset]);
  assert.deepEqual(await seen(() => worker.progress.report(job, [[preset, 10]])), { done: 0, inFlight: 60 });
  worker.progress.report(job, [[preset, 149]]);
  await worker.progress.end(job, [preset]);
  await database.transaction((tx) => outputs.finishChunks(record.id, preset, { first: 4, frames: 150 }, tx), {
    lockExport: record.id,
  });
  assert.deepEqual(await look(), { done: 150, inFlight: 0 });
});

test('postgres: one node leads at a time, and another takes over when it ends or is disconnected', async (t) => {
  const nodes = await openNodes(t);
  const leading: number[] = [];
  const stops = nodes.map(() => new AbortController());
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = nodes.map((node, number) => {
    const work = async (signal: AbortSignal) => {
      leading.push(number);
      begun[number]!.resolve();
      if (!signal.aborted) await once(signal, 'abort');
      leading.splice(leading.indexOf(number), 1);
    };
    const done = node.leader.run('upkeep', work, stops[number]!.signal);
    return number === 0 ? begun[0]!.promise.then(() => done) : done;
  });
  await Promise.race(begun.map(({ promise }) => promise));
  const first = leading[0]!;
  const second = 1 - first;
  assert.deepEqual(leading, [first]);
  stops[first]!.abort();
  await begun[second]!.promise;
  assert.deepEqual(leading, [second]);
  // Disconnected by the server: it stops leading, and starts again.
  begun[second] = Promise.withResolvers();
  await nodes[0]!.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tiercut% upkeep'`,
  );
  await begun[second]!.promise;
  assert.deepEqual(leading, [second]);
  stops[second]!.abort();
  await Promise.all(running);
});

test('postgres: a connection lost in a transaction is an error, and blocks others only briefly', async (t) => {
  const database = await fixture.open(t);
  const record = newExport();
  await database.transaction((tx) => records.insert(record, tx));
  const address = new URL(fixture.url);
  await using wire = await TcpProxy.to({ path: join(address.searchParams.get('host')!, '.s.PGSQL.5432') });
  const url = `postgres://postgres@127.0.0.1:${wire.port}${address.pathname}`;
  const remote = await PostgresDatabase.open(url, { answerTimeoutMs: 600 });
  const lost = remote.transaction(
    async (tx) => {
      await records.setState(record.id, 'rendering', tx);
      wire.cut();
      await records.stateOf(record.id, tx);
    },
    { lockExport: record.id },
  );
  await assert.rejects(lost, { code: 'store.unreachable', kind: 'unavailable' });
  const beganMs = performance.now();
  await database.transaction((tx) => records.setState(record.id, 'failed', tx), { lockExport: record.id });
  assert.ok(performance.now() - beganMs < 5_000);
  wire.mend();
  assert.equal(await records.stateOf(record.id, remote), 'failed', 'what was cut off has come to nothing');
  await remote.close();
});

test('postgres: a bell rings on every node', async (t) => {
  const [one, other] = await openNodes(t);
  const rung = [one, other].map((node) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    node!.draftBell.onRing(resolve);
    return promise;
  });
  one.draftBell.ring();
  await Promise.all(rung);
});

/** Two nodes on an empty database. */
async function openNodes(t: TestContext, onCancelled: (id: string) => void = () => {}) {
  await fixture.open(t);
  const nodes: NodeStore[] = [];
  for (let number = 0; number < 2; number += 1) {
    const node = await openPostgresStore(fixture.url, { onCancelled: number === 1 ? onCancelled : () => {} });
    t.after(() => node.close());
    nodes.push(node);
  }
  return nodes as [NodeStore, NodeStore];
}
