import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { verifyWebhook } from '../../../packages/client/src/verify-webhook.ts';
import { seen } from '../../service/export-client.ts';
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
