import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planKey } from '../../../src/exports/export-keys.ts';
import { CALLBACK_EVENTS } from '../../../src/store/records/export-record.ts';
import { seen } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { EventReceiver } from './event-receiver.ts';

const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };
const ALL = JSON.stringify(CALLBACK_EVENTS);

async function submit(exports: ExportsFixture, callbackUrl: string, callbackEvents: string | null): Promise<string> {
  const submission = exports.submission(TEXT_ONLY, {}, { callbackUrl, callbackEvents });
  return (await exports.api.submit(submission, uncancelled)).id;
}

/** Its events in order, each with its state and tries at the `callback_url`. */
async function queueOf({ ports }: ExportsFixture, id: string) {
  const { events, database } = ports;
  const listed = await events.list('default', id, { type: null, limit: 100, after: null }, database);
  const deliveries = await events.deliveriesOf(
    listed.map((event) => event.id),
    database,
  );
  return listed.reverse().map((event) => ({ ...event, ...deliveries.get(event.id)?.[0] }));
}

async function attemptsOf(exports: ExportsFixture, id: string): Promise<number | undefined> {
  return (await queueOf(exports, id))[0]?.attempts;
}

test('[C68] each event waits for the previous one, and they are sent in order after a restart, each with its own id', async (t) => {
  const receiver = await EventReceiver.listen(t, 500);
  const nowMs = Date.now();
  const first = await ExportsFixture.open({}, undefined, () => ({ now: () => nowMs }));
  const id = await submit(first, receiver.url, ALL);
  await first.api.stop('default', id, 'preset_two');
  await seen('the first try', async () => (await attemptsOf(first, id)) === 1);
  await first.api.stop('default', id, 'preset_three');
  await first.api.stop('default', id, 'preset_one');
  assert.deepEqual(
    (await queueOf(first, id)).map(({ type, preset, state }) => [type, preset, state]),
    [
      ['output.failed', 'preset_two', 'pending'],
      ['output.failed', 'preset_three', 'pending'],
      ['output.failed', 'preset_one', 'pending'],
      ['export.failed', null, 'pending'],
    ],
  );
  await first.stop();
  assert.deepEqual(receiver.idsOf(id), ['output.failed.preset_two']);

  await using second = await ExportsFixture.open({}, first.folder, () => ({ now: () => nowMs + 5000 }));
  await seen('all are sent', async () => (await second.api.deliveries(id)).state === 'delivered');
  const outputs = ['two', 'two', 'three', 'one'].map((name) => `output.failed.preset_${name}`);
  assert.deepEqual(receiver.idsOf(id), [...outputs, 'failed']);
  const times = receiver.got.slice(1).map(({ body }) => Date.parse(body.timestamp) - nowMs);
  assert.deepEqual(times, [0, 1, 2, 3], 'when it happened, each later than the one before');
  const { attempts } = await second.api.deliveries(id);
  assert.deepEqual(
    attempts.map(({ type, status }) => [type, status]),
    [['export.failed', 204], ...Array.from({ length: 3 }, () => ['output.failed', 204]), ['output.failed', 500]],
  );
});

test('[C68] the event of a failed export comes after those of its unfinished outputs', async (t) => {
  const receiver = await EventReceiver.listen(t);
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  const [all, usual] = [await submit(exports, receiver.url, ALL), await submit(exports, receiver.url, null)];
  for (const id of [all, usual]) await exports.ports.blobs.delete(planKey(id, 'preset_one'));
  exports.startWorker();
  await seen('all are sent', () => receiver.got.length === 3);
  assert.deepEqual(receiver.idsOf(all), ['output.failed.preset_one', 'failed']);
  assert.deepEqual(receiver.idsOf(usual), ['failed'], 'unless chosen, only the events of the export');
});

test('[C68, C37] after 410 a receiver gets nothing more of the export, not even when asked to', async (t) => {
  const receiver = await EventReceiver.listen(t, 500, 410);
  let nowMs = Date.now();
  const replaced = () => ({ now: () => nowMs });
  const first = await ExportsFixture.open({}, undefined, replaced);
  const id = await submit(first, receiver.url, ALL);
  await first.api.stop('default', id, 'preset_two');
  await seen('the first try', async () => (await attemptsOf(first, id)) === 1);
  await first.api.stop('default', id, 'preset_three');
  nowMs += 5000;
  first.parts.webhooks.wake();
  await seen('it gives up', async () => (await first.api.deliveries(id)).state === 'given_up');
  await first.stop();

  await using second = await ExportsFixture.open({}, first.folder, replaced);
  const other = await submit(second, receiver.url, ALL);
  await second.api.stop('default', id, 'preset_one');
  await second.api.stop('default', other, 'preset_two');
  await seen('another export is reported', () => receiver.idsOf(other).length === 1);
  assert.deepEqual(receiver.idsOf(id), Array(2).fill('output.failed.preset_two'));
  assert.deepEqual(
    (await queueOf(second, id)).map(({ type, preset, state, attempts }) => [type, preset, state, attempts]),
    [
      ['output.failed', 'preset_two', 'given_up', 2],
      ['output.failed', 'preset_three', 'dropped', 0],
      ['output.failed', 'preset_one', 'dropped', 0],
      ['export.failed', null, 'dropped', 0],
    ],
  );
  assert.deepEqual((await second.api.deliveries(id)).state, 'given_up');
  await assert.rejects(second.api.redeliver(id, uncancelled), { code: 'callback.ended' });
  assert.equal(receiver.idsOf(id).length, 2);
});

test('[C68, C37] a receiver that responds 410 to a repetition ends the deliveries, too', async (t) => {
  const receiver = await EventReceiver.listen(t, 500, 410);
  const nowMs = Date.now();
  await using exports = await ExportsFixture.open({}, undefined, () => ({ now: () => nowMs }));
  const id = await submit(exports, receiver.url, ALL);
  await exports.api.stop('default', id, 'preset_two');
  await exports.api.stop('default', id, 'preset_three');
  await seen('the first try', async () => (await attemptsOf(exports, id)) === 1);
  assert.equal((await exports.api.redeliver(id, uncancelled)).state, 'given_up');
  assert.deepEqual(
    (await queueOf(exports, id)).map(({ state }) => state),
    ['given_up', 'dropped'],
  );
  const { jobs } = exports.ports;
  assert.equal(await jobs.claim({ lane: 'webhook' }), null);
});

test('[C68, C29] a cancelled export without a webhook leaves no record', async (t) => {
  const receiver = await EventReceiver.listen(t);
  await using exports = await ExportsFixture.open();
  const silent = await submit(exports, receiver.url, '["export.completed"]');
  const reported = await submit(exports, receiver.url, '["export.cancelled"]');
  for (const id of [silent, reported]) assert.ok(await exports.api.remove('default', id));
  await seen('it is sent', () => receiver.got.length === 1);
  assert.deepEqual(receiver.idsOf(reported), ['cancelled']);
  assert.equal(await exports.ports.records.find(silent, exports.ports.database), null);
  assert.deepEqual(await queueOf(exports, silent), []);
});
