import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import type { OpenOutput } from '../../../src/exports/api/open-output.ts';
import { contentDisposition } from '../../../src/http/server/send-media.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const VIDEO = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));
const ETAG = `"${createHash('sha256').update(VIDEO).digest('hex')}"`;

async function rendered(service: Service, settings: object = {}, video = VIDEO): Promise<string> {
  service.exports.renderWith = video;
  const reply = await postForm(service, exampleParts({ settings }));
  service.exports.renderWith = null;
  const { download_url } = (await reply.json()) as { download_url: string };
  return `${service.base}${download_url}`;
}

test('[C27] a download has a length, a strong ETag, a file name, and a type that cannot be mistaken', async (t) => {
  const service = await serve(t);
  const url = await rendered(service);
  for (const method of ['GET', 'HEAD']) {
    const reply = await fetch(url, { method });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'video/mp4');
    assert.equal(reply.headers.get('content-length'), '1000');
    assert.equal(reply.headers.get('etag'), ETAG);
    assert.equal(reply.headers.get('accept-ranges'), 'bytes');
    assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="Snacks, ranked.mp4"');
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
    const body = Buffer.from(await reply.arrayBuffer());
    assert.deepEqual(body, method === 'GET' ? VIDEO : Buffer.alloc(0));
  }
  const inline = await fetch(`${url}?inline`);
  assert.match(inline.headers.get('content-disposition')!, /^inline; /);
  await inline.arrayBuffer();
});

test('[C27] with presigned downloads, clients are redirected; pages and HEAD requests are not', async (t) => {
  const service = await serve(t);
  const url = await rendered(service, { file_name: 'Süßes.mp4' });
  const asked: object[] = [];
  const open = service.exports.openOutput;
  const address: OpenOutput['address'] = async (headers) => {
    asked.push(headers);
    return 'https://files.example/signed?by=us';
  };
  service.exports.openOutput = async (...wanted) => {
    const output = await open(...wanted);
    return output && { ...output, address };
  };
  const get = (headers: Record<string, string> = {}, address = url) => fetch(address, { headers, redirect: 'manual' });
  for (const headers of [
    {},
    { 'sec-fetch-dest': 'document' },
    { range: 'bytes=0-9' },
    { 'if-none-match': '"another"' },
  ]) {
    const reply = await get(headers);
    assert.deepEqual(
      [reply.status, reply.headers.get('location'), reply.headers.get('cache-control')],
      [302, 'https://files.example/signed?by=us', 'no-store'],
    );
    await reply.arrayBuffer();
  }
  const disposition = contentDisposition('attachment', 'Süßes.mp4');
  assert.deepEqual(asked[0], { type: 'video/mp4', disposition });
  for (const reply of [
    await get({ 'sec-fetch-dest': 'empty' }),
    await get({ 'sec-fetch-dest': 'video' }),
    await get({}, `${url}?inline`),
    await fetch(url, { method: 'HEAD' }),
  ]) {
    assert.deepEqual([reply.status, reply.headers.get('content-length')], [200, '1000']);
    await reply.arrayBuffer();
  }
  assert.equal((await get({ 'if-none-match': ETAG })).status, 304);
  assert.equal((await get({ 'if-match': '"another"' })).status, 412);
});

test('[C27] ranges work as RFC 9110 says', async (t) => {
  const service = await serve(t);
  const url = await rendered(service);
  const table: readonly [string, number, [number, number] | null][] = [
    ['bytes=0-0', 206, [0, 1]],
    ['bytes=0-499', 206, [0, 500]],
    ['bytes=500-', 206, [500, 1000]],
    ['bytes=-1', 206, [999, 1000]],
    ['bytes=-5000', 206, [0, 1000]],
    ['bytes=999-999', 206, [999, 1000]],
    ['bytes=0-99999999999999999999999', 206, [0, 1000]],
    ['BYTES=1-2', 206, [1, 3]],
    ['bytes= 1-2', 206, [1, 3]],
    ['bytes=1000-', 416, null],
    ['bytes=99999999999999999999-', 416, null],
    ['bytes=-0', 416, null],
    ['bytes=5-4', 200, null],
    ['bytes=99999999999999999999-5', 200, null],
    ['bytes=-', 200, null],
    ['bytes=a-b', 200, null],
    ['bytes=0x1-5', 200, null],
    ['items=0-5', 200, null],
    ['0-5', 200, null],
    ['bytes=0-1,5-6', 200, null],
    [`bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join(',')}`, 200, null],
  ];
  for (const [range, status, part] of table) {
    const reply = await fetch(url, { headers: { range } });
    const body = Buffer.from(await reply.arrayBuffer());
    const shown = range.slice(0, 40);
    assert.equal(reply.status, status, shown);
    if (part !== null) {
      assert.deepEqual(body, VIDEO.subarray(...part), shown);
      assert.equal(reply.headers.get('content-range'), `bytes ${part[0]}-${part[1] - 1}/1000`);
      assert.equal(reply.headers.get('content-length'), String(body.length));
    } else if (status === 416) {
      assert.equal(reply.headers.get('content-range'), 'bytes */1000');
      assert.equal(JSON.parse(String(body)).code, 'request.range');
    } else assert.deepEqual(body, VIDEO, shown);
  }
  const head = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
  assert.equal(head.status, 200, 'a range has no meaning for HEAD');
});

