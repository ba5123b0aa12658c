import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../../src/exports/event-log.ts';
import { EndExport } from '../../src/exports/run/end-export.ts';
import { OutputWork } from '../../src/exports/run/output-work.ts';
import type { Job } from '../../src/store/job-queue.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { uncancelled } from '../uncancelled.ts';
import { ExportsFixture } from './exports-fixture.ts';

const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 25 }] } };

test('[C12] a failed output leaves no job in the queue; the others are rendered', async () => {
  await using exports = await ExportsFixture.open();
  const { ports } = exports;
  const { id } = await exports.api.submit(exports.submission(TEXT_ONLY), uncancelled);
  const work = new OutputWork(ports);
  const ends = new EndExport({ ...ports, eventLog: new EventLog(ports), work, retentionMs: 1 });
  const what = { kind: 'chunks', presets: ['preset_two'], chunks: { first: 0, count: 1 } } as const;
  const job: Job = { id: 'job', tenant: 'default', exportId: id, ...what, priority: 100 };
  const error = { kind: 'internal', code: 'render.failed', message: 'It broke.', issues: [] } as const;
  await ports.database.transaction((tx) => ends.giveUp(job, error, tx));
  exports.startWorker();
  const { state, outputs } = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual(
    [state, ...outputs.map((output) => output.state)],
    ['completed', 'completed', 'failed', 'completed'],
  );
  const jobs = await ports.database.query<{ state: string; presets: string }>('select state, presets from jobs');
  assert.ok(jobs.every((row) => row.state === 'done' && !row.presets.includes('preset_two')));
  assert.deepEqual(
    exports.logged.filter((line) => line.includes('failed')),
    [],
  );
});

test('[C29] a stopped output leaves no job; the others continue, and a finished one stays', async () => {
  await using exports = await ExportsFixture.open();
  const { api } = exports;
  const { id } = await api.submit(exports.submission(TEXT_ONLY), uncancelled);
  assert.equal(await api.stop('another tenant', id, 'preset_two'), false);
  assert.equal(await api.stop('default', id, 'preset_one'), true);
  const waiting = api.waitFor(id, 'preset_two', uncancelled);
  exports.startWorker();
  await waiting;
  assert.ok((await api.openOutput(id, 'preset_two')) !== null, 'waited for though the selected one was stopped');
  assert.equal(await api.stop('default', id, 'preset_two'), true);
  const { state, failure, outputs } = (await Array.fromAsync(api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual(
    [state, failure?.code, ...outputs.map((output) => output.failure?.code ?? output.state)],
    ['failed', 'output.stopped', 'output.stopped', 'completed', 'completed'],
  );
  const jobs = await exports.ports.database.query<{ state: string; presets: string }>(
    'select state, presets from jobs',
  );
  assert.ok(jobs.every((row) => row.state === 'done' && !row.presets.includes('preset_one')));
});

test('[C35] an export whose workers die repeatedly fails in the step that ends its last job', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  const { database } = exports.ports;
  const { id } = await exports.api.submit(exports.submission(TEXT_ONLY), uncancelled);
  // Processes that took the first job and then died.
  for (let deaths = 0; deaths < 10; deaths += 1)
    assert.equal((await new SqliteJobQueue(database).claim())?.exhausted, false);
  exports.startWorker();
  const view = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual([view.state, view.failure?.code], ['failed', 'render.crashed']);
  assert.deepEqual(await database.query('select id from jobs'), []);
});
