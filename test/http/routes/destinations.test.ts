import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { ExportsPolicy } from '../../../src/compose/exports-ports.ts';
import { EXAMPLE_REQUEST } from '../../../src/http/openapi/form-body.ts';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { fileServer } from '../../outbound/file-server.ts';
import { seen } from '../../service/export-client.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const VIDEO = Buffer.from('a video');
const ASYNC = { prefer: 'respond-async' };
const taken: RequestListener = (request, response) => {
  request.resume().once('end', () => response.end());
};

function create(service: Service, destinations: unknown, headers: Record<string, string> = ASYNC): Promise<Response> {
  const part = { name: 'destinations', content: JSON.stringify(destinations) };
  return postForm(service, [...exampleParts(), part], headers);
}

async function made(reply: Response): Promise<ExportMetadata> {
  assert.equal(reply.status, 202, await reply.clone().text());
  return (await reply.json()) as ExportMetadata;
}

async function statusOf({ base }: Service, id: string): Promise<ExportMetadata> {
  return (await (await fetch(`${base}/video/exports/${id}`)).json()) as ExportMetadata;
}

/** The destination of an output, once it is in that state. */
async function destination(service: Service, id: string, preset: string, state: string) {
  const of = async () => (await statusOf(service, id)).outputs[preset]!.destination!;
  await seen(`the destination is ${state}`, async () => (await of()).state === state);
  return of();
}

test('[C69] a finished video is sent to its destination, which its metadata and its events show', async (t) => {
  const bodies: Buffer[] = [];
  await using server = await fileServer(async (request, response) => {
    bodies.push(await buffer(request));
    response.end();
  });
  const service = await serve(t, {}, { prerender: 'selected' });
  const described = await DescribedReplies.of(service);
  const secret = `${server.base}/bucket/video.mp4?X-Amz-Signature=hushhush`;
  const sent = { portrait: { url: secret, headers: { 'X-Amz-Acl': 'hushhush-too', 'Content-Type': 'video/mp4' } } };
  const reply = await create(service, sent);
  const { export_id: id, outputs } = (await described.check('POST /video/exports', reply)) as ExportMetadata;
  assert.deepEqual(outputs.preset_two?.destination, { state: 'waiting', attempts: 0 });
  const states = ['preset_one', 'preset_two', 'preset_three'].map((preset) => outputs[preset]!.state);
  assert.deepEqual(states, ['queued', 'queued', 'idle'], 'a destination asks for its preset');
  assert.equal(outputs.preset_one?.destination, undefined);

  const events = await fetch(`${service.base}/video/exports/${id}/events`);
  await service.exports.complete(id, 'preset_one', VIDEO);
  assert.deepEqual(bodies, []);
  await service.exports.complete(id, 'preset_two', VIDEO);
  const text = await events.text();
  assert.match(text, /"destination":\{"state":"sent","attempts":1\}/, 'the stream ends when the video is sent');
  assert.deepEqual(bodies, [VIDEO]);
  const [{ path, headers }] = server.asked as [(typeof server.asked)[0]];
  assert.equal(path, '/bucket/video.mp4?X-Amz-Signature=hushhush');
  assert.deepEqual(
    [headers['x-amz-acl'], headers['content-type'], headers['content-length']],
    [...['hushhush-too', 'video/mp4', '7']],
  );
  const own = ['host', 'connection', 'user-agent', 'content-type', 'content-length', 'repr-digest', 'x-amz-acl'];
  assert.deepEqual(Object.keys(headers).sort(), own.sort());
  assert.deepEqual((await statusOf(service, id)).outputs.preset_two?.destination, { state: 'sent', attempts: 1 });
  const metrics = await service.metrics.text(await service.exports.status());
  assert.match(metrics, /tiercut_destinations_total\{outcome="sent"\} 1/);
  const today = new Date().toISOString().slice(0, 10);
  const [used] = await service.exports.usage('default', today, today);
  assert.equal(used?.bytesSent, VIDEO.length, 'what is sent counts as sent');

  const list = await (await fetch(`${service.base}/video/exports`)).text();
  for (const shown of [text, list, JSON.stringify(service.logged), service.exports.fixture.logged.join()]) {
    assert.doesNotMatch(shown, /hushhush/);
  }
  const { folder, ports } = service.exports.fixture;
  assert.deepEqual(filesWith(folder, 'hushhush'), [], 'no file keeps it');
  assert.deepEqual(await ports.database.query('select target from destinations'), [{ target: null }]);
});

