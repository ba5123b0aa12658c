import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { ExportsFixture } from '../../exports/exports-fixture.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { problemOf, serveExports } from '../serve.ts';

const CLIP = readFileSync((await makeClip({ frames: 30, width: 128, height: 72, sound: { seconds: 1 } })).file);
const MARK = '\uFEFF';
const SILENT = 'data that is neither a picture nor a sound, number ';

interface ListedMedia {
  readonly media: string;
  readonly bytes: number;
  readonly kind: string | null;
  readonly used_at: string;
  readonly used_by: readonly { readonly kind: string; readonly id: string; readonly path: string }[];
}

interface MediaPage {
  readonly media: readonly ListedMedia[];
  readonly next: string | null;
  readonly warnings: readonly { readonly path: string }[];
}

async function open(t: TestContext) {
  const exports = await ExportsFixture.open();
  const tenants = ['ann', 'bob'] as const;
  const apiKeys = tenants.map((tenant) => ({ tenant, key: `key-of-${tenant}-1234567` }));
  const { base } = await serveExports(t, exports, { apiKeys });
  const of = (tenant: (typeof tenants)[number]) => ({
    ask: (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer key-of-${tenant}-1234567`, prefer: 'respond-async', ...init.headers };
      return fetch(base + path, { ...init, headers });
    },
  });
  const [ann, bob] = [of('ann'), of('bob')];
  const put = async (bytes: Buffer | string, by = ann): Promise<string> => {
    const body = new Uint8Array(Buffer.from(bytes));
    const sha256 = createHash('sha256').update(body).digest('hex');
    assert.ok((await by.ask(`/media/${sha256}`, { method: 'PUT', body })).ok);
    return sha256;
  };
  const list = async (query = '', by = ann) => (await (await by.ask(`/media${query}`)).json()) as MediaPage;
  const create = async (form: FormData, by = ann): Promise<string> => {
    const reply = await by.ask('/video/exports', { method: 'POST', body: form });
    assert.equal(reply.status, 202, await reply.clone().text());
    return ((await reply.json()) as { export_id: string }).export_id;
  };
  return { exports, ann, bob, put, list, create };
}

function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

test('[C94] stored files are listed, last used first, with what uses them; only those of the tenant', async (t) => {
  const { exports, ann, put, list, create, bob } = await open(t);
  const clip = await put(CLIP);
  const others: string[] = [];
  for (let n = 0; n < 4; n += 1) others.unshift(await put(SILENT + n));
  await put(`${SILENT}of bob`, bob);
  const timeline_data = '{"videos":[{"file_field":"clip"},{"file_field":"again"}]}';
  const form = {
    tier_list: '{"rows":[],"items":[]}',
    timeline_data,
    media_refs: JSON.stringify({ clip, again: clip }),
  };
  const id = await create(formOf(form));
  const project = crypto.randomUUID();
  const saved = await ann.ask(`/projects/${project}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify({ name: 'Uses it', media_refs: { clip } }),
  });
  assert.equal(saved.status, 201, await saved.text());

  const all = await list();
  assert.deepEqual([all.next, all.warnings], [null, []]);
  assert.deepEqual(new Set(all.media.map(({ media }) => media)), new Set([clip, ...others]));
  const times = all.media.map(({ used_at }) => used_at);
  assert.deepEqual(times, times.toSorted().toReversed());
  const listed = all.media.find(({ media }) => media === clip)!;
  assert.deepEqual([listed.kind, listed.bytes], ['video', CLIP.length]);
  // After an upgrade it is read again when it is used; what it is stays known.
  const { media, database } = exports.ports;
  const { json } = (await media.find('ann', clip, database))!.facts!;
  await media.setFacts('ann', clip, { json, by: 'an older engine' }, database);
  assert.equal((await list()).media.find((one) => one.media === clip)!.kind, 'video');
  assert.deepEqual(listed.used_by, [
    { kind: 'export', id, path: `/video/exports/${id}` },
    { kind: 'project', id: project, path: `/projects/${project}` },
  ]);
  assert.deepEqual(
    all.media.filter(({ media }) => media !== clip).flatMap(({ used_by }) => used_by),
    [],
  );

  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=2${cursor}`);
    assert.ok(page.media.length <= 2);
    paged.push(...page.media.map(({ media }) => media));
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  assert.deepEqual(
    paged,
    all.media.map(({ media }) => media),
  );
  assert.deepEqual((await list('', bob)).media.length, 1);
  assert.deepEqual(
    (await list('?limti=2')).warnings.map(({ path }) => path),
    ['/limti'],
  );
  for (const query of ['?limit=0', '?limit=101', '?cursor=x', `?cursor=${Buffer.from('1 2').toString('base64url')}`])
    await problemOf(await ann.ask(`/media${query}`), 422);
});

test('[C94] the documents of an export are returned as they were sent; with its files they make it again', async (t) => {
  const { ann, bob, create } = await open(t);
  const tier_list = '{ "rows": [ ], "items":[],   "title": "Größe \\u00e9" }';
  const timeline_data = `${MARK}{"videos":[{"file_field":"clip","duration":1.50}]}`;
  const settings = '{"quality":"draft"}';
  const sent = {
    tier_list,
    timeline_data: new Blob([timeline_data]),
    settings,
    clip: new Blob([new Uint8Array(CLIP)]),
  };
  const id = await create(formOf({ ...sent, callback_url: 'https://hooks.example/a-secret' }));
  const reply = await ann.ask(`/video/exports/${id}/documents`);
  assert.deepEqual([reply.status, reply.headers.get('cache-control')], [200, 'no-store']);
  const text = await reply.text();
  assert.ok(text.includes(tier_list) && text.includes('1.50') && !text.includes(MARK), text);
  const { ok, export_id, ...documents } = JSON.parse(text);
  const clip = createHash('sha256').update(CLIP).digest('hex');
  assert.deepEqual([ok, export_id, documents.media_refs], [true, id, { clip }]);
  assert.deepEqual(Object.keys(documents).toSorted(), ['media_refs', 'settings', 'tier_list', 'timeline_data']);
  const again = await ann.ask('/video/exports', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(documents),
  });
  assert.equal(again.status, 202, await again.text());

  assert.equal((await problemOf(await bob.ask(`/video/exports/${id}/documents`), 404)).code, 'export.unknown');
  assert.equal((await ann.ask(`/video/exports/${id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await problemOf(await ann.ask(`/video/exports/${id}/documents`), 404)).code, 'export.unknown');
});
