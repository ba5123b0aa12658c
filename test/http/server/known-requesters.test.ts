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

test('[C50] without keys a Host that is a name must be known; addresses and loopback names are', async (t) => {
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

test('[C50] with keys any name will do: the key says who asks', async (t) => {
  const service = await serve(t, { apiKeys: KEYS });
  assert.equal(await asked(service, 'whatever.example'), '200');
});

test('[C50] a page of another origin changes nothing, whatever it posts', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = Buffer.from('x');
  const made = (await (await postForm(service)).json()) as { export_id: string };
  const strangers: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:1' },
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
  assert.equal(service.exports.entries.size, 1);
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C50] our own pages, allowed origins and what is no browser may change things', async (t) => {
  const service = await serve(t, { corsOrigins: ['https://studio.example'], hosts: ['tiercut.example'] });
  service.exports.renderWith = Buffer.from('x');
  const friends: readonly Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: service.base, 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://studio.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://tiercut.example', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of friends) {
    assert.equal((await postForm(service, exampleParts(), headers)).status, 201, JSON.stringify(headers));
  }
  const open = await serve(t, { corsOrigins: ['*'] });
  open.exports.renderWith = Buffer.from('x');
  assert.equal((await postForm(open, exampleParts(), { origin: 'https://anyone.example' })).status, 201);
});

test('[C50] behind a trusted proxy the name it was asked under is ours; a stranger cannot say so', async (t) => {
  const forwarded = { origin: 'https://pub.example', 'x-forwarded-host': 'pub.example' };
  const trusting = await serve(t, { trustProxy: 1 });
  trusting.exports.renderWith = Buffer.from('x');
  assert.equal((await postForm(trusting, exampleParts(), forwarded)).status, 201);
  const direct = await serve(t);
  assert.equal((await postForm(direct, exampleParts(), forwarded)).status, 403);
});