/** The files below a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  // Rows that are overwritten stay in the journal of the database for a while.
  const kept = files.filter((file) => statSync(file).isFile() && !file.includes('tiercut.db'));
  return kept.filter((file) => readFileSync(file, 'latin1').includes(text));
}

test('[C69] an invalid destination is refused at its path, and no export is created', async (t) => {
  const service = await serve(t, {}, { allowPrivateDestinations: false });
  const url = 'https://bucket.example.com/a';
  const headed = (headers: unknown) => ({ portrait: { url, headers } });
  const wrong: readonly [unknown, string, string][] = [
    [7, '/destinations', 'field.type'],
    [{ portait: url }, '/destinations/portait', 'field.choice'],
    [{ portrait: url, preset_two: url }, '/destinations/preset_two', 'destination.repeated'],
    [{ portrait: 7 }, '/destinations/portrait', 'field.type'],
    [{ portrait: 'http://bucket.example.com/a' }, '/destinations/portrait', 'destination.invalid'],
    [{ portrait: 'https://10.0.0.1/a' }, '/destinations/portrait', 'destination.invalid'],
    [{ portrait: { url: 'https://u:p@example.com/' } }, '/destinations/portrait/url', 'destination.invalid'],
    [{ portrait: {} }, '/destinations/portrait', 'field.required'],
    [{ portrait: { url: 7 } }, '/destinations/portrait/url', 'field.type'],
    [{ portrait: { url, header: {} } }, '/destinations/portrait/header', 'destination.invalid'],
    [headed([]), '/destinations/portrait/headers', 'field.type'],
    [headed({ Host: 'x' }), '/destinations/portrait/headers/Host', 'destination.header'],
    [headed({ 'Content-Length': '1' }), '/destinations/portrait/headers/Content-Length', 'destination.header'],
    [
      headed({ 'Transfer-Encoding': 'chunked' }),
      '/destinations/portrait/headers/Transfer-Encoding',
      'destination.header',
    ],
    [headed({ 'content-type': 'text/html' }), '/destinations/portrait/headers/content-type', 'destination.header'],
    [headed({ 'a b': 'x' }), '/destinations/portrait/headers/a b', 'destination.header'],
    [headed({ a: 'x\r\nHost: y' }), '/destinations/portrait/headers/a', 'destination.header'],
    [headed({ a: 7 }), '/destinations/portrait/headers/a', 'destination.header'],
    [headed({ a: 'x', A: 'y' }), '/destinations/portrait/headers/A', 'destination.header'],
    [headed({ a: 'x'.repeat(8192) }), '/destinations/portrait/headers', 'destination.header'],
    [
      headed(Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`a${n}`, 'x']))),
      '/destinations/portrait/headers',
      'destination.header',
    ],
  ];
  for (const [destinations, path, code] of wrong) {
    const { errors } = await problemOf(await create(service, destinations), 422);
    assert.deepEqual(
      errors.map((issue) => [issue.path, issue.code]),
      [[path, code]],
      JSON.stringify(errors),
    );
  }
  const part = { name: 'destinations', content: '{' };
  const broken = await problemOf(await postForm(service, [...exampleParts(), part], ASYNC), 400);
  assert.deepEqual([broken.code, broken.errors[0]?.path], ['json.syntax', '/destinations']);
  const json = { ...EXAMPLE_REQUEST, destinations: { square: 'ftp://x' } };
  const validated = await fetch(`${service.base}/video/exports/validate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  assert.deepEqual((await problemOf(validated, 422)).errors[0]?.path, '/destinations/square');
  assert.equal(service.exports.made, 0);
  const limits = (await (await fetch(`${service.base}/limits`)).json()) as Record<string, number>;
  assert.deepEqual([limits.max_destination_headers, limits.max_destination_header_bytes], [32, 8192]);
});

test('[C69, C9] destinations are part of the content of a request, as a form and as JSON', async (t) => {
  await using server = await fileServer(taken);
  const service = await serve(t);
  const keyed = (key: string) => ({ ...ASYNC, 'idempotency-key': key });
  const one = await made(await create(service, { portrait: server.base }, keyed('k')));
  const again = await create(service, { portrait: server.base }, keyed('k'));
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await made(again)).export_id, one.export_id);
  const other = await create(service, { portrait: `${server.base}/other` }, keyed('k'));
  assert.equal((await problemOf(other, 422)).code, 'idempotency.conflict');
});

/** An export whose portrait preset is finished and has a destination. */
async function finished(t: TestContext, answer: RequestListener, policy: Partial<ExportsPolicy> = {}) {
  const server = await fileServer(answer);
  t.after(() => server[Symbol.asyncDispose]());
  const service = await serve(t, {}, policy);
  const { export_id: id } = await made(await create(service, { portrait: server.base }));
  await service.exports.complete(id, 'preset_two', VIDEO);
  return { server, service, id };
}

