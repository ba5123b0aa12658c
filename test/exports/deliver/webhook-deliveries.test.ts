import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { seen } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };
const SLOW_ANSWER_MS = 50;

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** An export that its own client cancels immediately, so that a webhook is due. */
async function ended(exports: ExportsFixture, callbackUrl: string | null, tenant = 'default'): Promise<string> {
  const { id } = await exports.api.submit(exports.submission(TEXT_ONLY, {}, { callbackUrl, tenant }), uncancelled);
  assert.ok(await exports.api.remove(tenant, id));
  return id;
}

test('[C37] a receiver that never responds delays no other, and gets few connections at a time', async (t) => {
  let held = 0;
  const tarpit = await listen(t, () => {
    held += 1;
  });
  const reported: string[] = [];
  const hook = await listen(t, (request, response) => {
    reported.push(String(request.headers['webhook-id']));
    response.end();
  });
  await using exports = await ExportsFixture.open();
  for (let n = 0; n < 6; n++) await ended(exports, tarpit);
  await seen('the tarpit is met', async () => held > 0);
  const first = await ended(exports, hook);
  const second = await ended(exports, hook);
  await seen('both webhooks are delivered', async () => reported.length === 2, 10);
  assert.deepEqual(reported.toSorted(), [`${first}.cancelled`, `${second}.cancelled`].toSorted());
  assert.equal(held, 4);
});

test('[C41] webhooks are signed with the secret of the tenant, with both during a rotation', async (t) => {
  const reported: { headers: IncomingHttpHeaders; body: string }[] = [];
  const hook = await listen(t, async (request, response) => {
    reported.push({ headers: request.headers, body: (await request.toArray()).join('') });
    response.end();
  });
  const written = (secret: string) => `whsec_${Buffer.from(secret).toString('base64')}`;
  const webhookSecrets = [
    { tenant: 'alice', secret: written('the secret of alice') },
    { tenant: 'carol', secret: written('the old secret of carol') },
    { tenant: 'carol', secret: written('the new secret of carol') },
  ];
  await using exports = await ExportsFixture.open({ webhookSecret: written('the shared secret'), webhookSecrets });
  for (const [tenant, ...secrets] of [
    ['alice', 'the secret of alice'],
    ['bob', 'the shared secret'],
    ['carol', 'the old secret of carol', 'the new secret of carol'],
  ] as const) {
    await ended(exports, hook, tenant);
    await seen(`${tenant} receives its webhook`, async () => reported.length === 1);
    const { headers, body } = reported.pop()!;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
    assert.equal(headers['webhook-signature'], signatures.join(' '));
  }
});

test('[C41] deliveries are kept; a manual retry is one try, which does not change the schedule unless it succeeds', async (t) => {
  const answers = [500, 503];
  const reported: string[] = [];
  const hook = await listen(t, (request, response) => {
    reported.push(String(request.headers['webhook-id']));
    response.statusCode = answers.shift() ?? 204;
    if (reported.length === 1) setTimeout(() => response.end(), SLOW_ANSWER_MS);
    else response.end();
  });
  // The clock does not move, so no try becomes due by itself.
  const nowMs = Date.now();
  await using exports = await ExportsFixture.open({ prerender: 'selected' }, undefined, () => ({ now: () => nowMs }));
  const { api } = exports;
  const submit = (callbackUrl: string | null) =>
    api.submit(exports.submission(TEXT_ONLY, {}, { callbackUrl }), uncancelled).then(({ id }) => id);
  const [id, silent] = [await submit(`${hook}?token=secret`), await submit(null)];
  assert.deepEqual(await api.deliveries(id), { state: 'none', nextAtMs: null, attempts: [] });
  await assert.rejects(api.redeliver(id, uncancelled), { code: 'callback.not_due' });
  await assert.rejects(api.redeliver(silent, uncancelled), { code: 'callback.none' });

  exports.startWorker();
  await Array.fromAsync(api.follow(id, uncancelled));
  await seen('it was tried', async () => (await api.deliveries(id)).attempts.length === 1);
  const first = await api.deliveries(id);
  assert.equal(first.state, 'pending');
  assert.equal(first.nextAtMs, nowMs + 5000);
  const [failed] = first.attempts;
  assert.deepEqual([failed!.delivered, failed!.status, failed!.reason], [false, 500, 'the receiver responded 500']);
  assert.equal(failed!.atMs, nowMs);
  // Node's timers may fire a millisecond early.
  assert.ok(failed!.durationMs >= SLOW_ANSWER_MS - 2, `${failed!.durationMs} ms`);

  const again = await api.redeliver(id, uncancelled);
  assert.deepEqual([again.state, again.nextAtMs], ['pending', first.nextAtMs], 'the next try stays where it was');
  assert.deepEqual(
    again.attempts.map(({ status }) => status),
    [503, 500],
    'the last first',
  );

  const delivered = await api.redeliver(id, uncancelled);
  assert.deepEqual([delivered.state, delivered.nextAtMs], ['delivered', null]);
  assert.deepEqual(delivered.attempts.map(({ status, reason }) => [status, reason])[0], [204, null]);
  assert.deepEqual(reported, Array(3).fill(`${id}.completed`), 'the same message, for the receiver to know it');
  assert.doesNotMatch(JSON.stringify(delivered), /token|secret/);

  // Two at once take turns, or one is asked to retry: the same message is never sent in parallel.
  const outcomes = await Promise.allSettled([api.redeliver(id, uncancelled), api.redeliver(id, uncancelled)]);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(reported.length, 5 - refused.length);
  for (let n = 0; n < 60; n++) await api.redeliver(id, uncancelled);
  assert.equal((await api.deliveries(id)).attempts.length, 50, 'not without end');
  await api.remove('default', id);
  const rows = await exports.ports.database.query('select * from deliveries where export_id = $1', [id]);
  assert.deepEqual(rows, [], 'they go with their export');
});

test('[C96, C37] a late 410 of the old address of a registered webhook does not disable its new one', async (t) => {
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  const old = await listen(t, async (_, response) => {
    asked += 1;
    await answer.promise;
    response.writeHead(410).end();
  });
  const reported: string[] = [];
  const hook = await listen(t, (request, response) => {
    reported.push(String(request.headers['webhook-id']));
    response.end();
  });
  await using exports = await ExportsFixture.open();
  const { api } = exports;
  const events = ['export.cancelled'];
  await api.webhooks.put('default', 'shop', { url: old, events });
  const first = await ended(exports, null);
  await seen('the try', () => asked === 1);
  await api.webhooks.put('default', 'shop', { url: hook, events });
  answer.resolve();
  const delivery = await seen('its end', async () => {
    const query = { exportId: first, type: null, limit: 10, after: null } as const;
    const [event] = (await api.events.list('default', query)).events;
    return event!.deliveries.find(({ attempts }) => attempts > 0);
  });
  assert.equal(delivery.state, 'pending', 'the next try goes to the new address');
  assert.equal((await api.webhooks.find('default', 'shop'))?.enabled, true);
  const second = await ended(exports, null);
  await seen('an event at the new address', () => reported.includes(`${second}.cancelled`));
});
