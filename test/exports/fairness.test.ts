import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ExportError } from '../../src/errors.ts';
import type { Submission } from '../../src/exports/api/submission.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { seen } from '../service/export-client.ts';
import { uncancelled } from '../uncancelled.ts';
import { ExportsFixture } from './exports-fixture.ts';

const LAPSED_MS = 30_000;

/** Pending waits: if a test fails, nothing ends them, and the process would not exit. */
const waiting = new Set<AbortController>();
afterEach(() => {
  for (const gone of waiting) gone.abort(new Error('over'));
  waiting.clear();
});

/** The use cases without a worker, on a queue with a manual clock. */
async function open(policy: Parameters<typeof ExportsFixture.open>[0] = {}, groupingDelay = () => setImmediate()) {
  const clock = { nowMs: 1_000_000 };
  const exports = await ExportsFixture.open(policy, undefined, ({ database }) => ({
    jobs: new SqliteJobQueue(database, { now: () => clock.nowMs }),
    groupingDelay,
  }));
  return { exports, clock };
}

/** So many seconds of a word, which need no media. */
async function submit(exports: ExportsFixture, other: Partial<Submission> = {}, seconds = 1): Promise<string> {
  const timeline_data = { subtitles: [{ text: 'a word', start: 0, duration: seconds }] };
  return (await exports.api.submit(exports.submission({ timeline_data }, {}, other), uncancelled)).id;
}

/** Waits for an output as a request does, until it is aborted. */
async function waiter(exports: ExportsFixture, id: string, preset: string): Promise<{ leave(): Promise<void> }> {
  const gone = new AbortController();
  waiting.add(gone);
  const output = exports.api.waitFor(id, preset, gone.signal);
  output.catch(() => {});
  await seen('its output in the queue', async () => {
    const record = await exports.ports.records.find(id, exports.ports.database);
    return record?.outputs.find((output) => output.preset === preset)?.state !== 'waiting';
  });
  // Its raise was requested before this: the database handles calls in order.
  for (let turn = 0; turn < 5; turn += 1) {
    await setImmediate();
    await exports.ports.database.query('select 1');
  }
  return {
    leave: async () => {
      gone.abort(new Error('gone'));
      await assert.rejects(output, /gone/);
    },
  };
}

/** The next jobs for workers, by the names of the exports. */
async function order(exports: ExportsFixture, names: Readonly<Record<string, string>>): Promise<string[]> {
  const { jobs } = exports.ports;
  const given: string[] = [];
  for (let attempt = await jobs.claim(); attempt !== null; attempt = await jobs.claim()) {
    const { exportId, kind, presets } = attempt.job;
    given.push(`${names[exportId]} ${kind === 'sound' ? kind : presets.join('+').replaceAll('preset_', '')}`);
  }
  return given;
}

