import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeClip } from '../../fixtures/clips.ts';
import { problemOf } from '../../http/serve.ts';
import { uploadFile } from '../../stored-files.ts';
import { createAsync, download, ended, eventsOf, metadataOf, post, reached, statusOf } from '../export-client.ts';
import { longRequest, sampleRequest, TIER_LIST } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

test('[C32][C33, H21] problem documents give cause and path, and no internals', async () => {
  await using service = await ServiceFixture.start({ TIERCUT_MAX_FILE_BYTES: '40KiB', TIERCUT_MAX_JSON_BYTES: '2KiB' });
  const url = `${service.base}/video/exports`;
  const text = { 'content-type': 'text/plain' };
  const { documents, files } = sampleRequest();
  const replies: [string, number, Promise<Response>][] = [
    ['neither multipart nor JSON', 415, fetch(url, { method: 'POST', headers: text, body: '{}' })],
    ['bad JSON', 400, post(service, { documents: { ...documents, timeline_data: '{"videos": [' }, files: files! })],
    ['not media', 422, post(service, { documents, files: { ...files, clip: new Blob(['#EXTM3U\nclip.ts\n']) } })],
    ['a large file', 413, post(service, { documents, files: { clip: new Blob([new Uint8Array(50_000)]) } })],
    ['a large text', 413, post(service, { documents: { ...documents, settings: ' '.repeat(3000) }, files: files! })],
    ['an unknown export', 404, fetch(`${url}/3f0e4f4e-6d3c-4c58-9a0d-1c1b2f3a4d5e`)],
    ['no export at all', 404, fetch(`${url}/../../etc/passwd`)],
    ['a wrong method', 405, fetch(url, { method: 'PUT' })],
    ['a wrong key header', 400, post(service, sampleRequest(), { 'idempotency-key': '\tx'.repeat(200) })],
  ];
  for (const [what, status, reply] of replies) {
    const { detail, errors } = await problemOf(await reply, status);
    const said = JSON.stringify([detail, errors]);
    assert.doesNotMatch(said, /node_modules|\.ts:|\/tmp|libav|avcodec|ENOENT/i, what);
    assert.ok(detail.length > 10, what);
  }
  // Renders of earlier exports may still be at work in it.
  await reached('an empty work folder', () => service.files('work').length === 0);
  assert.deepEqual(service.files('blobs'), []);
});

test('[C90] what only a painter finds is an error of a strict request, and a warning of another', async () => {
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const items = [{ ...TIER_LIST.items[0]!, name: 'One \u{13000}' }, TIER_LIST.items[1]!];
  const request = sampleRequest({ tier_list: { ...TIER_LIST, items } });
  const strict = { prefer: 'handling=strict, respond-async' };
  const hieroglyph = ['/tier_list/items/0/name paint.glyph_missing'];
  const short = ({ path, code }: { path: string; code: string }) => `${path} ${code}`;
  for (const path of ['/video/exports', '/video/exports/validate']) {
    const refused = await problemOf(await post(service, request, strict, path), 422);
    assert.deepEqual(refused.errors!.map(short), hieroglyph, path);
    const legible = await post(service, sampleRequest(), strict, path);
    assert.ok(legible.ok, `${path}: ${await legible.text()}`);
    assert.match(legible.headers.get('preference-applied')!, /handling=strict$/);
  }
  const { export_id: id } = await createAsync(service, request);
  await ended(service, id);
  assert.deepEqual((await statusOf(service, id)).warnings.map(short), hieroglyph);
});

test('[C33] a full queue returns 429, a full disk 507, both with Retry-After, and both are temporary', async () => {
  await using service = await ServiceFixture.start({ TIERCUT_MAX_WAITING: '1', TIERCUT_PRERENDER: 'selected' });
  const running = await createAsync(service, longRequest(1200, { label: 'running' }));
  for await (const { data } of eventsOf(service, running.export_id)) if (data.state === 'rendering') break;
  const waiting = await createAsync(service, sampleRequest());
  const crowded = await post(service, sampleRequest());
  assert.equal(crowded.headers.get('retry-after'), '15');
  assert.equal((await problemOf(crowded, 429)).code, 'queue.full');
  await fetch(`${service.base}/video/exports/${running.export_id}`, { method: 'DELETE' });
  await ended(service, waiting.export_id);
  await metadataOf(await post(service, sampleRequest()), 201);
  await service.stop();
  await service.start({ TIERCUT_MIN_FREE_DISK_PERCENT: '100' });
  const full = await post(service, sampleRequest());
  assert.ok(Number(full.headers.get('retry-after')) > 0);
  assert.equal((await problemOf(full, 507)).code, 'disk.full');
  assert.equal((await fetch(`${service.base}/readyz/intake`)).status, 503);
  assert.equal((await fetch(`${service.base}/readyz`)).status, 200);
  assert.equal((await statusOf(service, waiting.export_id)).state, 'completed', 'what is there can still be had');
});

