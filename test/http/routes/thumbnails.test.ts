import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportThumbnailRequest, ThumbnailRequest } from '../../../src/exports/api/exports-api.ts';
import { FRAMES_POLICY } from '../../exports/exports-fixture.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const PICTURE = {
  ...{ bytes: Buffer.from('a thumbnail'), width: 1280, height: 720 },
  warnings: [{ path: '/x', code: 'field.unknown', message: 'Unknown: “x”.' }],
};

async function exportOf(service: Service, headers: Record<string, string> = {}): Promise<string> {
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async', ...headers });
  return ((await reply.json()) as { export_id: string }).export_id;
}

test('[C92] a thumbnail of documents has the requested format, and takes its fields', async (t) => {
  const service = await serve(t);
  const asked: ThumbnailRequest[] = [];
  service.exports.thumbnail = async (request) => {
    asked.push(request);
    return PICTURE;
  };
  for (const [accept, type, format] of [
    ['*/*', 'image/jpeg', 'jpeg'],
    ['image/png', 'image/png', 'png'],
    ['image/webp, image/png;q=0.5', 'image/png', 'png'],
  ] as const) {
    const form = [
      ...exampleParts(),
      { name: 'style', content: 'versus' },
      { name: 'text', content: '' },
      { name: 'items', content: 'media', fileName: 'items.png' },
    ];
    const reply = await postForm(service, form, { accept }, '/video/thumbnails');
    assert.equal(reply.status, 200, accept);
    assert.equal(reply.headers.get('content-type'), type);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.deepEqual(JSON.parse(reply.headers.get('tiercut-warnings')!), PICTURE.warnings);
    assert.equal(await reply.text(), 'a thumbnail');
    const [one] = asked.splice(0);
    assert.deepEqual([one?.format, one?.texts.get('style'), one?.texts.get('text')], [format, 'versus', '']);
    assert.ok(one?.uploads.has('items'), 'a file may have the name of a field');
  }
  assert.deepEqual(await service.uploadsOnDisk(), [], 'uploads are removed');
  const refused = await postForm(service, exampleParts(), { accept: 'image/webp' }, '/video/thumbnails');
  assert.equal((await problemOf(refused, 406)).code, 'request.not_acceptable');
});

test('[C92] a thumbnail of an export takes its fields from the query', async (t) => {
  const service = await serve(t);
  const id = await exportOf(service);
  const asked: ExportThumbnailRequest[] = [];
  service.exports.exportThumbnail = async (request) => {
    asked.push(request);
    return PICTURE;
  };
  const get = (query: string) => fetch(`${service.base}/video/exports/${id}/thumbnail${query}`);
  const reply = await get('?style=podium&text=&items=a,b&colour=red');
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'image/jpeg');
  assert.deepEqual([...asked[0]!.texts], [['style', 'podium'], ['text', ''], ['items', 'a,b']]); // biome-ignore format: a table
  const warnings = JSON.parse(reply.headers.get('tiercut-warnings')!) as { path: string }[];
  assert.deepEqual(warnings.map(({ path }) => path), ['/colour', '/x']); // biome-ignore format: one line
  const twice = await problemOf(await get('?style=podium&style=board'), 422);
  assert.deepEqual([twice.code, twice.errors[0]?.path], ['field.type', '/style']);
  service.exports.exportThumbnail = async () => null;
  assert.equal((await get('')).status, 404);
});

test('[C92] thumbnails and frames have one limit; other tenants have no such export', async (t) => {
  const keys = ['ann', 'bob'].map((tenant) => ({ tenant, key: `key-of-${tenant}-1234567` }));
  const service = await serve(t, { apiKeys: keys }, { frames: { ...FRAMES_POLICY, maxTenantFrames: 1 } });
  const [ann, bob] = keys.map(({ key }) => ({ 'x-api-key': key }));
  const id = await exportOf(service, ann);
  const path = `${service.base}/video/exports/${id}/thumbnail`;
  const foreign = await fetch(path, { headers: bob! });
  const unknown = await fetch(path.replace(id, crypto.randomUUID()), { headers: bob! });
  assert.deepEqual([foreign.status, unknown.status], [404, 404]);
  assert.equal((await problemOf(foreign, 404)).code, (await problemOf(unknown, 404)).code);
  assert.equal((await fetch(path)).status, 401);
  using _place = service.exports.admitFrame('ann');
  const full = await fetch(path, { headers: ann! });
  assert.equal(full.headers.get('retry-after'), '1');
  assert.equal((await problemOf(full, 429)).code, 'frame.too_many');
  const posted = await postForm(service, exampleParts(), ann, '/video/thumbnails');
  assert.equal((await problemOf(posted, 429)).code, 'frame.too_many');
});

test('[R40] the publishing kit of an export has the addresses of its files', async (t) => {
  const service = await serve(t);
  const id = await exportOf(service);
  const reply = await fetch(`${service.base}/video/exports/${id}/publish.json`);
  assert.equal(reply.status, 200);
  const kit = (await reply.json()) as Record<string, unknown>;
  assert.equal(kit.thumbnail, `/video/exports/${id}/thumbnail`);
  assert.equal(kit.title, 'Snacks, ranked');
  assert.deepEqual((kit.tags as string[]).slice(0, 1), ['tier list']);
  const unknown = await fetch(`${service.base}/video/exports/${crypto.randomUUID()}/publish.json`);
  assert.equal((await problemOf(unknown, 404)).code, 'export.unknown');
});
