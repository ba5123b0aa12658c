import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { startMetricsServer } from '../../src/http/server/metrics.ts';
import { formBody } from './form-body.ts';
import { createHead, exampleParts, postForm, problemOf, rawConnection, type Service, serve } from './serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann' },
  { tenant: 'bob', key: 'key-of-bob' },
];
const ANN = { authorization: 'Bearer key-of-ann' };
const BOB = { 'x-api-key': 'key-of-bob' };

test("[C33, H19] unknown, malformed, deleted and other tenants' ids get the same 404 on every route and method", async (t) => {
  const service = await serve(t, { apiKeys: KEYS });
  const made = async () => {
    const reply = await postForm(service, exampleParts(), { ...ANN, prefer: 'respond-async' });
    return ((await reply.json()) as { export_id: string }).export_id;
  };
  const anns = await made();
  const deleted = await made();
  const gone = await fetch(`${service.base}/video/exports/${deleted}`, { method: 'DELETE', headers: ANN });
  assert.equal(gone.status, 204);
  const ids = { never: '6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10', malformed: 'x', deleted, anns };
  const routes: readonly [string, string, boolean][] = [
    ['GET', '', true],
    ['DELETE', '', true],
    ['GET', '/events', true],
    ['GET', '/deliveries', true],
    ['GET', '/chapters', false],
    ['GET', '/poster', false],
    ['GET', '/download/preset_one', false],
    ['HEAD', '/download/preset_one', false],
    ['GET', '/nothing', false],
  ];
  const bodies = new Set<string>();
  for (const [method, route, keyed] of routes) {
    for (const [what, id] of Object.entries(ids)) {
      if (what === 'anns' && !keyed && route !== '/nothing') continue;
      const reply = await fetch(`${service.base}/video/exports/${id}${route}`, { method, headers: BOB });
      assert.equal(reply.status, 404, `${method} ${route} ${what}`);
      if (method !== 'HEAD') bodies.add(await reply.text());
    }
  }
  assert.equal(bodies.size, 1);
  const page = await fetch(`${service.base}/video/exports/${deleted}`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 404);
});

test('[C33] with keys, everything but downloads, posters, chapters, pages and health needs one', async (t) => {
  const service = await serve(t, { apiKeys: KEYS });
  service.exports.renderWith = Buffer.from('x');
  const reply = await postForm(service, exampleParts(), ANN);
  assert.equal(reply.status, 201);
  const { export_id: id } = (await reply.json()) as { export_id: string };
  const base = `/video/exports/${id}`;
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic a2V5' }, { 'x-api-key': '' }]) {
    for (const [method, path] of [
      ['GET', base],
      ['DELETE', base],
      ['GET', `${base}/events`],
      ['GET', `${base}/deliveries`],
      ['GET', '/metrics'],
    ] as const) {
      const refused = await fetch(`${service.base}${path}`, { method, headers });
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="tiercut"', `${method} ${path}`);
      assert.equal((await problemOf(refused, 401)).code, 'auth.required');
    }
    await problemOf(await postForm(service, exampleParts(), headers), 401);
  }
  for (const path of [
    `${base}/download/preset_one`,
    `${base}/poster`,
    `${base}/chapters`,
    '/',
    '/docs',
    '/docs/errors',
    '/limits',
    '/fonts',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/assets/export.js',
  ]) {
    const open = await fetch(`${service.base}${path}`);
    assert.equal(open.status, 200, path);
    await open.arrayBuffer();
  }
  const page = await fetch(`${service.base}${base}`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
});

