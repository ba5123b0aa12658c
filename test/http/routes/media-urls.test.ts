import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../src/platform/sha256.ts';
import { fileServer } from '../../outbound/file-server.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

function post({ base }: Service, body: unknown, type = 'application/json'): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${base}/media`, { method: 'POST', headers: { 'content-type': type }, body: text });
}

/** The documents of the example, its pictures named by address. */
function addressed(urlOf: (field: string) => string) {
  const parts = exampleParts();
  const files = parts.filter(({ fileName }) => fileName !== undefined);
  const urls = Object.fromEntries(files.map(({ name }) => [name, urlOf(name)]));
  const documents = parts.filter(({ fileName }) => fileName === undefined);
  return [...documents, { name: 'media_urls', content: JSON.stringify(urls) }];
}

test('[C66] POST /media fetches a file and responds as PUT does', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  await using server = await fileServer(({ headers }, response) => {
    if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"1"' }).end('a picture');
  });
  for (const status of [201, 200]) {
    const reply = await post(service, { url: `${server.base}/picture.png` });
    assert.equal(reply.status, status);
    assert.equal(reply.headers.get('location'), `/media/${sha256('a picture')}`);
    const body = await described.check('POST /media', reply);
    assert.equal((body as { media: string }).media, sha256('a picture'));
  }
  const kept = await fetch(`${service.base}/media/${sha256('a picture')}`, { method: 'HEAD' });
  assert.equal(kept.status, 200);
});

test('[C66, C32] errors of POST /media are returned at their member', async (t) => {
  const service = await serve(t, {}, { fetchRules: { allowPrivate: false, idleMs: 1000, totalMs: 1000 } });
  const wrong: readonly [unknown, number, string, string][] = [
    [{ url: 'http://example.com/x' }, 422, 'fetch.address', '/url'],
    [{ url: 'https://127.0.0.1/x' }, 422, 'fetch.address', '/url'],
    [{ url: 'file:///etc/passwd' }, 422, 'fetch.address', '/url'],
    [{ url: 'data:image/png;base64,AA' }, 422, 'fetch.address', '/url'],
    [{ url: 'clip.mp4' }, 422, 'fetch.address', '/url'],
    [{ url: 7 }, 422, 'field.type', '/url'],
    [{}, 422, 'field.required', '/url'],
    [[], 422, 'field.type', ''],
    ['{', 400, 'json.syntax', ''],
    [`{"url": "${'x'.repeat(20_000)}"}`, 413, 'request.too_large', ''],
  ];
  for (const [body, status, code, path] of wrong) {
    const problem = await problemOf(await post(service, body), status);
    assert.equal(problem.code, code, JSON.stringify(body));
    if (path !== '') assert.equal(problem.errors[0]!.path, path);
  }
  const misspelt = await problemOf(await post(service, { uri: 'https://example.com/x' }), 422);
  assert.equal(misspelt.detail, '/url: url is missing: the address of the file to fetch.');
  assert.deepEqual(misspelt.warnings, [
    { path: '/uri', code: 'field.unknown', message: 'The member "uri" is unknown and ignored. Did you mean "url"?' },
  ]);
  assert.equal((await problemOf(await post(service, '{}', 'text/plain'), 415)).code, 'request.not_json');
});

test('[C66] an export is first fetching, as its metadata and its events show, and then queued', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const go = Promise.withResolvers<void>();
  await using server = await fileServer(async (request, response) => {
    await go.promise;
    response.end(`picture ${request.url}`);
  });
  const reply = await postForm(
    service,
    addressed((field) => `${server.base}/${field}`),
    { prefer: 'respond-async' },
  );
  assert.equal(reply.status, 202);
  const accepted = (await described.check('POST /video/exports', reply)) as Record<string, unknown>;
  const files = exampleParts().filter(({ fileName }) => fileName !== undefined).length;
  assert.deepEqual(
    [accepted.state, accepted.phase, accepted.fetching, accepted.duration],
    ['queued', 'fetching', { files, fetched: 0, bytes: 0 }, null],
  );
  const address = `${service.base}/video/exports/${accepted.export_id}`;
  const chapters = await fetch(`${address}/chapters`, { headers: { prefer: 'wait=0' } });
  assert.ok([202, 404, 409].includes(chapters.status), `${chapters.status} ${await chapters.text()}`);
  go.resolve();
  const events = await fetch(`${address}/events`);
  for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
    if (chunk.includes('event: state') && !chunk.includes('"phase"')) break;
  }
  const now = (await (await fetch(address)).json()) as Record<string, unknown>;
  assert.deepEqual([now.state, now.phase, now.fetching, now.duration], ['queued', undefined, undefined, 10]);
});

test('[C66] a create that waits returns 422 at the URL that failed', async (t) => {
  const service = await serve(t);
  await using server = await fileServer((_, response) => response.writeHead(404).end());
  const reply = await postForm(
    service,
    addressed((field) => `${server.base}/${field}`),
  );
  const problem = await problemOf(reply, 422);
  assert.ok(
    problem.errors.every(
      ({ path, code }: { path: string; code: string }) => path.startsWith('/media_urls/') && code === 'fetch.failed',
    ),
  );
  assert.match(problem.errors[0]!.message, /it returned status 404 \(Not Found\)/);
});