test('[C27] conditions: If-Range, If-None-Match, If-Match', async (t) => {
  const service = await serve(t);
  const url = await rendered(service);
  const table: readonly [Record<string, string>, number][] = [
    [{ range: 'bytes=0-1', 'if-range': ETAG }, 206],
    [{ range: 'bytes=0-1', 'if-range': `W/${ETAG}` }, 200],
    [{ range: 'bytes=0-1', 'if-range': '"other"' }, 200],
    [{ range: 'bytes=5000-', 'if-range': '"other"' }, 200],
    [{ range: 'bytes=0-1', 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 200],
    [{ 'if-none-match': ETAG }, 304],
    [{ 'if-none-match': `"x", W/${ETAG}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': ETAG, range: 'bytes=0-1' }, 304],
    [{ 'if-match': ETAG }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': `W/${ETAG}` }, 412],
    [{ 'if-match': '"x"' }, 412],
  ];
  for (const [headers, status] of table) {
    const reply = await fetch(url, { headers });
    await reply.arrayBuffer();
    assert.equal(reply.status, status, JSON.stringify(headers));
  }
});

test('[C12][C27] a download that is not rendered waits, moves to the front, then streams', async (t) => {
  const service = await serve(t);
  await rendered(service);
  const id = service.exports.onlyId;
  const answer = fetch(`${service.base}/video/exports/${id}/download/square`);
  while (!service.exports.raised.includes('preset_three')) await new Promise(setImmediate);
  await service.exports.complete(id, 'preset_three', VIDEO);
  const reply = await answer;
  assert.equal(reply.status, 200);
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), VIDEO);
});

test('[C27] after the wait limit: 307 to itself; with Prefer: wait=0 immediately 202 and the metadata', async (t) => {
  const service = await serve(t, { waitLimitSeconds: 0.05 });
  await rendered(service);
  const path = `/video/exports/${service.exports.onlyId}/download/preset_two`;
  const later = await fetch(`${service.base}${path}?inline`, { redirect: 'manual' });
  assert.equal(later.status, 307);
  assert.equal(later.headers.get('location'), `${path}?inline`);
  const now = await fetch(`${service.base}${path}`, { headers: { prefer: 'wait=0' } });
  assert.equal(now.status, 202);
  assert.equal(now.headers.get('retry-after'), '2');
  assert.equal(((await now.json()) as { export_id: string }).export_id, service.exports.onlyId);
  // A video is all that this client takes.
  const strict = await fetch(`${service.base}${path}`, { headers: { prefer: 'wait=0', accept: 'video/mp4' } });
  assert.equal(strict.headers.get('retry-after'), '2');
  assert.equal((await problemOf(strict, 404)).code, 'export.not_ready');
});

test('[C27] an unfinished download shows its progress to every client, and the metadata only to its tenant', async (t) => {
  const apiKeys = [
    { tenant: 'ann', key: 'key-of-ann' },
    { tenant: 'bob', key: 'key-of-bob' },
  ];
  const service = await serve(t, { apiKeys });
  const headers = { 'x-api-key': 'key-of-ann', prefer: 'respond-async' };
  const created = (await (await postForm(service, exampleParts(), headers)).json()) as { export_id: string };
  for (const path of ['download/preset_two', 'hls/preset_two/index.m3u8']) {
    const shown = async (key: Record<string, string>) => {
      const address = `${service.base}/video/exports/${created.export_id}/${path}`;
      const reply = await fetch(address, { headers: { ...key, prefer: 'wait=0' } });
      return reply.status === 202 ? Object.keys((await reply.json()) as object) : reply.status;
    };
    const own = await shown({ 'x-api-key': 'key-of-ann' });
    assert.ok(Array.isArray(own) && own.includes('external_id'), `${path}: ${own}`);
    assert.deepEqual(await shown({}), ['ok', 'state', 'progress'], path);
    assert.deepEqual(await shown({ 'x-api-key': 'key-of-bob' }), ['ok', 'state', 'progress'], path);
  }
});

test('[C34] the download of a failed render returns the reason', async (t) => {
  const service = await serve(t);
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  const { export_id: id, download_url } = (await reply.json()) as Record<string, string>;
  await service.exports.fail(id!, 'preset_one', {
    kind: 'invalid',
    code: 'media.unreadable',
    message: 'Broken.',
    issues: [],
  });
  const problem = await problemOf(await fetch(`${service.base}${download_url}`), 422);
  assert.equal(problem.code, 'media.unreadable');
});

test('[C27] no text can break out of the name in the header', async (t) => {
  const service = await serve(t);
  for (const name of [
    'a"; filename="b',
    'a\r\nSet-Cookie: x=1',
    '\u202egpj.exe',
    '<script>',
    'ü'.repeat(5000),
    '🍟 naïve 日本',
    "it's (1)*!",
  ]) {
    const url = await rendered(service, { file_name: name });
    const reply = await fetch(url, { method: 'HEAD' });
    const header = reply.headers.get('content-disposition')!;
    assert.match(header, /^attachment; filename="[^"\\%]*\.mp4"(; filename\*=UTF-8''[A-Za-z0-9%._~-]+)?$/, name);
    assert.equal(reply.headers.get('set-cookie'), null);
  }
  assert.equal(
    contentDisposition('inline', 'naïve 日本.mp4'),
    `inline; filename="naive __.mp4"; filename*=UTF-8''na%C3%AFve%20%E6%97%A5%E6%9C%AC.mp4`,
  );
  assert.match(
    contentDisposition('attachment', 'a"\\\r\n%\ud800'),
    /^attachment; filename="a_____{1,2}"; filename\*=UTF-8''a%22%5C%0D%0A%25%EF%BF%BD$/,
  );
});

test('[C28] the poster is a JPEG with an ETag, and waits like a download; the chapters are text, available from the start', async (t) => {
  const service = await serve(t);
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  const { export_id: id, links } = (await reply.json()) as { export_id: string; links: Record<string, string> };
  const address = `${service.base}${links.poster}`;
  const unready = await fetch(address, { headers: { prefer: 'wait=0' } });
  assert.deepEqual([unready.status, unready.headers.get('retry-after')], [202, '2']);
  assert.equal(((await unready.json()) as { state: string }).state, 'queued');
  const picture = await fetch(address, { headers: { prefer: 'wait=0', accept: 'image/jpeg' } });
  assert.equal((await problemOf(picture, 404)).detail, 'The poster of this export is not ready yet.');
  const waiting = fetch(address);
  const chapters = await fetch(`${service.base}${links.chapters}`);
  assert.equal(chapters.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(await chapters.text(), /^0:00 Snacks, ranked\n0:01 Crackers\n/);
  await service.exports.complete(id, 'preset_one', VIDEO);
  const poster = await waiting;
  assert.equal(poster.headers.get('content-type'), 'image/jpeg');
  assert.equal(await poster.text(), `poster of ${id}`);
  const again = await fetch(`${service.base}${links.poster}`, {
    headers: { 'if-none-match': poster.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
});

test('[C28, C35] the poster of a video that has none is an error, and does not wait', async (t) => {
  const service = await serve(t);
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  const { export_id: id, links } = (await reply.json()) as { export_id: string; links: Record<string, string> };
  await service.exports.complete(id, 'preset_one', VIDEO);
  service.exports.poster = async () => null;
  assert.equal((await problemOf(await fetch(`${service.base}${links.poster}`), 404)).code, 'poster.failed');
});

test('[C33] an unknown preset or short of a known export differs from an unknown export', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = Buffer.from('an MP4');
  const id = ((await (await postForm(service)).json()) as { export_id: string }).export_id;
  const problemAt = async (path: string) => problemOf(await fetch(`${service.base}/video/exports/${id}/${path}`), 404);
  for (const path of ['download/wide', 'hls/wide/index.m3u8']) {
    const { code, detail } = await problemAt(path);
    assert.equal(code, 'export.unknown_preset');
    assert.match(detail, /no preset "wide"; there are preset_one, landscape, preset_two/);
  }
  const { code, detail } = await problemAt('shorts/1');
  assert.equal(code, 'export.unknown_short');
  assert.match(detail, /has no shorts; settings\.shorts/);
});

test('[C27] a video that is deleted between lookup and opening is a plain 404, not a problem named x.mp4', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = Buffer.from('an MP4');
  const id = ((await (await postForm(service)).json()) as { export_id: string }).export_id;
  const open = service.exports.openOutput;
  service.exports.openOutput = async (...asked) => {
    const output = await open(...asked);
    const stream = () => Promise.reject(new ExportError('missing', 'store.blob_missing', 'It is gone.'));
    return output && { ...output, stream };
  };
  for (const headers of [{}, { range: 'bytes=0-1' }]) {
    const reply = await fetch(`${service.base}/video/exports/${id}/download/preset_one`, { headers });
    for (const name of ['content-disposition', 'etag', 'content-range', 'accept-ranges']) {
      assert.equal(reply.headers.get(name), null, name);
    }
    assert.equal((await problemOf(reply, 404)).code, 'export.unknown');
  }
  const created = await postForm(service, undefined, { accept: 'video/mp4' });
  assert.equal((await problemOf(created, 409)).code, 'export.cancelled');
});

test('[C34] a preset that failed beside a working one gives the reason in the metadata, at its address and on the page', async (t) => {
  const service = await serve(t);
  const url = await rendered(service);
  const id = service.exports.onlyId;
  const failure = { kind: 'invalid', code: 'media.broken', message: 'The clip is broken.', issues: [] } as const;
  await service.exports.fail(id, 'preset_two', failure);
  const problem = await problemOf(await fetch(url.replace('preset_one', 'preset_two')), 422);
  assert.deepEqual([problem.code, problem.detail], ['media.broken', 'The clip is broken.']);
  const status = await fetch(`${service.base}/video/exports/${id}`);
  const { ok, outputs } = (await status.json()) as { ok: boolean; outputs: Record<string, Record<string, unknown>> };
  assert.equal(ok, true);
  assert.deepEqual(outputs.preset_two!.error, { code: 'media.broken', detail: 'The clip is broken.', errors: [] });
  assert.ok(!('error' in outputs.preset_one!));
  const page = await fetch(`${service.base}/video/exports/${id}`, { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /failed: The clip is broken\./);
});

test('[C32, H24] a video that is shorter on disk than recorded is a problem, not a body that never ends', async (t) => {
  const service = await serve(t);
  const url = await rendered(service);
  await truncate(await videoFile(service), 600);
  for (const range of ['bytes=0-', 'bytes=0-999', 'bytes=600-', 'bytes=-1', undefined]) {
    const reply = await fetch(url, { headers: range === undefined ? {} : { range } });
    const { code } = await problemOf(reply, 500);
    assert.deepEqual([code, reply.headers.get('content-disposition')], ['store.corrupt_blob', null], range);
  }
  assert.equal(service.logged.filter(({ code, err }) => code === 'store.corrupt_blob' && err !== undefined).length, 5);
  const whole = await fetch(url, { headers: { range: 'bytes=0-599' } });
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), VIDEO.subarray(0, 600));
});

test('[H24] a video that is truncated while it is sent breaks the connection', async (t) => {
  const service = await serve(t);
  const url = await rendered(service, {}, Buffer.alloc(32 * 2 ** 20, 'x'));
  const reply = await fetch(url);
  await truncate(await videoFile(service), 2 ** 20);
  await assert.rejects(reply.arrayBuffer());
  const faults = service.logged.filter(({ msg }) => msg === 'response broken off').map(({ code }) => code);
  assert.deepEqual(faults, ['store.corrupt_blob']);
});

/** The one video that the service keeps. */
async function videoFile({ exports }: Service): Promise<string> {
  const folder = join(exports.fixture.folder, 'blobs', 'exports');
  const files = await readdir(folder, { recursive: true });
  return join(folder, files.find((name) => name.endsWith('.mp4'))!);
}