test('[C33] 405 lists the allowed methods, unknown paths are 404, OPTIONS gets a response', async (t) => {
  const service = await serve(t);
  const table: readonly [string, string, string][] = [
    ['PUT', '/video/exports', 'GET, HEAD, POST'],
    ['POST', '/video/exports/some-id', 'DELETE, GET, HEAD'],
    ['PATCH', '/video/exports/some-id', 'DELETE, GET, HEAD'],
    ['DELETE', '/video/exports/some-id/download/preset_one', 'GET, HEAD'],
    ['POST', '/limits?x=1', 'GET, HEAD'],
    ['PROPFIND', '/limits', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of table) {
    const { socket, all } = rawConnection(service);
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = await all;
    assert.match(answer, /^HTTP\/1\.1 405 /, `${method} ${path}`);
    assert.ok(answer.includes(`\r\nallow: ${allow}\r\n`), answer);
    assert.match(answer, /request\.method/);
  }
  const options = await fetch(`${service.base}/video/exports`, { method: 'OPTIONS' });
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, POST']);
  assert.equal((await problemOf(await fetch(`${service.base}/nowhere`), 404)).code, 'request.unknown_address');
  assert.equal((await problemOf(await fetch(`${service.base}/assets/../app.ts`), 404)).code, 'request.unknown_address');
  assert.equal((await problemOf(await fetch(`${service.base}/video/exports/%zz`), 400)).code, 'request.bad_address');
});

test('[C32] invalid HTTP gets a problem response too, and never as the response to another request', async (t) => {
  const service = await serve(t);
  const say = async (text: string) => {
    const { socket, all } = rawConnection(service);
    socket.write(text);
    return all;
  };
  for (const garbage of [
    'hello\r\n\r\n',
    '\0\x01\x02\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nBad Header: x\r\n\r\n',
    'POST /video/exports HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]) {
    assert.match(
      await say(garbage),
      /^HTTP\/1\.1 400 .*application\/problem\+json.*request\.malformed/s,
      JSON.stringify(garbage),
    );
  }
  assert.match(
    await say(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 .*request\.headers_too_large/s,
  );
  const pipelined = await say(
    'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /limits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  assert.deepEqual(pipelined.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
  // Garbage after a create that still waits: its response must not be forged.
  const body = formBody(exampleParts());
  const { socket, all } = rawConnection(service);
  socket.write(createHead(body.length));
  socket.write(body);
  while (service.exports.raised.length === 0) await new Promise(setImmediate);
  socket.write('garbage\r\n\r\n');
  assert.equal(await all, '');
});

test('[C32, C33] an unsupported Expect header is 417 with a problem, whatever the path and the body', async (t) => {
  const service = await serve(t);
  const say = async (...lines: readonly string[]) => {
    const { socket, all } = rawConnection(service);
    socket.write(`${[...lines, 'Host: localhost', 'Connection: close'].join('\r\n')}\r\n\r\n`);
    return all;
  };
  const refused = /^HTTP\/1\.1 417 .*application\/problem\+json.*"code":"request\.expectation"/s;
  assert.match(await say('GET /healthz HTTP/1.1', 'Expect: something'), refused);
  assert.match(await say('GET /healthz HTTP/1.1', 'Expect: 100-continue, something'), refused);
  assert.match(await say('POST /video/exports HTTP/1.1', 'Expect: something', 'Content-Length: 0'), refused);
  assert.match(await say('GET /healthz HTTP/1.0', 'Expect: something'), /^HTTP\/1\.1 200 /);
  assert.match(await say('GET /healthz HTTP/1.1', 'Expect: 100-Continue'), /^HTTP\/1\.1 200 /);
});

test('[C33, H28] shutting down: a waiting create gets its 202, a new one 503, streams end', async (t) => {
  const service = await serve(t);
  const waiting = postForm(service);
  while (service.exports.raised.length === 0) await new Promise(setImmediate);
  const id = service.exports.onlyId;
  const events = await fetch(`${service.base}/video/exports/${id}/events`);
  // A connection that is open already, in the middle of a request.
  const body = formBody(exampleParts());
  const late = rawConnection(service);
  const uploading = rawConnection(service);
  late.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(late.socket, 'data');
  late.socket.write(createHead(body.length).slice(0, 40));
  uploading.socket.write(createHead(body.length));
  uploading.socket.write(body.subarray(0, -10));
  while ((await service.uploadsOnDisk()).length === 0) await new Promise(setImmediate);
  const closed = service.app.close();
  const [refusal] = await once(uploading.socket, 'data');
  const reply = await waiting;
  assert.equal(reply.status, 202);
  assert.equal(((await reply.json()) as { export_id: string }).export_id, id);
  await events.text();
  assert.match(String(refusal), /^HTTP\/1\.1 503 .*service\.closing/s);
  uploading.socket.destroy();
  late.socket.write(createHead(body.length).slice(40));
  late.socket.write(body);
  assert.match(await late.all, /HTTP\/1\.1 503 .*service\.closing/s);
  await closed;
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C33] too many requests are 429 with Retry-After; health is never refused', async (t) => {
  const service = await serve(t, { requestsPerMinute: 3 });
  const url = `${service.base}/video/exports/6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10`;
  for (let i = 0; i < 3; i += 1) assert.equal((await fetch(url)).status, 404);
  const reply = await fetch(url);
  assert.match(reply.headers.get('retry-after')!, /^\d+$/);
  assert.equal((await problemOf(reply, 429)).code, 'rate.exceeded');
  for (let i = 0; i < 5; i += 1) assert.equal((await fetch(`${service.base}/healthz`)).status, 200);
});

/** Every header that an OpenAPI document names, of requests that are sent to us. */
function headersIn(document: unknown): { sent: Set<string>; reported: Set<string> } {
  const [sent, reported] = [new Set<string>(), new Set<string>()];
  JSON.stringify(document, (key, value) => {
    if (key === 'callbacks' || key === 'webhooks') return undefined;
    if (value?.in === 'header' && typeof value.name === 'string' && value.schema) sent.add(value.name);
    // Those of `components` have their own names, until something refers to them.
    if (key === 'components') return { ...value, headers: undefined, schemas: undefined };
    if (key === 'headers') for (const name of Object.keys(value ?? {})) reported.add(name);
    return value;
  });
  assert.ok(sent.has('Idempotency-Key') && reported.has('ETag'));
  return { sent, reported };
}

test('CORS follows the configuration; a page may send and read every documented header', async (t) => {
  const closed = await serve(t);
  const asking = { origin: 'https://studio.example', 'access-control-request-method': 'POST' };
  const refused = await fetch(`${closed.base}/video/exports`, { method: 'OPTIONS', headers: asking });
  assert.equal(refused.headers.get('access-control-allow-origin'), null);
  const open = await serve(t, { corsOrigins: ['https://studio.example'] });
  const allowed = await fetch(`${open.base}/video/exports`, { method: 'OPTIONS', headers: asking });
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://studio.example');
  const reported = await fetch(`${open.base}/openapi.json`, { headers: { origin: 'https://studio.example' } });
  const documented = headersIn(await reported.json());
  // Any page may read these; the other two are the browser's own.
  const notShared = ['Cache-Control', 'Content-Length', 'Set-Cookie', 'WWW-Authenticate'];
  const shared = (reply: Response, name: string) => reply.headers.get(`access-control-${name}-headers`)!.split(', ');
  assert.deepEqual(documented.sent.difference(new Set(shared(allowed, 'allow'))), new Set());
  assert.deepEqual(documented.reported.difference(new Set([...shared(reported, 'expose'), ...notShared])), new Set());
  const other = await fetch(`${open.base}/limits`, { headers: { origin: 'https://evil.example' } });
  assert.equal(other.headers.get('access-control-allow-origin'), null);
});

test('[C32, H17] every response has its request id and security headers', async (t) => {
  const service = await serve(t);
  const unreadable = ['/video/exports/%zz', `/video/exports/${'x'.repeat(200)}`];
  for (const path of ['/', '/limits', '/nowhere', '/assets/style.css', ...unreadable]) {
    const reply = await fetch(`${service.base}${path}`);
    assert.match(reply.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
    assert.match(reply.headers.get('content-security-policy')!, /^default-src 'none'/);
    assert.doesNotMatch(reply.headers.get('content-security-policy')!, /unsafe/);
    await reply.arrayBuffer();
  }
});

test('[C81] only the operator sees the readiness checks', async (t) => {
  const service = await serve(t, { apiKeys: [{ tenant: 'ann', key: 'ann-key' }], metricsKey: 'operator' });
  const detail = async (authorization?: string) => {
    const reply = await fetch(`${service.base}/readyz`, { headers: { ...(authorization && { authorization }) } });
    const { checks } = (await reply.json()) as { checks: { name: string; detail?: string }[] };
    return checks.map((check) => typeof check.detail);
  };
  assert.ok((await detail('Bearer operator')).every((kind) => kind === 'string'));
  for (const key of [undefined, 'Bearer ann-key']) {
    assert.ok((await detail(key)).every((kind) => kind === 'undefined'));
  }
});

test('[C31] limits, health, readiness and metrics', async (t) => {
  const service = await serve(t);
  assert.deepEqual(await (await fetch(`${service.base}/limits`)).json(), {
    max_file_bytes: 2 * 2 ** 20,
    max_request_bytes: 4 * 2 ** 20,
    max_external_id_characters: 200,
    max_metadata_pairs: 20,
    max_metadata_key_characters: 40,
    max_metadata_value_characters: 500,
    max_listed_exports: 100,
    max_batch_rows: 10_000,
    max_batches: 20,
    max_webhooks: 10,
    max_destination_headers: 32,
    max_destination_header_bytes: 8192,
    max_short_seconds: 60,
    short_seconds_before: 3,
    short_seconds_after: 5,
  });
  assert.deepEqual(await (await fetch(`${service.base}/healthz`)).json(), { ok: true, version: '1.2.3' });
  for (const path of ['/readyz', '/readyz/intake']) assert.equal((await fetch(`${service.base}${path}`)).status, 200);
  service.exports.limit({ minFreeDiskBytes: 2 ** 60 });
  const unready = await fetch(`${service.base}/readyz/intake`);
  assert.equal(unready.status, 503);
  const { ok, checks } = (await unready.json()) as { ok: boolean; checks: { name: string; ok: boolean }[] };
  assert.deepEqual([ok, ...checks.map((check) => [check.name, check.ok])], [false, ['disk', false]]);
  // Existing exports can still be read and deleted: a load balancer must not cut that off.
  const serving = await fetch(`${service.base}/readyz`);
  assert.equal(serving.status, 200);
  assert.equal(((await serving.json()) as { ok: boolean }).ok, true);
  const metrics = await (await fetch(`${service.base}/metrics`)).text();
  assert.match(metrics, /^tiercut_jobs_running 0$/m);
  assert.match(metrics, /^tiercut_ready 0$/m);
  assert.match(metrics, /tiercut_http_request_seconds_count\{method="GET",route="\/healthz",status="200"\} 1/);
  service.exports.status = () => Promise.reject(new Error('the database is gone'));
  for (const path of ['/readyz', '/readyz/intake']) assert.equal((await fetch(`${service.base}${path}`)).status, 503);
});

test("[C31] metrics have their own key: a tenant's key does not open them, and theirs opens nothing else", async (t) => {
  const metricsKey = 'key-of-the-operator';
  const asked = async (service: Service, key: string | null, path = '/metrics') => {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    return (await fetch(`${service.base}${path}`, { headers })).status;
  };
  const unset = await serve(t, { apiKeys: KEYS });
  assert.deepEqual([await asked(unset, null), await asked(unset, 'key-of-ann')], [401, 401]);
  const set = await serve(t, { apiKeys: KEYS, metricsKey });
  assert.deepEqual([await asked(set, 'key-of-ann'), await asked(set, metricsKey)], [401, 200]);
  const refused = await fetch(`${set.base}/metrics`, { headers: { authorization: 'Bearer key-of-ann' } });
  assert.match(((await refused.json()) as { detail: string }).detail, /the key of the operator, TIERCUT_METRICS_KEY/);
  assert.equal(await asked(set, metricsKey, '/video/exports/6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10'), 401);
  const keyless = await serve(t, { metricsKey });
  assert.deepEqual([await asked(keyless, null), await asked(keyless, metricsKey)], [401, 200]);
  const elsewhere = await serve(t, { metricsElsewhere: true });
  assert.equal(await asked(elsewhere, null), 404);
});

test('[C33] a body with a Content-Encoding is 415 before it arrives, with what is accepted', async (t) => {
  const service = await serve(t);
  const send = (encoding: string) =>
    fetch(`${service.base}/video/exports/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      body: '{}',
    });
  const reply = await send('gzip');
  assert.deepEqual([reply.status, reply.headers.get('accept-encoding')], [415, 'identity']);
  const { code, detail } = (await reply.json()) as { code: string; detail: string };
  assert.equal(code, 'request.content_encoding');
  assert.match(detail, /not as "gzip"/);
  assert.notEqual((await send('identity')).status, 415);
});

test('[C31] metrics may have their own address', async (t) => {
  const { exports, metrics } = await serve(t, { metricsElsewhere: true });
  const start = (key: string | null) =>
    startMetricsServer({ address: { host: '127.0.0.1', port: 0 }, key, metrics, status: () => exports.status() });
  await using open = await start(null);
  const reply = await fetch(`${open.url}/metrics`);
  assert.equal(reply.headers.get('content-type'), metrics.contentType);
  assert.match(await reply.text(), /^tiercut_jobs_running 0$/m);
  assert.equal((await fetch(`${open.url}/video/exports`)).status, 404);
  assert.equal((await fetch(`${open.url}/metrics`, { method: 'POST' })).status, 404);
  await using keyed = await start('key-of-the-operator');
  assert.equal((await fetch(`${keyed.url}/metrics`)).status, 401);
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(`${keyed.url}${path}`)).status, 200, path);
  const down = () => Promise.reject(new Error('no database'));
  await using cut = await startMetricsServer({
    address: { host: '127.0.0.1', port: 0 },
    key: null,
    metrics,
    status: down,
  });
  assert.deepEqual(
    await Promise.all(['/healthz', '/readyz', '/metrics'].map(async (path) => (await fetch(cut.url + path)).status)),
    [200, 503, 500],
  );
  const headers = { authorization: 'Bearer key-of-the-operator' };
  assert.equal((await fetch(`${keyed.url}/metrics`, { headers })).status, 200);
});

test('[C31] a blocked event loop is reported, whatever the requests say', async (t) => {
  const { base, metrics, exports } = await serve(t);
  const late = async () => {
    const text = await metrics.text(await exports.status());
    const under = Number(/tiercut_loop_delay_seconds_bucket\{le="0.25"\} (\d+)/.exec(text)?.[1]);
    return Number(/tiercut_loop_delay_seconds_count (\d+)/.exec(text)?.[1]) - under;
  };
  const before = await late();
  const end = performance.now() + 600;
  while (performance.now() < end);
  while ((await late()) === before) await fetch(`${base}/healthz`);
  assert.ok((await late()) > before);
});
