import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { EventReceiver } from '../../exports/deliver/event-receiver.ts';
import { seen } from '../../service/export-client.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const VIDEO = Buffer.from('a video');
const SECRET = `whsec_${Buffer.from('a secret of the shop').toString('base64')}`;

interface Webhook {
  readonly name: string;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly secret?: string;
  readonly old_secret_until: string | null;
}

function put({ base }: Service, name: string, settings: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${base}/webhooks/${name}`, { method: 'PUT', headers, body: JSON.stringify(settings) });
}

async function made(service: Service, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const parts = Object.entries(fields).map(([name, content]) => ({ name, content }));
  const reply = await postForm(service, [...exampleParts(), ...parts], { prefer: 'respond-async' });
  assert.equal(reply.status, 202, await reply.clone().text());
  return ((await reply.json()) as { export_id: string }).export_id;
}

async function deliveriesOf({ base }: Service, id: string): Promise<(readonly [string, string | null, string])[]> {
  const reply = await fetch(`${base}/video/exports/${id}/events?format=list`);
  const { events } = (await reply.json()) as {
    events: { id: string; deliveries: { webhook: string | null; state: string }[] }[];
  };
  const all = events.reverse().flatMap((event) => event.deliveries.map((one) => ({ ...one, id: event.id })));
  return all.map((one) => [one.id.slice(id.length + 1), one.webhook, one.state] as const);
}

/** A receiver that keeps what came, with its headers. */
async function listen(t: TestContext) {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=x` };
}

test('[C96] a registered webhook receives the events of all exports beside callback_url, signed with its own secret', async (t) => {
  const [shop, callback] = [await listen(t), await EventReceiver.listen(t, 500)];
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const settings = { url: shop.url, events: ['export.completed', 'output.completed'] };
  const first = await put(service, 'shop', settings);
  assert.deepEqual([first.status, first.headers.get('location')], [201, '/webhooks/shop']);
  const { secret } = (await described.check('PUT /webhooks/{name}', first)) as Webhook;
  assert.match(secret!, /^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const shown of [
    await put(service, 'shop', settings),
    await fetch(`${service.base}/webhooks/shop`),
    await fetch(`${service.base}/webhooks`),
  ]) {
    assert.equal(shown.status, 200);
    assert.doesNotMatch(await shown.text(), /whsec_|"secret"/, 'once only');
  }
  await described.check('GET /webhooks', await fetch(`${service.base}/webhooks`));

  const id = await made(service, { callback_url: callback.url });
  await service.exports.complete(id, 'preset_one', VIDEO);
  await seen('both events', () => shop.got.length === 2);
  assert.deepEqual(
    shop.got.map(({ headers }) => headers['webhook-id']),
    [`${id}.output.completed.preset_one`, `${id}.completed`],
  );
  const verify = ({ headers, body }: (typeof shop.got)[number], ...keys: string[]) => {
    const { 'webhook-id': message, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    const signatures = keys.map((key) => {
      const mac = createHmac('sha256', Buffer.from(key.slice(6), 'base64')).update(`${message}.${timestamp}.${body}`);
      return `v1,${mac.digest('base64')}`;
    });
    assert.equal(signature, signatures.join(' '));
  };
  for (const message of shop.got) verify(message, secret!);
  // The callback_url fails; the queue of the registered webhook does not wait for it.
  await seen('the try at the callback_url', () => callback.got.length === 1);
  assert.deepEqual(await deliveriesOf(service, id), [
    ['output.completed.preset_one', 'shop', 'delivered'],
    ['completed', null, 'pending'],
    ['completed', 'shop', 'delivered'],
  ]);

  // Both secrets sign for a day, also after a change of something else.
  for (const secret of [{ secret: SECRET }, {}]) {
    const changed = await put(service, 'shop', { ...settings, events: ['export.failed'], ...secret });
    const { old_secret_until: until } = (await described.check('PUT /webhooks/{name}', changed)) as Webhook;
    const hours = (Date.parse(until!) - Date.now()) / 3_600_000;
    assert.ok(hours > 23 && hours <= 24, `${until}`);
  }
  await service.exports.complete(id, 'preset_two', VIDEO);
  // An event that it did not subscribe to, sent to it by name, with the new secret.
  const again = await fetch(`${service.base}/events/${id}.output.completed.preset_two/deliveries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhook: 'shop' }),
  });
  assert.equal(again.status, 200, await again.clone().text());
  assert.equal(shop.got.length, 3);
  verify(shop.got[2]!, SECRET, secret!);
  const unknown = await fetch(`${service.base}/events/${id}.completed/deliveries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhook: 'nobody' }),
  });
  assert.equal((await problemOf(unknown, 404)).code, 'webhook.unknown');
});

