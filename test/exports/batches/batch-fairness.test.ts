import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SqliteJobQueue } from '../../../src/store/sqlite/sqlite-job-queue.ts';
import { seen } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { createBatch, feeder, saveProject, TEMPLATE } from './batches-fixture.ts';

const HOUR_MS = 3_600_000;

test('[C85, C91] exports of a batch go after all others of the tenant, however long they wait, and take turns with other tenants', async () => {
  const clock = { nowMs: 1_000_000 };
  await using exports = await ExportsFixture.open({}, undefined, ({ database }) => ({
    jobs: new SqliteJobQueue(database, { now: () => clock.nowMs }),
  }));
  const { jobs, database } = exports.ports;
  const project = await saveProject(exports, TEMPLATE);
  const rows = Array.from({ length: 100 }, (_, n) => ({ title: `${n}` }));
  const { id } = await createBatch(exports, project, rows, { presets: '["preset_one"]' });
  await using _feeding = feeder(exports);
  const queued = async (count: number) => {
    const { queued: found } = (await exports.parts.batches.get('default', id))!.counts;
    return found === count || undefined;
  };
  await seen('a few exports of the batch', () => queued(4));

  clock.nowMs += HOUR_MS;
  const timeline_data = { subtitles: [{ text: 'a word', start: 0, duration: 1 }] };
  const single = async (tenant: string) => {
    const other = { tenant, presets: '["preset_one"]', waits: false };
    return (await exports.api.submit(exports.submission({ timeline_data }, {}, other), uncancelled)).id;
  };
  const names = { [await single('default')]: 'own', [await single('another')]: 'other' };
  const order: string[] = [];
  // Its own export is next, except for one turn of another tenant; of the batch, not one job is before it.
  for (let attempt = await jobs.claim(); attempt !== null && order.length < 6; attempt = await jobs.claim()) {
    order.push(names[attempt.job.exportId] ?? 'batch');
    await database.transaction((tx) => jobs.complete(attempt!, tx));
  }
  assert.deepEqual(order.filter((name) => name !== 'other').slice(0, 3), ['own', 'own', 'batch']);
  assert.ok(order.indexOf('other') <= 1, order.join(' '));
});

test('[C85] a batch waits while the queue of its tenant is full, and loses no row', async () => {
  await using exports = await ExportsFixture.open({ maxWaiting: 2 });
  const project = await saveProject(exports, TEMPLATE);
  const { id } = await createBatch(exports, project, [{ title: 'a' }, { title: 'b' }, { title: 'c' }], {
    presets: '["preset_one"]',
  });
  const counts = async () => (await exports.parts.batches.get('default', id))!.counts;
  await using _feeding = feeder(exports);
  await seen('a full queue', async () => (await counts()).queued === 2 || undefined);
  assert.deepEqual([(await counts()).waiting, (await counts()).failed], [1, 0]);
  exports.startWorker();
  await seen('all rows', async () => (await counts()).completed === 3 || undefined);
});