test('[C33, H19] with keys, an export belongs to its tenant; to all others it does not exist', async () => {
  const keys = { ann: 'ann-key-0123456789', bob: 'bob-key-0123456789' };
  await using service = await ServiceFixture.start({
    TIERCUT_API_KEYS: `ann:${keys.ann},bob:${keys.bob}`,
    TIERCUT_PRERENDER: 'selected',
  });
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  await problemOf(await post(service, sampleRequest()), 401);
  await problemOf(await post(service, sampleRequest(), as('wrong-key-0123456789')), 401);
  const made = await metadataOf(await post(service, sampleRequest(), as(keys.ann)), 201);
  const url = `${service.base}/video/exports/${made.export_id}`;
  const never = `${service.base}/video/exports/3f0e4f4e-6d3c-4c58-9a0d-1c1b2f3a4d5e`;
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/events'],
    ['GET', '/deliveries'],
    ['DELETE', ''],
  ]) {
    const [theirs, unknown] = await Promise.all(
      [url, never].map((address) => fetch(`${address}${path}`, { method: method!, headers: as(keys.bob) })),
    );
    assert.deepEqual([theirs!.status, await theirs!.text()], [404, await unknown!.text()], `${method} ${path}`);
  }
  assert.equal((await fetch(url, { headers: { 'x-api-key': keys.ann } })).status, 200);
  assert.equal((await fetch(`${service.base}${made.download_url}`)).status, 200, 'the address itself is the key');
  assert.equal((await fetch(`${service.base}${made.links.poster}`)).status, 200);
  assert.equal((await fetch(`${service.base}/docs`)).status, 200);
});

test('[C33] requests over the limit per minute get 429', async () => {
  await using service = await ServiceFixture.start({ TIERCUT_REQUESTS_PER_MINUTE: '3' });
  const url = `${service.base}/video/exports/3f0e4f4e-6d3c-4c58-9a0d-1c1b2f3a4d5e`;
  for (let n = 0; n < 3; n += 1) await problemOf(await fetch(url), 404);
  const over = await fetch(url);
  assert.ok(Number(over.headers.get('retry-after')) > 0);
  assert.equal((await problemOf(over, 429)).code, 'rate.exceeded');
  assert.equal((await fetch(`${service.base}/healthz`)).status, 200);
});

test('[C34][C35, H26] an export whose media do not render fails alone, at its entry; other exports complete', async () => {
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const first = await createAsync(service, longRequest(60, { label: 'before' }));
  // Accepted, then damaged on the disk: what only shows once it is rendered.
  const poison = await makeClip({ frames: 30, width: 96, height: 64 });
  const request = sampleRequest();
  const poisoned = await createAsync(service, { ...request, files: { ...request.files, clip: poison.file } });
  const hash = createHash('sha256').update(readFileSync(poison.file)).digest('hex');
  // As long as before: what has another length is noticed, and replaced, when the same file comes again.
  const damaged = Buffer.alloc(statSync(poison.file).size, 'no video any more');
  writeFileSync(uploadFile(service.folder, hash)!, damaged);
  const waiting = post(service, { ...request, files: { ...request.files, clip: poison.file } });
  const last = await createAsync(service, sampleRequest({ settings: { quality: 'draft' } }));
  const failed = await reached('its failure', async () => {
    const now = await statusOf(service, poisoned.export_id);
    return now.state === 'failed' ? now : null;
  });
  assert.equal(failed.ok, false);
  assert.deepEqual(
    failed.error!.errors.map(({ path }) => path),
    ['/timeline_data/videos/0'],
  );
  const sync = await problemOf(await waiting, 422);
  assert.equal(sync.errors[0]!.path, '/timeline_data/videos/0');
  for (const { export_id } of [first, last]) {
    await fetch(`${service.base}/video/exports/${export_id}/download/preset_one`, { method: 'HEAD' });
    const metadata = await statusOf(service, export_id);
    assert.equal(metadata.state, 'completed');
    await download(service, metadata, 'preset_one');
  }
});
