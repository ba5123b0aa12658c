import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleParts, postForm, problemOf, serve } from '../serve.ts';

test('[C41] deliveries are listed and asked for over HTTP, by the export’s own tenant', async (t) => {
  const keys = ['ann', 'bob'].map((tenant) => ({ tenant, key: `key-of-${tenant}` }));
  const service = await serve(t, { apiKeys: keys });
  const [ann, bob] = keys.map(({ key }) => ({ 'x-api-key': key }));
  const make = async (...parts: { name: string; content: string }[]) => {
    const reply = await postForm(service, [...parts, ...exampleParts()], { ...ann!, prefer: 'respond-async' });
    return `${service.base}${reply.headers.get('location')}/deliveries`;
  };
  const told = await make({ name: 'callback_url', content: 'https://example.com/?token=secret' });
  const sent = await fetch(told, { method: 'POST', headers: ann! });
  const delivery = { at: '2026-01-02T00:00:00.000Z', duration: 0.012, outcome: 'delivered', status: 204, detail: null };
  const body = (await sent.json()) as Record<string, unknown>;
  assert.deepEqual(
    [body.ok, body.callback_state, body.next_attempt_at, body.deliveries],
    [true, 'delivered', null, [delivery]],
  );
  assert.deepEqual(await (await fetch(told, { headers: ann! })).json(), body);
  assert.doesNotMatch(JSON.stringify(body), /secret|example\.com/);
  for (const method of ['GET', 'POST']) {
    assert.equal((await problemOf(await fetch(told, { method, headers: bob! }), 404)).code, 'export.unknown');
    await problemOf(await fetch(told, { method }), 401);
  }
  const nobody = await fetch(await make(), { method: 'POST', headers: ann! });
  assert.equal((await problemOf(nobody, 422)).code, 'callback.none');
});

test('[C41] with a public address, Location is absolute, and metadata stay as they are', async (t) => {
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
