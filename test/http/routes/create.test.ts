import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { FORM_TYPE, formBody } from '../form-body.ts';
import { exampleParts, postForm, problemOf, serve } from '../serve.ts';

const MP4 = Buffer.from('an MP4, let us say');

test('[C8][C10] a create returns 201 with exactly the documented metadata once the selected preset is rendered', async (t) => {
  const service = await serve(t);
  const making = service.exports.nextId();
  const answer = postForm(service, exampleParts({ settings: { preset: 'portrait' } }), { accept: 'application/json' });
  const id = await making;
  await service.exports.complete(id, 'preset_two', MP4);
  const reply = await answer;
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.get('location'), `/video/exports/${id}`);
  const body = (await reply.json()) as Record<string, unknown>;
  const { settings, downloads, hls, outputs, links, created_at, expires_at, ...rest } = body as Record<
    string,
    Record<string, unknown>
  >;
  assert.deepEqual(rest, {
    ok: true,
    export_id: id,
    download_url: `/video/exports/${id}/download/preset_two`,
    state: 'completed',
    progress: 1,
    duration: 10,
    shorts: [],
    warnings: [],
    external_id: null,
    metadata: {},
    title: 'Snacks, ranked',
  });
  assert.ok(Math.abs(Date.now() - Date.parse(String(created_at))) < 60_000);
  assert.ok(Date.parse(String(expires_at)) > Date.parse(String(created_at)));
  assert.deepEqual(Object.keys(downloads!), ['preset_one', 'preset_two', 'preset_three']);
  assert.equal(downloads!.preset_two, rest.download_url);
  assert.deepEqual(Object.keys(hls!), Object.keys(downloads!));
  assert.equal(hls!.preset_two, `/video/exports/${id}/hls/preset_two/index.m3u8`);
  assert.deepEqual(settings, {
    preset: 'preset_two',
    width: 1080,
    height: 1920,
    fps: 30,
    quality: 'balanced',
    encoder_preset: settings!.encoder_preset,
    audio_bitrate: 192,
    file_name: 'Snacks, ranked.mp4',
  });
  assert.deepEqual(Object.keys(outputs!.preset_two as object), [
    'name',
    'state',
    'progress',
    'width',
    'height',
    'bytes',
    'sha256',
  ]);
  assert.deepEqual(Object.keys(links!), [
    'self',
    'events',
    'poster',
    'chapters',
    'captions',
    'captions_srt',
    'thumbnail',
    'publish',
    'page',
  ]);
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test("[C1][C2] parts come in any order, and JSON parts may be files: a browser's FormData works unchanged", async (t) => {
  const service = await serve(t);
  service.exports.renderWith = MP4;
  for (const parts of [exampleParts(), exampleParts().reverse()]) {
    assert.equal((await postForm(service, parts)).status, 201);
  }
  const form = new FormData();
  for (const { name, content } of exampleParts()) form.append(name, new Blob([content.toString()]), `${name}.json`);
  const reply = await fetch(`${service.base}/video/exports`, { method: 'POST', body: form });
  assert.equal(reply.status, 201, await reply.text());
});

test('[C3] an unused upload is a warning, a missing one an error at its path', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = MP4;
  const extra = { name: '__proto__', content: 'x', fileName: '../../etc/passwd' };
  const reply = await postForm(service, [...exampleParts(), extra]);
  const { warnings } = (await reply.json()) as { warnings: { path: string; code: string }[] };
  assert.deepEqual(
    warnings.map(({ path, code }) => [path, code]),
    [['/__proto__', 'media.unreferenced']],
  );
  const problem = await problemOf(await postForm(service, exampleParts().slice(0, -1)), 422);
  assert.equal(problem.code, 'media.not_uploaded');
  assert.equal(problem.errors[0]!.path, '/tier_list/items/4/file_field');
});

test('[C5] a small request gets all errors in one response: of its documents, and of missing files', async (t) => {
  const service = await serve(t);
  const parts = exampleParts({ settings: { fps: '30', qualty: 'high' } }).slice(0, -1);
  const { errors, warnings } = await problemOf(await postForm(service, parts), 422);
  assert.deepEqual(
    errors.map(({ path, code }) => `${path} ${code}`),
    ['/tier_list/items/4/file_field media.not_uploaded', '/settings/fps field.type'],
  );
  assert.deepEqual(warnings, [
    {
      path: '/settings/qualty',
      code: 'field.unknown',
      message: '"qualty" is an unknown field and is ignored. Did you mean "quality"?',
    },
    {
      path: '',
      code: 'request.files_unread',
      message: 'The files were not probed. Their errors are reported when the documents are valid.',
    },
  ]);
});

