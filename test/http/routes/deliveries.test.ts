import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { exampleParts, postForm, problemOf, serve } from '../serve.ts';

test("[C41] deliveries are listed and retried over HTTP, by the export's own tenant", async (t) => {
  const keys = ['ann', 'bob'].map((tenant) => ({ tenant, key: `key-of-${tenant}` }));
  const service = await serve(t, { apiKeys: keys });
  const [ann, bob] = keys.map(({ key }) => ({ 'x-api-key': key }));
  const make = async (...parts: { name: string; content: string }[]) => {
    const reply = await postForm(service, [...parts, ...exampleParts()], { ...ann!, prefer: 'respond-async' });
    return `${service.base}${reply.headers.get('location')}/deliveries`;
  };
  const receiver = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
  t.after(() => receiver.close());
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const reported = await make({ name: 'callback_url', content: `http://127.0.0.1:${port}/?token=secret` });
  const received = once(receiver, 'request');
  await service.exports.complete(service.exports.onlyId, 'preset_one', Buffer.from('x'));
  await received;
  const sent = await fetch(reported, { method: 'POST', headers: ann! });
  const body = (await sent.json()) as Record<string, unknown> & { deliveries: Record<string, unknown>[] };
  assert.deepEqual([body.ok, body.callback_state, body.next_attempt_at], [true, 'delivered', null]);
  assert.equal(body.deliveries.length, 2, 'by itself, and again as asked');
  for (const { at, duration, ...delivery } of body.deliveries) {
    const event = { event_id: `${service.exports.onlyId}.completed`, webhook: null, type: 'export.completed' };
    assert.deepEqual(delivery, { ...event, outcome: 'delivered', status: 204, detail: null });
    assert.ok(Math.abs(Date.now() - Date.parse(String(at))) < 60_000 && Number(duration) > 0);
  }
  assert.deepEqual(await (await fetch(reported, { headers: ann! })).json(), body);
  assert.doesNotMatch(JSON.stringify(body), /secret|127\.0\.0\.1/);
  for (const method of ['GET', 'POST']) {
    assert.equal((await problemOf(await fetch(reported, { method, headers: bob! }), 404)).code, 'export.unknown');
    await problemOf(await fetch(reported, { method }), 401);
  }
  const nobody = await fetch(await make(), { method: 'POST', headers: ann! });
  assert.equal((await problemOf(nobody, 422)).code, 'callback.none');
});

test('[C41] with a public address, Location is absolute, and metadata stay unchanged', async (t) => {
  const service = await serve(t, { publicUrl: 'https://videos.example.com', waitLimitSeconds: 0.01 });
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  const { links, downloads } = (await reply.json()) as { links: { self: string }; downloads: { preset_one: string } };
  assert.equal(reply.headers.get('location'), `https://videos.example.com${links.self}`);
  assert.match(links.self, /^\/video\/exports\//);
  const later = await fetch(`${service.base}${downloads.preset_one}?inline`, { redirect: 'manual' });
  assert.deepEqual(
    [later.status, later.headers.get('location')],
    [307, `https://videos.example.com${downloads.preset_one}?inline`],
  );
});
