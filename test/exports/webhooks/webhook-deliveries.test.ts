import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { seen } from '../../service/export-client.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };
const signal = AbortSignal.timeout(60_000);

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** An export that ends at once, by its own client's wish: someone is to be told. */
async function ended(exports: ExportsFixture, callbackUrl: string, tenant = 'default'): Promise<string> {
  const { id } = await exports.api.submit(exports.submission(TEXT_ONLY, {}, { callbackUrl, tenant }), signal);
  assert.ok(await exports.api.remove(tenant, id));
  return id;
}

test('[C37] a receiver that never answers holds up nobody else, and is met by a few connections at a time', async (t) => {
  let held = 0;
  const tarpit = await listen(t, () => {
    held += 1;
  });
  const told: string[] = [];
  const hook = await listen(t, (request, response) => {
    told.push(String(request.headers['webhook-id']));
    response.end();
  });
  await using exports = await ExportsFixture.open();
  for (let n = 0; n < 6; n++) await ended(exports, tarpit);
  await seen('the tarpit is met', async () => held > 0);
  const first = await ended(exports, hook);
  const second = await ended(exports, hook);
  await seen('both are told', async () => told.length === 2, 10);
  assert.deepEqual(told.toSorted(), [`${first}.cancelled`, `${second}.cancelled`].toSorted());
  assert.equal(held, 4);
});

test('[C41] each tenant is told under its own secret', async (t) => {
  const told: { headers: IncomingHttpHeaders; body: string }[] = [];
  const hook = await listen(t, async (request, response) => {
    told.push({ headers: request.headers, body: (await request.toArray()).join('') });
    response.end();
  });
  const webhookSecrets = [{ tenant: 'alice', secret: 'the secret of alice' }];
  await using exports = await ExportsFixture.open({ webhookSecret: 'the shared secret', webhookSecrets });
  for (const [tenant, secret] of [
    ['alice', 'the secret of alice'],
    ['bob', 'the shared secret'],
  ] as const) {
    await ended(exports, hook, tenant);
    await seen(`${tenant} is told`, async () => told.length === 1);
    const { headers, body } = told.pop()!;
    const signed = createHmac('sha256', secret).update(
      `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`,
    );
    assert.equal(headers['webhook-signature'], `v1,${signed.digest('base64')}`);
  }
});