test('[C96, C37] a 410 disables a registered webhook with the reason, and drops what waits for it', async (t) => {
  const shop = await EventReceiver.listen(t, 500);
  const service = await serve(t);
  assert.equal(
    (await put(service, 'shop', { url: shop.url, events: ['output.completed', 'export.completed'] })).status,
    201,
  );
  const [one, two] = [await made(service), await made(service)];
  await service.exports.complete(one, 'preset_one', VIDEO);
  await seen('a failed try', () => shop.got.length === 1);
  const gone = await EventReceiver.listen(t, 410);
  assert.equal(
    (await put(service, 'shop', { url: gone.url, events: ['output.completed', 'export.completed'] })).status,
    200,
  );
  await service.exports.complete(two, 'preset_one', VIDEO);
  const state = async () => (await (await fetch(`${service.base}/webhooks/shop`)).json()) as Webhook;
  await seen('it is disabled', async () => !(await state()).enabled);
  assert.equal((await state()).disabled_reason, 'the receiver responded 410');
  assert.deepEqual(await deliveriesOf(service, two), [
    ['output.completed.preset_one', 'shop', 'given_up'],
    ['completed', 'shop', 'dropped'],
  ]);
  assert.deepEqual(
    (await deliveriesOf(service, one)).map(([, , one]) => one),
    ['dropped', 'dropped'],
    'those of other exports, too',
  );
  await service.exports.complete(two, 'preset_two', VIDEO);
  assert.equal((await deliveriesOf(service, two)).length, 2, 'later events are not meant for it');
  const resend = () => fetch(`${service.base}/events/${two}.completed/deliveries`, { method: 'POST' });
  assert.equal((await problemOf(await resend(), 409)).code, 'webhook.disabled');
  assert.equal(gone.got.length, 1);

  const back = (await (await put(service, 'shop', { url: gone.url })).json()) as Webhook;
  assert.deepEqual([back.enabled, back.disabled_reason, back.secret], [true, null, undefined]);
  assert.equal((await resend()).status, 200);
  assert.equal(gone.got.length, 2);

  assert.equal((await fetch(`${service.base}/webhooks/shop`, { method: 'DELETE' })).status, 204);
  assert.equal((await problemOf(await fetch(`${service.base}/webhooks/shop`), 404)).code, 'webhook.unknown');
  assert.equal(
    (await problemOf(await fetch(`${service.base}/webhooks/shop`, { method: 'DELETE' }), 404)).code,
    'webhook.unknown',
  );
});

test('[C96, C70, H20] hostile names, members and addresses are refused, and ten webhooks are the most', async (t) => {
  const service = await serve(t, {}, { allowPrivateCallbacks: false });
  const url = 'https://shop.example.com/hook';
  for (const [settings, path, code] of [
    [{}, '/url', 'field.required'],
    [{ url: 7 }, '/url', 'field.type'],
    [{ url: 'http://127.0.0.1/' }, '/url', 'callback.invalid'],
    [{ url: 'https://169.254.169.254/' }, '/url', 'callback.invalid'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, '/url', 'callback.invalid'],
    [{ url: 'https://user:secret@example.com/' }, '/url', 'callback.invalid'],
    [{ url, events: ['export.done'] }, '/events/0', 'field.choice'],
    [{ url, events: 'export.completed' }, '/events', 'field.type'],
    [{ url, secret: 'my secret' }, '/secret', 'field.format'],
    [{ url, secret: null }, '/secret', 'field.format'],
    [{ url, enabled: 'yes' }, '/enabled', 'field.type'],
    [{ url, event: [] }, '/event', 'field.unknown'],
    [{ url, __proto__x: 1 }, '/__proto__x', 'field.unknown'],
  ] as const) {
    const { errors } = await problemOf(await put(service, 'shop', settings), 422);
    assert.deepEqual([errors[0]!.path, errors[0]!.code], [path, code], JSON.stringify(settings));
    assert.ok(!JSON.stringify(errors).includes('my secret'));
  }
  for (const name of ['Shop', 'a b', '-x', '%00', 'x'.repeat(65), "'--", '..%2f..'])
    assert.equal(
      (await problemOf(await put(service, encodeURIComponent(name), { url }), 400)).code,
      'webhook.address',
      name,
    );
  const events = Array(300).fill('export.completed');
  assert.equal((await put(service, 'shop', { url, events })).status >= 400, true, 'a body of 4 KiB');
  const plain = await fetch(`${service.base}/webhooks/shop`, { method: 'PUT', body: '{}' });
  assert.equal(plain.status, 415);
  const { max_webhooks: most } = (await (await fetch(`${service.base}/limits`)).json()) as { max_webhooks: number };
  for (let n = 0; n < most; n += 1) assert.equal((await put(service, `shop-${n}`, { url })).status, 201);
  const full = await put(service, 'another', { url });
  assert.equal(full.headers.get('retry-after'), null);
  assert.equal((await problemOf(full, 409)).code, 'webhook.too_many');
  assert.equal((await put(service, 'shop-0', { url, enabled: false })).status, 200);
});