test('[C8] Prefer: respond-async returns 202 as soon as the export is durable', async (t) => {
  const service = await serve(t);
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  assert.equal(reply.status, 202);
  assert.equal(reply.headers.get('preference-applied'), 'respond-async');
  const body = (await reply.json()) as Record<string, unknown>;
  assert.equal(body.state, 'queued');
  assert.equal(body.ok, true);
  assert.equal(reply.headers.get('location'), `/video/exports/${body.export_id}`);
});

test('[C90] with Prefer: handling=strict or the field strict, warnings are errors, and the header says so', async (t) => {
  const service = await serve(t);
  const parts = exampleParts({ settings: { qualty: 1 } });
  const codes = async (reply: Response) => {
    const { errors } = (await reply.json()) as { errors: readonly { path: string; code: string }[] };
    return [reply.status, ...errors.map(({ path, code }) => `${path} ${code}`)];
  };
  const refused = [422, '/settings/qualty field.unknown'];
  const strict = { prefer: 'respond-async, handling=strict' };
  for (const path of ['/video/exports', '/video/exports/validate']) {
    const reply = await postForm(service, parts, strict, path);
    assert.equal(reply.headers.get('preference-applied'), 'handling=strict', path);
    assert.deepEqual(await codes(reply), refused);
    assert.deepEqual(
      await codes(await postForm(service, [...parts, { name: 'strict', content: 'true' }], {}, path)),
      refused,
    );
  }
  const lenient = await postForm(service, parts, { prefer: 'respond-async, handling=lenient' });
  assert.deepEqual([lenient.status, lenient.headers.get('preference-applied')], [202, 'respond-async']);
  const asJson = async (value: unknown) => {
    const body = JSON.stringify({
      tier_list: {},
      timeline_data: { tier_blocks: [{ start: 0, duration: 2 }] },
      settings: { qualty: 1 },
      strict: value,
    });
    const headers = { 'content-type': 'application/json' };
    return codes(await fetch(`${service.base}/video/exports/validate`, { method: 'POST', headers, body }));
  };
  assert.deepEqual(await asJson(true), refused);
  assert.deepEqual(await asJson('yes'), [422, '/strict field.type']);
});

test('[C8] a waiting create returns 202 after the wait limit', async (t) => {
  const service = await serve(t, { waitLimitSeconds: 0.05 });
  const reply = await postForm(service);
  assert.equal(reply.status, 202);
  assert.equal(reply.headers.get('preference-applied'), null);
  assert.equal(((await reply.json()) as { state: string }).state, 'queued');
});

test('[C7, C8] a client that accepts only a video is sent to the download, which waits, and never gets metadata', async (t) => {
  const service = await serve(t, { waitLimitSeconds: 0.05 });
  for (const headers of [{}, { prefer: 'respond-async' }, { prefer: 'wait=0' }]) {
    const making = service.exports.nextId();
    const reply = await postForm(service, exampleParts(), { accept: 'video/mp4', ...headers });
    assert.equal(reply.status, 303, JSON.stringify(headers));
    assert.equal(reply.headers.get('location'), `/video/exports/${await making}/download/preset_one`);
    assert.equal(await reply.text(), '');
  }
});

test('[C7, C8] a client that follows redirects gets the video of a long render', async (t) => {
  const service = await serve(t, { waitLimitSeconds: 0.2 });
  const making = service.exports.nextId();
  const answer = fetch(`${service.base}/video/exports`, {
    method: 'POST',
    headers: { 'content-type': FORM_TYPE, accept: 'video/mp4' },
    body: new Uint8Array(formBody(exampleParts())),
  });
  const id = await making;
  // The create, and two waits of the download.
  while (service.exports.raised.length < 3) await new Promise(setImmediate);
  await service.exports.complete(id, 'preset_one', MP4);
  const reply = await answer;
  assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'video/mp4']);
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), MP4);
});

