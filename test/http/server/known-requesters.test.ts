import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleParts, postForm, problemOf, rawConnection, type Service, serve } from '../serve.ts';

const KEYS = [{ tenant: 'ann', key: 'key-of-ann' }];

/** The status of a request under a name, and the code of its problem. */
async function asked(service: Service, host: string, path = '/limits'): Promise<string> {
  const { socket, all } = rawConnection(service);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const answer = await all;
  return `${/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]} ${/"code":"([^"]+)"/.exec(answer)?.[1] ?? ''}`.trim();
}

test('[C50] without keys a host name must be known; addresses and loopback names are', async (t) => {
  const service = await serve(t, { hosts: ['studio.example'] });
  for (const host of [
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    'a.localhost:1',
    '127.0.0.1:8080',
    '192.0.2.7',
    '[::1]:8080',
    'studio.example',
    'Studio.Example:443',
  ]) {
    assert.equal(await asked(service, host), '200', host);
  }
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    'studio.example.evil.example',
    '127.0.0.1.evil.example',
    'x',
  ]) {
    assert.equal(await asked(service, host), '403 request.unknown_host', host);
    assert.equal(await asked(service, host, '/'), '403 request.unknown_host', host);
  }
  assert.equal(await asked(service, 'balancer.internal', '/healthz'), '200');
  assert.equal(await asked(service, 'balancer.internal', '/readyz'), '200');
});

test('[C50] with keys any host name is accepted: the key identifies the client', async (t) => {
  const service = await serve(t, { apiKeys: KEYS });
  assert.equal(await asked(service, 'whatever.example'), '200');
});

test('[C50] a page of another origin cannot change anything, whatever it posts', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = Buffer.from('x');
  const made = (await (await postForm(service)).json()) as { export_id: string };
  const strangers: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://127.0.0.1' },
    { origin: service.base.replace('http:', 'https:') },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'nonsense' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of strangers) {
    const what = JSON.stringify(headers);
    for (const path of ['/video/exports', '/video/exports/validate']) {
      const refused = await problemOf(await postForm(service, exampleParts(), headers, path), 403);
      assert.equal(refused.code, 'request.cross_site', what);
    }
    const url = `${service.base}/video/exports/${made.export_id}`;
    assert.equal((await fetch(url, { method: 'DELETE', headers })).status, 403, what);
    assert.equal((await fetch(url, { headers })).status, 200, what);
  }
  assert.equal(service.exports.made, 1);
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C50] our own pages, allowed origins and clients that are not browsers may change data', async (t) => {
  const service = await serve(t, {
    corsOrigins: ['https://studio.example'],
    hosts: ['tiercut.example', 'tiercut.example:8081'],
  });
  service.exports.renderWith = Buffer.from('x');
  const friends: readonly Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: service.base, 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://studio.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://tiercut.example', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://tiercut.example:8081', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of friends) {
    assert.equal((await postForm(service, exampleParts(), headers)).status, 201, JSON.stringify(headers));
  }
  const open = await serve(t, { corsOrigins: ['*'] });
  open.exports.renderWith = Buffer.from('x');
  assert.equal((await postForm(open, exampleParts(), { origin: 'https://anyone.example' })).status, 201);
});

test('[C50] behind a trusted proxy its requested origin is ours; an untrusted client cannot claim it', async (t) => {
  const forwarded = { 'x-forwarded-host': 'pub.example', 'x-forwarded-proto': 'https' };
  const trusting = await serve(t, { trustProxy: 1, hosts: ['named.example'] });
  trusting.exports.renderWith = Buffer.from('x');
  const status = async (service: Service, headers: Record<string, string>) =>
    (await postForm(service, exampleParts(), headers)).status;
  assert.equal(await status(trusting, { ...forwarded, origin: 'https://pub.example' }), 201);
  assert.equal(await status(trusting, { ...forwarded, origin: 'https://named.example' }), 201);
  assert.equal(await status(trusting, { ...forwarded, origin: 'http://pub.example' }), 403);
  assert.equal(await status(trusting, { ...forwarded, origin: 'https://pub.example:444' }), 403);
  assert.equal(await status(trusting, { ...forwarded, origin: 'https://named.example:444' }), 403);
  const direct = await serve(t, { hosts: ['named.example'] });
  assert.equal(await status(direct, { ...forwarded, origin: 'https://pub.example' }), 403);
  assert.equal(await status(direct, { ...forwarded, origin: 'https://named.example' }), 403);
});

test('[C50] with a public address, only pages of that origin are ours', async (t) => {
  const service = await serve(t, { publicUrl: 'https://pub.example/video-service' });
  service.exports.renderWith = Buffer.from('x');
  const status = async (origin: string) => (await postForm(service, exampleParts(), { origin })).status;
  assert.equal(await status('https://pub.example'), 201);
  for (const origin of ['http://pub.example', 'https://pub.example:444', service.base]) {
    assert.equal(await status(origin), 403, origin);
  }
});

test('[C33] two Host headers are refused, because a proxy may have used the other one', async (t) => {
  const service = await serve(t);
  const { socket, all } = rawConnection(service);
  socket.write('GET /limits HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const answer = await all;
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, /"code":"request\.host_repeated"/);
});
