import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyRing } from '../../../src/http/server/identify.ts';
import { exampleParts, postForm, problemOf, serve } from '../serve.ts';

const [READ, RENDER, OPERATE, ALL] = ['read', 'render', 'operate', 'all-of'].map(
  (name) => `key-to-${name}-1234567`,
) as [string, string, string, string];
const KEYS = [
  { tenant: 'ann', key: READ, scopes: ['read'] },
  { tenant: 'ann', key: RENDER, scopes: ['render'] },
  { tenant: 'ann', key: OPERATE, scopes: ['operate'] },
  { tenant: 'ann', key: ALL },
] as const;

test('[C95] a key does what its scopes allow, in a header and in a session; a lack is 403 and names the scope', async (t) => {
  const service = await serve(t, { apiKeys: KEYS, metricsKey: null });
  const of = (key: string) => ({ 'x-api-key': key });
  const create = (headers: Record<string, string>) =>
    postForm(service, exampleParts(), { prefer: 'respond-async', ...headers });
  const get = (path: string, headers: Record<string, string>) => fetch(service.base + path, { headers });
  const made = await create(of(RENDER));
  assert.equal(made.status, 202);
  const path = made.headers.get('location')!;
  assert.equal((await create(of(ALL))).status, 202);
  for (const key of [READ, RENDER, ALL]) assert.equal((await get(path, of(key))).status, 200, key);
  for (const [reply, scope] of [
    [await create(of(READ)), 'render'],
    [await fetch(service.base + path, { method: 'DELETE', headers: of(READ) }), 'render'],
    [await create(of(OPERATE)), 'render'],
    [await get('/video/exports', of(OPERATE)), 'read'],
    [await get(path, of(OPERATE)), 'read'],
  ] as const) {
    const { code, detail } = await problemOf(reply, 403);
    assert.equal(code, 'auth.scope');
    assert.match(String(detail), new RegExp(`scope ${scope}`));
  }
  assert.equal((await problemOf(await get(path, {}), 401)).code, 'auth.required');
  for (const [key, status] of [
    [OPERATE, 200],
    [ALL, 401],
    [RENDER, 401],
  ] as const)
    assert.equal((await get('/metrics', of(key))).status, status, key);

  const opened = await fetch(`${service.base}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.base },
    body: JSON.stringify({ key: READ }),
  });
  const cookie = { cookie: opened.headers.get('set-cookie')!.split(';')[0]!, origin: service.base };
  assert.equal((await get(path, cookie)).status, 200);
  assert.equal((await problemOf(await create(cookie), 403)).code, 'auth.scope');
});

test('[C95] keys can be replaced while the service runs: removed ones and their sessions end at once', async (t) => {
  const ring = new KeyRing(KEYS);
  const service = await serve(t, { apiKeys: KEYS }, {}, { ring });
  const list = (headers: Record<string, string>) => fetch(`${service.base}/video/exports`, { headers });
  const opened = await fetch(`${service.base}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.base },
    body: JSON.stringify({ key: ALL }),
  });
  const cookie = { cookie: opened.headers.get('set-cookie')!.split(';')[0]! };
  assert.deepEqual([(await list({ 'x-api-key': ALL })).status, (await list(cookie)).status], [200, 200]);
  ring.replace([{ tenant: 'ann', key: 'a-new-key-of-ann-12' }]);
  assert.deepEqual([(await list({ 'x-api-key': ALL })).status, (await list(cookie)).status], [401, 401]);
  assert.equal((await list({ 'x-api-key': 'a-new-key-of-ann-12' })).status, 200);
});
