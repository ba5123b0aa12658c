import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpConfig } from '../../../src/http/server/http-config.ts';
import { problemOf, type Service, serve } from '../serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann' },
  { tenant: 'bob', key: 'key-of-bob' },
];
const UNKNOWN = '/video/exports/6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';

/** The statuses of requests one after the other. */
async function statuses({ base }: Service, count: number, headers: (n: number) => Record<string, string>) {
  const seen: number[] = [];
  for (let n = 0; n < count; n += 1) seen.push((await fetch(`${base}${UNKNOWN}`, { headers: headers(n) })).status);
  return seen;
}

test('[C33, H22] wrong keys are counted by address, and get 429 instead of 401', async (t) => {
  const service = await serve(t, { requestsPerMinute: 3, apiKeys: KEYS });
  const wrong = (n: number) => ({ authorization: `Bearer wrong-${n}` });
  for (const path of [UNKNOWN, `${UNKNOWN}/events`, '/metrics']) {
    await fetch(`${service.base}${path}`, { headers: wrong(0) });
  }
  for (const [method, path] of [
    ['GET', `${UNKNOWN}/chapters`],
    ['DELETE', UNKNOWN],
    ['POST', '/video/exports'],
  ]) {
    const reply = await fetch(`${service.base}${path}`, { method, headers: wrong(1) } as RequestInit);
    assert.equal((await problemOf(reply, 429)).code, 'rate.exceeded', path);
  }
  assert.deepEqual(await statuses(service, 2, () => ({ 'x-api-key': 'key-of-ann' })), [404, 404]);
});

test('[H22] responses say how much of the limit is left, and pages of other origins may read it', async (t) => {
  const service = await serve(t, { requestsPerMinute: 2, corsOrigins: ['https://app.example'] });
  const headers = { origin: 'https://app.example' };
  const left: (string | null)[] = [];
  for (let n = 0; n < 3; n += 1) {
    const reply = await fetch(`${service.base}${UNKNOWN}`, { headers });
    left.push(reply.headers.get('x-ratelimit-remaining'));
    assert.equal(reply.headers.get('x-ratelimit-limit'), '2');
    assert.match(reply.headers.get('x-ratelimit-reset')!, /^(?:[1-9]|[1-5]\d|60)$/);
    assert.equal(reply.headers.has('retry-after'), n === 2);
    for (const name of ['Limit', 'Remaining', 'Reset']) {
      assert.ok(reply.headers.get('access-control-expose-headers')!.includes(`X-RateLimit-${name}`));
    }
    await reply.arrayBuffer();
  }
  assert.deepEqual(left, ['1', '0', '0']);
  const free = await fetch(`${service.base}/limits`, { headers });
  assert.deepEqual([free.status, free.headers.get('x-ratelimit-limit')], [200, null]);
});

test("[C91] a tenant's limit is its own, on one address and on routes that need no key", async (t) => {
  const service = await serve(t, { requestsPerMinute: 3, apiKeys: KEYS });
  const ann = () => ({ authorization: 'Bearer key-of-ann' });
  const bob = () => ({ authorization: 'Bearer key-of-bob' });
  assert.deepEqual(await statuses(service, 5, ann), [404, 404, 404, 429, 429]);
  assert.deepEqual(await statuses(service, 3, bob), [404, 404, 404]);
  assert.deepEqual(await statuses(service, 4, () => ({})), [401, 401, 401, 429]);
});

test('[H22] the client address comes from trusted proxies, not from the client', async (t) => {
  const forged = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}, 203.0.113.9` });
  const table: readonly [HttpConfig['trustProxy'], (n: number) => Record<string, string>, number[]][] = [
    // No proxy is trusted: one address, ours.
    [false, forged, [404, 404, 429]],
    // One proxy: the address it saw is rightmost.
    [1, forged, [404, 404, 429]],
    [['127.0.0.0/8'], forged, [404, 404, 429]],
    [1, (n) => ({ 'x-forwarded-for': `198.51.100.${n}` }), [404, 404, 404]],
    [['127.0.0.0/8'], (n) => ({ 'x-forwarded-for': `198.51.100.${n}` }), [404, 404, 404]],
    // Two proxies in a row: the inner one's word is the last but one.
    [2, forged, [404, 404, 404]],
    [['127.0.0.1', '203.0.113.0/24'], forged, [404, 404, 404]],
    // Not a trusted proxy: its header is ignored.
    [['10.0.0.0/8'], forged, [404, 404, 429]],
  ];
  for (const [trustProxy, headers, expected] of table) {
    const service = await serve(t, { requestsPerMinute: 2, trustProxy });
    assert.deepEqual(await statuses(service, 3, headers), expected, JSON.stringify(trustProxy));
  }
});
