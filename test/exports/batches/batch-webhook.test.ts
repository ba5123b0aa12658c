import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { verifyWebhook } from '../../../packages/client/src/verify-webhook.ts';
import { seen } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { EventReceiver } from '../deliver/event-receiver.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { createFailingBatch, feeder } from './batches-fixture.ts';

const SECRET = `whsec_${Buffer.from('a secret of 24 bytes or so').toString('base64')}`;

test('[C85, C37] a batch sends one signed event when its last row has ended, and another one after a retry', async (t) => {
  const events: { readonly type: string; readonly id: string; readonly data: { readonly batch_id: string } }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { type, data } = (await verifyWebhook(request.headers, body, SECRET)) as unknown as (typeof events)[number];
    events.push({ type, id: String(request.headers['webhook-id']), data });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const callback_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await using exports = await ExportsFixture.open({ webhookSecret: SECRET });
  const { id } = await createFailingBatch(exports, [{ title: 'a' }, { title: 'b' }], { callback_url });
  await using _feeding = feeder(exports);
  await seen('the event', async () => events.length === 1);
  await exports.parts.batches.retry('default', id);
  await seen('the event of the retry', async () => events.length === 2);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.batch_id]),
    [
      ['batch.completed', id],
      ['batch.completed', id],
    ],
  );
  assert.notEqual(events[0]!.id, events[1]!.id);
});

test('[C37, C85] the event of a batch is given up once the processes that sent it have died too often', async (t) => {
  const callback = await EventReceiver.listen(t, 500);
  await using exports = await ExportsFixture.open({ webhookSecret: SECRET });
  const { id } = await createFailingBatch(exports, [{ title: 'a' }], { callback_url: callback.url });
  await using _feeding = feeder(exports);
  const { database } = exports.ports;
  await seen('the first try', async () => {
    const [waiting] = await database.query<{ failures: number }>('select failures from jobs where export_id = $1', [
      id,
    ]);
    return waiting?.failures === 1;
  });
  const dead = `update jobs set deaths = 99, due_at_ms = 0 where export_id = $1 and state = 'waiting'`;
  await database.transaction((tx) => tx.query(dead, [id]));
  exports.parts.webhooks.wake();
  await seen('that it is given up', async () => {
    const query = { exportId: null, type: 'batch.completed', limit: 1, after: null } as const;
    return (await exports.api.events.list('default', query)).events[0]?.deliveries[0]?.state === 'given_up';
  });
  assert.equal(callback.got.length, 1);
});

test('[C85, C93, C96] the event of a batch is recorded: it is listed, read, sent again, and goes to registered webhooks', async (t) => {
  const [callback, shop] = [await EventReceiver.listen(t, 500), await EventReceiver.listen(t)];
  await using exports = await ExportsFixture.open({ webhookSecret: SECRET });
  const { api } = exports;
  const subscribed = { url: shop.url, events: ['batch.completed'] };
  await api.webhooks.put('default', 'shop', subscribed);
  await api.webhooks.put('default', 'exports', { url: shop.url });
  const fields = { callback_url: callback.url, metadata: '{"series":"snacks"}' };
  const { id } = await createFailingBatch(exports, [{ title: 'a' }], fields);
  await using _feeding = feeder(exports);
  await seen('both tries', async () => callback.got.length === 1 && shop.got.length === 1);
  const listed = async () => {
    const query = { exportId: null, type: 'batch.completed', limit: 10, after: null } as const;
    return (await api.events.list('default', query)).events;
  };
  await seen('both deliveries', async () => {
    const [failed, delivered] = (await listed())[0]!.deliveries;
    return failed?.attempts === 1 && delivered?.state === 'delivered';
  });
  const [event] = await listed();
  assert.partialDeepStrictEqual(event, {
    ...{ type: 'batch.completed', exportId: null, batchId: id, externalId: null, preset: null, short: null },
    metadata: { series: 'snacks' },
    deliveries: [
      { webhook: null, state: 'pending', attempts: 1 },
      { webhook: 'shop', state: 'delivered', attempts: 1 },
    ],
  });
  assert.equal(event!.id, shop.got[0]!.id);
  const read = await api.events.find('default', event!.id);
  assert.ok(read !== null && 'batch' in read.subject && read.subject.batch.id === id);
  assert.equal(await api.events.find('another', event!.id), null);
  const { deliveries } = (await api.events.resend('default', event!.id, null, uncancelled))!;
  assert.deepEqual(
    deliveries.map(({ state, attempts }) => [state, attempts]),
    [
      ['delivered', 2],
      ['delivered', 2],
    ],
  );
  // It is forgotten with its batch.
  await exports.ports.database.transaction((tx) => tx.query('delete from batches where id = $1', [id]));
  assert.deepEqual(await listed(), []);
});