test('[C8] a client that disconnects does not stop its export, and nothing keeps waiting for it', async (t) => {
  const service = await serve(t);
  const making = service.exports.nextId();
  const hangUp = new AbortController();
  const { base } = service;
  const form = new FormData();
  for (const { name, content } of exampleParts()) form.append(name, content.toString());
  const answer = fetch(`${base}/video/exports`, { method: 'POST', body: form, signal: hangUp.signal });
  const id = await making;
  while (service.exports.raised.length === 0) await new Promise(setImmediate);
  hangUp.abort();
  await assert.rejects(answer, { name: 'AbortError' });
  while (service.exports.listeners > 0) await new Promise(setImmediate);
  await service.exports.complete(id, 'preset_one', MP4);
  assert.equal(((await (await fetch(`${base}/video/exports/${id}`)).json()) as { state: string }).state, 'completed');
});

test('[C9] the same key and content return the same export, also during its render; different content is a conflict', async (t) => {
  const service = await serve(t);
  const headers = { 'idempotency-key': 'one', prefer: 'respond-async' };
  const first = (await (await postForm(service, exampleParts(), headers)).json()) as { export_id: string };
  const joined = postForm(service, exampleParts().reverse(), { 'idempotency-key': 'one' });
  while (service.exports.raised.length === 0) await new Promise(setImmediate);
  await service.exports.complete(first.export_id, 'preset_one', MP4);
  const reply = await joined;
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.get('idempotency-replayed'), 'true');
  assert.equal(((await reply.json()) as { export_id: string }).export_id, first.export_id);
  const other = await postForm(service, exampleParts({ settings: { fps: 25 } }), headers);
  assert.equal((await problemOf(other, 422)).code, 'idempotency.conflict');
  for (const key of ['', 'a'.repeat(256)]) {
    const refused = await postForm(service, exampleParts(), { 'idempotency-key': key });
    assert.equal((await problemOf(refused, 400)).code, 'request.idempotency_key');
  }
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C7] Accept decides: metadata, the MP4 itself, the page, or 406', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = MP4;
  const kinds: readonly [string | null, number, string | null][] = [
    [null, 201, 'application/json; charset=utf-8'],
    ['*/*', 201, 'application/json; charset=utf-8'],
    ['application/*', 201, 'application/json; charset=utf-8'],
    ['application/json', 201, 'application/json; charset=utf-8'],
    ['video/mp4', 201, 'video/mp4'],
    ['video/mp4, application/json;q=0.5', 201, 'video/mp4'],
    ['application/json;q=0.4, video/*;q=0.5', 201, 'video/mp4'],
    ['application/json;q=0, */*;q=0.1', 201, 'video/mp4'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 303, null],
    ['application/json, text/html', 201, 'application/json; charset=utf-8'],
    ['image/png', 406, 'application/problem+json'],
    ['application/json;q=0', 406, 'application/problem+json'],
    ['nonsense', 406, 'application/problem+json'],
  ];
  for (const [accept, status, type] of kinds) {
    // fetch sends */* by itself; null is tested by what it does with that.
    const reply = await postForm(service, exampleParts(), accept === null ? {} : { accept });
    assert.deepEqual([reply.status, reply.headers.get('content-type')], [status, type], String(accept));
    const body = Buffer.from(await reply.arrayBuffer());
    if (type === 'video/mp4') assert.deepEqual(body, MP4);
    if (status < 400) assert.match(reply.headers.get('location')!, /^\/video\/exports\/[0-9a-f-]{36}$/);
  }
});

test('[C34] a failed render is 422 if the media are the cause, else 500', async (t) => {
  const service = await serve(t);
  const issues = [
    { path: '/timeline_data/videos/0', code: 'media.unreadable', message: 'clip.mp4 cannot be decoded.' },
  ];
  for (const [kind, status] of [
    ['invalid', 422],
    ['unsupported', 422],
    ['internal', 500],
  ] as const) {
    const making = service.exports.nextId();
    const answer = postForm(service);
    const id = await making;
    await service.exports.fail(id, 'preset_one', { kind, code: 'media.unreadable', message: 'It broke.', issues });
    const problem = await problemOf(await answer, status);
    assert.equal(problem.errors[0]!.path, '/timeline_data/videos/0');
    const metadata = (await (await fetch(`${service.base}/video/exports/${id}`)).json()) as Record<string, unknown>;
    assert.equal(metadata.ok, false);
    assert.deepEqual(metadata.error, { code: 'media.unreadable', detail: 'It broke.', errors: issues });
  }
});