test('[C69] a destination that refuses the video has failed, and its error gives the response', async (t) => {
  const { server, service, id } = await finished(t, (request, response) => {
    request.resume().once('end', () => response.writeHead(403).end('<Error>hush</Error>'));
  });
  const { attempts, error } = await destination(service, id, 'preset_two', 'failed');
  assert.equal(attempts, 1);
  assert.equal(error?.code, 'destination.failed');
  assert.match(error?.detail ?? '', /: it returned status 403 \(Forbidden\)\.$/);
  assert.equal(server.asked.length, 1);
  const rows = await service.exports.fixture.ports.database.query('select target from destinations');
  assert.deepEqual(rows, [{ target: null }]);
  assert.equal((await statusOf(service, id)).outputs.preset_two?.state, 'completed', 'the video is there');
});

test('[C69] an output that fails or is stopped sends nothing', async (t) => {
  await using server = await fileServer(taken);
  const service = await serve(t);
  const urls = { landscape: server.base, portrait: server.base, square: server.base };
  const { export_id: id } = await made(await create(service, urls));
  await fetch(`${service.base}/video/exports/${id}/outputs/preset_two`, { method: 'DELETE' });
  const stopped = (await statusOf(service, id)).outputs.preset_two?.destination;
  assert.deepEqual([stopped?.state, stopped?.error?.code], ['failed', 'destination.no_output']);
  const failure = { kind: 'internal', code: 'render.failed', message: 'It broke.', issues: [] } as const;
  await service.exports.fail(id, 'preset_one', failure);
  const { outputs } = await statusOf(service, id);
  const states = Object.values(outputs).map((output) => output.destination?.state);
  assert.deepEqual(states, ['failed', 'failed', 'failed']);
  assert.deepEqual(server.asked, []);
});

test('[C69, C29] deleting an export ends its transfers', async (t) => {
  const asked = Promise.withResolvers<void>();
  const { server, service, id } = await finished(t, (request) => {
    request.resume();
    asked.resolve();
  });
  await asked.promise;
  assert.equal((await statusOf(service, id)).outputs.preset_two?.destination?.state, 'sending');
  const reply = await fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' });
  assert.equal(reply.status, 204);
  await server.idle();
  assert.deepEqual(await service.exports.fixture.ports.database.query('select * from destinations'), []);
  assert.deepEqual(service.exports.fixture.logged, ['interrupted exports recovered']);
});
