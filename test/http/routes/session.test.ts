import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpConfig } from '../../../src/http/server/http-config.ts';
import { KeyRing, Sessions } from '../../../src/http/server/identify.ts';
import { exampleParts, postForm, problemOf, rawConnection, type Service, serve } from '../serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567' },
  { tenant: 'bob', key: 'key-of-bob-1234567' },
];
const ANN = { 'x-api-key': KEYS[0]!.key };

function serveWithKeys(t: Parameters<typeof serve>[0], other: Partial<HttpConfig> = {}): Promise<Service> {
  return serve(t, { apiKeys: KEYS, ...other });
}

function open(
  { base }: Service,
  body: object | string | null,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${base}/session`, {
    method: 'POST',
    headers: { ...(typeof body === 'object' && body !== null && { 'content-type': 'application/json' }), ...headers },
    body: typeof body === 'string' ? body : body && JSON.stringify(body),
    redirect: 'manual',
  });
}

/** The cookies that a browser sends back. */
function cookieOf(reply: Response): { cookie: string } {
  return { cookie: reply.headers.get('set-cookie')!.split(';')[0]! };
}

test('[C51] a key opens a session cookie that works on every route until sign-out', async (t) => {
  const service = await serveWithKeys(t);
  const made = await postForm(service, exampleParts(), { ...ANN, prefer: 'respond-async' });
  const path = made.headers.get('location')!;
  const opened = await open(service, { key: KEYS[0]!.key });
  assert.equal(opened.status, 200);
  const { ok, tenant, expires_at } = (await opened.json()) as { ok: boolean; tenant: string; expires_at: string };
  assert.deepEqual([ok, tenant], [true, 'ann']);
  const lasts = (Date.parse(expires_at) - Date.now()) / 1000;
  assert.ok(lasts > 3590 && lasts <= 3600, `${lasts}`);
  assert.match(
    opened.headers.get('set-cookie')!,
    /^tiercut_session=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/,
  );
  assert.equal(opened.headers.get('cache-control'), 'no-store');
  const cookie = cookieOf(opened);
  assert.doesNotMatch(cookie.cookie, /key-of-ann/);

  const ask = (address: string, headers: Record<string, string>, method = 'GET') =>
    fetch(`${service.base}${address}`, { method, headers });
  for (const address of ['/video/exports', path, `${path}/deliveries`]) {
    assert.equal((await ask(address, cookie)).status, 200, address);
    await problemOf(await ask(address, {}), 401);
  }
  await service.exports.complete(path.split('/').at(-1)!, 'preset_one', Buffer.from('x'));
  assert.equal((await ask(`${path}/chapters`, cookie)).status, 200);
  const stream = await ask(`${path}/events`, { ...cookie, accept: 'text/event-stream' });
  assert.equal(stream.status, 200, 'an EventSource sends cookies and no other proof');
  await stream.body!.cancel();
  assert.equal((await postForm(service, exampleParts(), { ...cookie, prefer: 'respond-async' })).status, 202);
  await problemOf(await ask('/metrics', cookie), 401);

  const bobs = cookieOf(await open(service, null, { authorization: `Bearer ${KEYS[1]!.key}` }));
  await problemOf(await ask(path, bobs), 404);
  await problemOf(await ask(path, { ...cookie, 'x-api-key': 'wrong' }), 401);
  const other = cookieOf(await open(service, { key: KEYS[0]!.key }));

  const ended = await ask('/session', cookie, 'DELETE');
  assert.equal(ended.status, 204);
  assert.match(ended.headers.get('set-cookie')!, /^tiercut_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/);
  await problemOf(await ask(path, cookie), 401);
  assert.equal((await ask(path, other)).status, 200, 'only the one that was ended');
  assert.equal((await ask('/session', {}, 'DELETE')).status, 204, 'nothing to end is no fault');
});

test('[C51] a session is invalid without its key, after its expiry, or with one letter changed', async () => {
  const ended = { add: async () => undefined, has: async () => false };
  const sessions = new Sessions(new KeyRing(KEYS), ended, 60);
  const { token, session } = sessions.open(KEYS[0]!.key);
  assert.deepEqual(await sessions.find(token), session);
  assert.deepEqual(
    await new Sessions(new KeyRing(KEYS), ended, 60).find(token),
    session,
    'another start of the service',
  );
  assert.equal(await new Sessions(new KeyRing([KEYS[1]!]), ended, 60).find(token), null, 'the key was taken out');
  const renewed = [{ tenant: 'ann', key: 'another-key-of-ann' }, KEYS[1]!];
  assert.equal(await new Sessions(new KeyRing(renewed), ended, 60).find(token), null, 'the key was changed');
  assert.equal(await new Sessions(new KeyRing([]), ended, 60).find(token), null);
  const [expires, id, mac] = token.split('.') as [string, string, string];
  const forged = [
    `${Number(expires) + 1}.${id}.${mac}`,
    `${expires}.${id.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}.${mac}`,
  ];
  for (const wrong of [...forged, `${expires}.${id}.${'A'.repeat(43)}`, `${token}x`, '', 'x', '..', null]) {
    assert.equal(await sessions.find(wrong), null, String(wrong));
  }
  assert.equal(
    await new Sessions(new KeyRing(KEYS), ended, 0).find(
      new Sessions(new KeyRing(KEYS), ended, 0).open(KEYS[0]!.key).token,
    ),
    null,
  );
});

test('[C51] under TLS the cookie is Secure and bound to its host: through a trusted proxy, or by the public address', async (t) => {
  const key = { key: KEYS[0]!.key };
  const secure = /^__Host-tiercut_session=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure$/;
  const proxied = await serveWithKeys(t, { trustProxy: 1 });
  const reply = await open(proxied, key, { 'x-forwarded-proto': 'https' });
  assert.match(reply.headers.get('set-cookie')!, secure);
  const list = (headers: Record<string, string>) => fetch(`${proxied.base}/video/exports`, { headers });
  assert.equal((await list({ ...cookieOf(reply), 'x-forwarded-proto': 'https' })).status, 200);
  assert.equal((await list(cookieOf(reply))).status, 401, 'not over plain HTTP');
  const plain = cookieOf(await open(proxied, key));
  assert.equal((await list({ ...plain, 'x-forwarded-proto': 'https' })).status, 401, 'another host could have set it');

  const stranger = await open(await serveWithKeys(t), key, { 'x-forwarded-proto': 'https' });
  assert.doesNotMatch(stranger.headers.get('set-cookie')!, /Secure/);
  const known = await serveWithKeys(t, { publicUrl: 'https://videos.example.com' });
  const { socket, all } = rawConnection(known);
  const head = `POST /session HTTP/1.1\r\nHost: videos.example.com\r\nX-Api-Key: ${key.key}\r\nConnection: close\r\n\r\n`;
  socket.write(head);
  assert.match(/^set-cookie: (.*)$/m.exec((await all).replaceAll('\r', ''))![1]!, secure);
});

test('[C51] pages of other origins can neither open a session nor use one, not even allowed origins', async (t) => {
  const service = await serveWithKeys(t, { corsOrigins: ['*'] });
  const cookie = cookieOf(await open(service, { key: KEYS[0]!.key }));
  const post = (headers: Record<string, string>) =>
    postForm(service, exampleParts(), { prefer: 'respond-async', ...headers });
  const strange = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'same-site' };
  await problemOf(await post({ ...cookie, ...strange }), 401);
  assert.equal((await post({ ...ANN, ...strange })).status, 202, 'with a key of its own it may');
  assert.equal((await post({ ...cookie, origin: service.base, 'sec-fetch-site': 'same-origin' })).status, 202);
  await problemOf(await post({ ...cookie, 'sec-fetch-site': 'cross-site' }), 401);
  const list = await fetch(`${service.base}/video/exports`, { headers: { ...cookie, ...strange } });
  assert.equal(
    list.headers.get('access-control-allow-credentials'),
    null,
    'and what it reads with it no page gets to see',
  );

  const strict = await serveWithKeys(t);
  const forced = await open(strict, { key: KEYS[0]!.key }, { origin: 'https://elsewhere.example' });
  assert.equal((await problemOf(forced, 403)).code, 'request.cross_site');
});

test('[C51] a wrong key is 401, and counts against its address like any other; a malformed request is an error', async (t) => {
  const service = await serveWithKeys(t, { requestsPerMinute: 6 });
  for (const body of [{ key: 'wrong' }, { key: '' }, null]) await problemOf(await open(service, body), 401);
  assert.deepEqual((await problemOf(await open(service, { kee: 'x' }), 422)).code, 'field.required');
  await problemOf(await open(service, 'nonsense'), 400);
  await problemOf(await open(service, { key: 'x'.repeat(5000) }), 413);
  const over = await open(service, { key: KEYS[0]!.key });
  assert.equal(
    (await problemOf(over, 429)).code,
    'rate.exceeded',
    'a client that guesses keys is limited, also with the right key',
  );
});

test('[C51] a form without scripts is redirected only within the site; without keys there is no session to open', async (t) => {
  const service = await serveWithKeys(t);
  const form = (to: string) =>
    open(service, new URLSearchParams({ key: KEYS[0]!.key, to }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
    });
  const led = await form('/video/exports/x');
  assert.deepEqual([led.status, led.headers.get('location')], [303, '/video/exports/x']);
  assert.match(led.headers.get('set-cookie')!, /^tiercut_session=\d/);
  for (const to of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example', '', 'x', '/a\r\nb']) {
    assert.equal((await form(to)).headers.get('location'), '/', to);
  }
  const keyless = await serve(t);
  const nothing = await open(keyless, { key: 'whatever' });
  assert.deepEqual(await nothing.json(), { ok: true, tenant: 'default', expires_at: null });
  assert.equal(nothing.headers.get('set-cookie'), null);
});