test('[C29][C33] an export deleted while its creator waits is 409', async (t) => {
  const service = await serve(t);
  const answer = postForm(service);
  while (service.exports.raised.length === 0) await new Promise(setImmediate);
  const url = `${service.base}/video/exports/${service.exports.onlyId}`;
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 204);
  assert.equal((await problemOf(await answer, 409)).code, 'export.cancelled');
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 404);
});

test('[C33] a full queue is 429 and a full disk 507, both with Retry-After; no bytes of the upload are left', async (t) => {
  const service = await serve(t);
  for (const [code, status] of [
    ['queue.full', 429],
    ['disk.full', 507],
    ['service.closing', 503],
  ] as const) {
    service.exports.submit = () => Promise.reject(new ExportError('unavailable', code, 'Not now.'));
    const reply = await postForm(service);
    assert.match(reply.headers.get('retry-after')!, /^\d+$/);
    assert.equal((await problemOf(reply, status)).code, code);
  }
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C32, H21] the response to a bug has no details; the log has them, with the id of the request', async (t) => {
  const service = await serve(t);
  service.exports.submit = async () => {
    throw new Error('secret at /srv/data/x.ts');
  };
  const reply = await postForm(service);
  const id = reply.headers.get('x-request-id');
  const problem = await problemOf(reply, 500);
  assert.equal(problem.code, 'internal.error');
  assert.doesNotMatch(JSON.stringify(problem), /secret|srv/);
  const line = service.logged.find(({ level }) => level === 50)!;
  assert.equal(line.reqId, id);
  assert.match(JSON.stringify(line), /secret/);
});

test('[C30] validate checks the same request, with or without files, and keeps nothing', async (t) => {
  const FIELDS = ['ok', 'settings', 'duration', 'warnings', 'timeline_data', 'plan', 'plan_json', 'unchecked'];
  const service = await serve(t);
  const validate = (parts = exampleParts()) => postForm(service, parts, {}, '/video/exports/validate');
  const reply = await validate(exampleParts().slice(0, 3));
  assert.equal(reply.status, 200);
  assert.deepEqual(Object.keys((await reply.json()) as object).sort(), FIELDS.toSorted());
  assert.equal((await validate()).status, 200);
  const wrong = await validate(exampleParts({ settings: { fps: 1000 } }));
  const problem = await problemOf(wrong, 422);
  assert.equal(problem.errors[0]!.path, '/settings/fps');
  assert.equal(problem.detail, `/settings/fps: ${problem.errors[0]!.message}`, 'a single error says where it is');
  assert.equal(service.exports.made, 0);
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C31, H21] logs name requests, but neither uploaded content nor the ids that open downloads', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = MP4;
  await (await postForm(service)).text();
  const id = service.exports.onlyId;
  const made = service.logged.find(({ msg }) => msg === 'request')!;
  await (await fetch(`${service.base}/video/exports/${id}/download/preset_one`)).text();
  // However an id gets into a line: as the system's own words, for one.
  service.app.log.error({ err: new Error(`ENOENT: no such file, open '/data/blobs/exports/${id}/a.mp4'`) }, 'gone');
  assert.match(String(made.exportId), /^#[0-9a-f]{12}$/);
  // A log line may be written after the response was read.
  while (service.logged.filter(({ exportId }) => exportId === made.exportId).length < 2)
    await new Promise(setImmediate);
  assert.match(String(made.reqId), /^[0-9a-f-]{36}$/);
  assert.doesNotMatch(JSON.stringify(service.logged), /_picture|Snacks/);
  assert.equal(JSON.stringify(service.logged).includes(id), false);
});

test('[H21] the log line of a failed request has its code, and only of a failed one', async (t) => {
  const service = await serve(t);
  await (await fetch(`${service.base}/limits`)).text();
  await (await fetch(`${service.base}/video/exports/${crypto.randomUUID()}`)).text();
  await (await fetch(`${service.base}/nowhere`)).text();
  const lines = () => service.logged.filter(({ msg }) => msg === 'request').map(({ status, code }) => [status, code]);
  // A log line may be written after the response was read.
  while (lines().length < 3) await new Promise(setImmediate);
  assert.deepEqual(lines(), [
    [200, undefined],
    [404, 'export.unknown'],
    [404, 'request.unknown_address'],
  ]);
});
