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

function webhookOf({ ports }: ExportsFixture, id: string) {
  return ports.records.find(id, ports.database).then((record) => record?.webhook);
}

test('[C68] each event waits for the previous one, and they are sent in order after a restart, each with its own id', async (t) => {
  const receiver = await EventReceiver.listen(t, 500);
  const nowMs = Date.now();
  const first = await ExportsFixture.open({}, undefined, () => ({ now: () => nowMs }));
  const id = await submit(first, receiver.url, ALL);
  await first.api.stop('default', id, 'preset_two');
  await seen('the first try', async () => (await webhookOf(first, id))?.attempts === 1);
  await first.api.stop('default', id, 'preset_three');
  await first.api.stop('default', id, 'preset_one');
  assert.deepEqual(
    (await webhookOf(first, id))?.events.map(({ type, preset }) => [type, preset]),
    [
      ['output.failed', 'preset_two'],
      ['output.failed', 'preset_three'],
      ['output.failed', 'preset_one'],
      ['export.failed', null],
    ],
  );
  await first.stop();
  assert.deepEqual(receiver.idsOf(id), ['output.failed.preset_two']);

  await using second = await ExportsFixture.open({}, first.folder, () => ({ now: () => nowMs + 5000 }));
  await seen('all are sent', async () => (await second.api.deliveries(id)).state === 'delivered');
  const outputs = ['two', 'two', 'three', 'one'].map((name) => `output.failed.preset_${name}`);
  assert.deepEqual(receiver.idsOf(id), [...outputs, 'failed']);
  for (const { body } of receiver.got) assert.equal(body.timestamp, new Date(nowMs).toISOString(), 'when it happened');
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

test('[C68, C37] a receiver that wants no more events gets none of those that wait', async (t) => {
  const receiver = await EventReceiver.listen(t, 500, 410);
  let nowMs = Date.now();
  await using exports = await ExportsFixture.open({}, undefined, () => ({ now: () => nowMs }));
  const id = await submit(exports, receiver.url, ALL);
  await exports.api.stop('default', id, 'preset_two');
  await seen('the first try', async () => (await webhookOf(exports, id))?.attempts === 1);
  await exports.api.stop('default', id, 'preset_three');
  nowMs += 5000;
  exports.parts.webhooks.wake();
  await seen('it gives up', async () => (await exports.api.deliveries(id)).state === 'given_up');
  assert.deepEqual(receiver.idsOf(id), Array(2).fill('output.failed.preset_two'));
});

test('[C68, C29] a cancelled export without a webhook leaves no record', async (t) => {
  const receiver = await EventReceiver.listen(t);
  await using exports = await ExportsFixture.open();
  const silent = await submit(exports, receiver.url, '["export.completed"]');
  const reported = await submit(exports, receiver.url, '["export.cancelled"]');
  for (const id of [silent, reported]) assert.ok(await exports.api.remove('default', id));
  await seen('it is sent', () => receiver.got.length === 1);
  assert.deepEqual(receiver.idsOf(reported), ['cancelled']);
  assert.equal(await webhookOf(exports, silent), undefined);
});