test('[C8] a create that waits and one that does not have the same priority: first come, first served', async () => {
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

test('[C12] a download that waits raises its preset to the rank of a request, no higher', async () => {
  const { exports } = await open();
  await using _ = exports;
  const names = { [await submit(exports)]: 'a', [await submit(exports)]: 'b', [await submit(exports)]: 'c' };
  const { leave } = await waiter(exports, Object.keys(names)[1]!, 'preset_three');
  const pictures = (await order(exports, names)).filter((job) => !job.endsWith('sound'));
  assert.deepEqual(pictures, [
    ...['a one', 'b one', 'b three', 'c one'],
    // What it left behind was added when it was lifted.
    ...['a two+three', 'c two+three', 'b two'],
  ]);
  await leave();
});

test('[C12] without a waiting client all presets are rendered together; a preset with a waiting client comes first', async () => {
  const { exports } = await open();
  await using _ = exports;
  const [early, late, sync] = [
    await submit(exports, { waits: false }),
    await submit(exports, { waits: false }),
    await submit(exports),
  ];
  const names = { [early]: 'early', [late]: 'late', [sync]: 'sync' };
  const { leave } = await waiter(exports, late, 'preset_two');
  const pictures = (await order(exports, names)).filter((job) => !job.endsWith('sound'));
  assert.deepEqual(pictures, ['early one+two+three', 'late two', 'sync one', 'late one+three', 'sync two+three']);
  await leave();
});

test('[C12] if clients wait for all presets, they are rendered together', async () => {
  const { exports } = await open();
  await using _ = exports;
  const [early, late] = [await submit(exports, { waits: false }), await submit(exports, { waits: false })];
  const presets = ['preset_one', 'preset_two', 'preset_three'];
  const waiters = await Promise.all(presets.map((preset) => waiter(exports, late, preset)));
  const names = { [early]: 'early', [late]: 'late' };
  const pictures = (await order(exports, names)).filter((job) => !job.endsWith('sound'));
  assert.deepEqual(pictures, ['early one+two+three', 'late one+two+three']);
  for (const { leave } of waiters) await leave();
});

test('[C12] the same holds if clients ask for them one after the other, a moment apart', async () => {
  const allHaveAsked = Promise.withResolvers<void>();
  const { exports } = await open({}, () => allHaveAsked.promise);
  await using _ = exports;
  const [early, late] = [await submit(exports, { waits: false }), await submit(exports, { waits: false })];
  const waiters = [];
  for (const preset of ['preset_three', 'preset_one', 'preset_two']) {
    waiters.push(await waiter(exports, late, preset));
  }
  waiters.push(await waiter(exports, early, 'preset_two'));
  allHaveAsked.resolve();
  for (let turn = 0; turn < 5; turn += 1) {
    await setImmediate();
    await exports.ports.database.query('select 1');
  }
  const pictures = (await order(exports, { [early]: 'early', [late]: 'late' })).filter((job) => !job.endsWith('sound'));
  assert.deepEqual(pictures, ['early two', 'late one+two+three', 'early one+three']);
  for (const { leave } of waiters) await leave();
});

test('[C12] while a client waits for a preset, the others are no longer urgent', async () => {
  const { exports } = await open();
  await using _ = exports;
  const [early, late] = [await submit(exports, { waits: false }), await submit(exports)];
  const { leave } = await waiter(exports, early, 'preset_one');
  const pictures = (await order(exports, { [early]: 'early', [late]: 'late' })).filter((job) => !job.endsWith('sound'));
  assert.deepEqual(pictures, ['early one', 'late one', 'late two+three', 'early two+three']);
  await leave();
});

test('[C12] the raise lasts as long as a client waits, and then lapses', async (t) => {
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

test('[C91] a tenant with a full queue gets 429, other tenants do not', async () => {
  const { exports } = await open({ maxWaiting: 2, maxWaitingInAll: 4 });
  await using _ = exports;
  const isFull = (error: unknown) => error instanceof ExportError && error.code === 'queue.full';
  for (const tenant of ['greedy', 'greedy', 'modest']) await submit(exports, { tenant });
  await assert.rejects(submit(exports, { tenant: 'greedy' }), isFull);
  await submit(exports, { tenant: 'modest' });
  await assert.rejects(submit(exports, { tenant: 'third' }), isFull, 'the machine has an end too');
});

test('[C91] tenants take turns, regardless of order and amount of work', async () => {
  const { exports } = await open({ prerender: 'selected' });
  await using _ = exports;
  const names = {
    [await submit(exports, { tenant: 'greedy' }, 65)]: 'greedy',
    [await submit(exports, { tenant: 'modest' }, 15)]: 'modest',
  };
  assert.deepEqual((await order(exports, names)).slice(0, 6), [
    // The sound comes after the first pictures, for clients that watch. (C49)
    ...['greedy one', 'modest one', 'greedy sound', 'modest sound', 'greedy one', 'modest one'],
  ]);
});

test('[chunks] after the first chunk, ten are one job, fewer towards the end, and the last jobs have two', async () => {
  const { exports } = await open();
  await using _ = exports;
  const ranges = async (seconds: number, preset = 'preset_one') => {
    const id = await submit(exports, {}, seconds);
    const sql = `select chunk_count from jobs where export_id = $1 and presets like $2 and kind = 'chunks' order by seq`;
    const rows = await exports.ports.database.query<{ chunk_count: number }>(sql, [id, `%${preset}%`]);
    return rows.map((row) => row.chunk_count);
  };
  assert.deepEqual(await ranges(48), [1, ...Array(5).fill(2), 1]);
  const last = Array(11).fill(2);
  assert.deepEqual(await ranges(400), [1, 10, 10, 9, 8, 7, 6, 6, 5, 4, 4, 3, 3, 2, ...last]);
  const ofTwo = await ranges(400, 'preset_two');
  assert.deepEqual(
    ofTwo,
    [1, ...Array(12).fill(5), 4, 4, 3, 3, 3, ...last],
    'five chunks of two presets take about as long',
  );
});
