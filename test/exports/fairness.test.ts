import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { seen } from '../service/export-client.ts';
import { ExportsFixture } from './exports-fixture.ts';

const signal = AbortSignal.timeout(120_000);
const LAPSED_MS = 30_000;

/** The use cases without a worker, on a queue whose clock is in our hands. */
async function open(policy: Parameters<typeof ExportsFixture.open>[0] = {}) {
  const clock = { nowMs: 1_000_000 };
  const exports = await ExportsFixture.open(policy, undefined, ({ database }) => ({
    jobs: new SqliteJobQueue(database, { now: () => clock.nowMs }),
  }));
  return { exports, clock };
}

/** So many seconds of a word, which take no media to render. */
async function submit(exports: ExportsFixture, tenant = 'default', seconds = 1): Promise<string> {
  const timeline_data = { subtitles: [{ text: 'a word', start: 0, duration: seconds }] };
  return (await exports.api.submit(exports.submission({ timeline_data }, {}, { tenant }), signal)).id;
}

/** Waits for an output as a request does, until told to leave. */
async function waiter(exports: ExportsFixture, id: string, preset: string): Promise<{ leave(): Promise<void> }> {
  const gone = new AbortController();
  const waiting = exports.api.waitFor(id, preset, gone.signal);
  waiting.catch(() => {});
  await seen('its output in the queue', async () => {
    const record = await exports.ports.records.find(id, exports.ports.database);
    return record?.outputs.find((output) => output.preset === preset)?.state !== 'waiting';
  });
  // Its raise has been asked for before this is: the database takes one after the other.
  for (let turn = 0; turn < 5; turn += 1) await exports.ports.database.query('select 1');
  return {
    leave: async () => {
      gone.abort(new Error('gone'));
      await assert.rejects(waiting, /gone/);
    },
  };
}

/** What workers would be given from here on, by the names of the exports. */
async function order(exports: ExportsFixture, names: Readonly<Record<string, string>>): Promise<string[]> {
  const { jobs } = exports.ports;
  const given: string[] = [];
  for (let attempt = await jobs.claim(); attempt !== null; attempt = await jobs.claim()) {
    const { exportId, kind, presets } = attempt.job;
    given.push(`${names[exportId]} ${kind === 'sound' ? kind : presets.join('+').replaceAll('preset_', '')}`);
  }
  return given;
}

test('[C8] a create that waits and one that does not are equally urgent: first come, first served', async () => {
  const { exports } = await open({ prerender: 'selected' });
  await using _ = exports;
  const names: Record<string, string> = {};
  for (const name of ['async 1', 'async 2', 'sync 1', 'sync 2']) names[await submit(exports)] = name;
  const waiters = [];
  for (const [id, name] of Object.entries(names)) {
    if (name.startsWith('sync')) waiters.push(await waiter(exports, id, 'preset_one'));
  }
  const pictures = (await order(exports, names)).filter((job) => !job.endsWith('sound'));
  assert.deepEqual(pictures, ['async 1 one', 'async 2 one', 'sync 1 one', 'sync 2 one']);
  for (const { leave } of waiters) await leave();
});

test('[C12] a download that waits lifts its shape to the rank of what was asked for, no higher', async () => {
  const { exports } = await open();
  await using _ = exports;
  const names = { [await submit(exports)]: 'a', [await submit(exports)]: 'b', [await submit(exports)]: 'c' };
  const { leave } = await waiter(exports, Object.keys(names)[1]!, 'preset_three');
  const pictures = (await order(exports, names)).filter((job) => !job.endsWith('sound'));
  assert.deepEqual(pictures, [
    ...['a one', 'b one', 'b three', 'c one'],
    ...['a two', 'a three', 'b two', 'c two', 'c three'],
  ]);
  await leave();
});

test('[C12] the lift lasts for as long as someone waits, and lapses then', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { exports, clock } = await open({ prerender: 'selected' });
  await using _ = exports;
  const id = await submit(exports);
  const { jobs, database } = exports.ports;
  const claimed = async () => {
    const attempts = [(await jobs.claim())!, (await jobs.claim())!, (await jobs.claim())!];
    for (const attempt of attempts) await jobs.release(attempt);
    return attempts.find(({ job }) => job.presets[0] === 'preset_two')!.job.priority;
  };
  const [one, another] = [await waiter(exports, id, 'preset_two'), await waiter(exports, id, 'preset_two')];
  assert.equal(await claimed(), 200);
  await one.leave();
  for (let round = 0; round < 5; round += 1) {
    clock.nowMs += 10_000;
    t.mock.timers.tick(10_000);
    await database.query('select 1');
  }
  assert.equal(await claimed(), 200, 'one of the two still waits');
  await another.leave();
  clock.nowMs += LAPSED_MS;
  t.mock.timers.tick(LAPSED_MS);
  await database.query('select 1');
  assert.equal(await claimed(), 100, 'nobody waits any more');
});

test('[C33] a tenant with a full queue is told to come back, and nobody else is', async () => {
  const { exports } = await open({ maxWaiting: 2, maxWaitingInAll: 4 });
  await using _ = exports;
  const isFull = (error: unknown) => error instanceof ExportError && error.code === 'queue.full';
  for (const tenant of ['greedy', 'greedy', 'modest']) await submit(exports, tenant);
  await assert.rejects(submit(exports, 'greedy'), isFull);
  await submit(exports, 'modest');
  await assert.rejects(submit(exports, 'third'), isFull, 'the machine has an end too');
});

test('[C33] tenants take turns, whoever came first and however much they bring', async () => {
  const { exports } = await open({ prerender: 'selected' });
  await using _ = exports;
  const names = { [await submit(exports, 'greedy', 65)]: 'greedy', [await submit(exports, 'modest', 15)]: 'modest' };
  assert.deepEqual((await order(exports, names)).slice(0, 6), [
    // The sound comes after the first pictures, for whoever watches. (C49)
    ...['greedy one', 'modest one', 'greedy sound', 'modest sound', 'greedy one', 'modest one'],
  ]);
});

test('[chunks] up to twelve chunks are a job each; of more, four are one', async () => {
  const { exports } = await open({ prerender: 'selected' });
  await using _ = exports;
  const ranges = async (seconds: number) => {
    const id = await submit(exports, 'default', seconds);
    const sql = `select chunk_count from jobs where export_id = $1 and kind = 'chunks' order by first_chunk`;
    const rows = await exports.ports.database.query<{ chunk_count: number }>(sql, [id]);
    return rows.map((row) => row.chunk_count);
  };
  assert.deepEqual(await ranges(120), Array(12).fill(1));
  assert.deepEqual(await ranges(140), [4, 4, 4, 2]);
});
