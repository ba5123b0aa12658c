import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { readManifest } from '../../../src/archive/project-archive.ts';
import { readZip } from '../../../src/archive/zip-file.ts';
import * as texts from '../../../src/studio/texts/en/zip-file.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { problemOf, type Service, serve } from '../serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567' },
  { tenant: 'bob', key: 'key-of-bob-1234567' },
];
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function sum(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function send(
  { base }: Service,
  method: string,
  path: string,
  body?: Buffer | string,
  headers: Record<string, string> = {},
  tenant = 0,
): Promise<Response> {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) };
  return fetch(`${base}${path}`, { method, headers: { 'x-api-key': KEYS[tenant]!.key, ...headers }, ...sent });
}

async function saved(service: Service, id: string, project: object, etag?: string): Promise<string> {
  const reply = await send(
    service,
    'PUT',
    `/projects/${id}`,
    JSON.stringify(project),
    etag ? { 'if-match': etag } : {},
  );
  assert.ok(reply.ok, await reply.clone().text());
  return reply.headers.get('etag')!;
}

async function archiveOf(service: Service, id: string) {
  const reply = await send(service, 'GET', `/projects/${id}/archive`);
  assert.equal(reply.status, 200);
  const whole = await reply.blob();
  assert.equal(whole.size, Number(reply.headers.get('content-length')));
  const files = await readZip(whole, texts);
  const text = async (path: string) => (await files.get(path)!(2 ** 24)).text();
  return { reply, files, text, manifest: readManifest(JSON.parse(await text('archive.json'))) };
}

function keyed(t: TestContext): Promise<Service> {
  return serve(t, { apiKeys: KEYS });
}

test('[C89] an archive has the project file, every revision as it was saved, their media, the thumbnail and the links', async (t) => {
  const service = await keyed(t);
  const described = await DescribedReplies.of(service);
  const [clip, old] = [Buffer.from('a clip'), Buffer.from('an old clip')];
  for (const bytes of [clip, old]) await send(service, 'PUT', `/media/${sum(bytes)}`, bytes);
  const id = randomUUID();
  const first = { name: 'Før / "one"', timeline_data: {}, media_refs: { clip: sum(old), gone: sum('never sent') } };
  const second = {
    ...{ name: 'Second', tier_list: { title: 'T' }, timeline_data: {} },
    media: { clip: 'Holiday.MP4', web: 'https://example.com/a.png' },
    media_refs: { clip: sum(clip).toUpperCase(), gone: sum('never sent') },
  };
  await saved(service, id, second, await saved(service, id, first));
  await send(service, 'PUT', `/projects/${id}/thumbnail`, PNG, { 'content-type': 'image/png' });
  await send(service, 'POST', `/projects/${id}/links`);

  const { reply, files, text, manifest } = await archiveOf(service, id);
  await described.check('GET /projects/{project_id}/archive', await send(service, 'GET', `/projects/${id}/archive`));
  assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="Second.zip"');
  assert.deepEqual([...files.keys()].toSorted(), [
    'MISSING.txt',
    'archive.json',
    ...[`media/${sum(old)}`, `media/${sum(clip)}.mp4`].toSorted(),
    ...['project.json', 'revisions/1.json', 'revisions/2.json', 'thumbnail.png'],
  ]);
  assert.equal(await text('revisions/1.json'), JSON.stringify(first));
  assert.equal(await text('revisions/2.json'), JSON.stringify(second));
  assert.equal(await text(`media/${sum(clip)}.mp4`), 'a clip');
  assert.deepEqual(JSON.parse(await text('project.json')), {
    ...{ name: 'Second', tier_list: { title: 'T' }, timeline_data: {} },
    media: { clip: `media/${sum(clip)}.mp4`, web: 'https://example.com/a.png' },
    media_refs: { gone: sum('never sent') },
  });
  assert.deepEqual(manifest.missing, [sum('never sent')]);
  assert.match(await text('MISSING.txt'), new RegExp(`"Second" refers to media.*\\n\\n {2}${sum('never sent')}`));
  assert.equal(manifest.links.length, 1);
  assert.deepEqual(
    manifest.revisions.map(({ revision, name, sha256 }) => [revision, name, sha256]),
    [
      [1, first.name, sum(JSON.stringify(first))],
      [2, 'Second', sum(JSON.stringify(second))],
    ],
  );
});

test('[C89] nobody else gets an archive, and an unknown project has none', async (t) => {
  const service = await keyed(t);
  const id = randomUUID();
  await saved(service, id, { name: 'Private' });
  for (const [asked, tenant] of [
    [id, 1],
    [randomUUID(), 0],
  ] as const) {
    const reply = await send(service, 'GET', `/projects/${asked}/archive`, undefined, {}, tenant);
    assert.equal((await problemOf(reply, 404)).code, 'project.unknown');
  }
});

test('[C89] an archive of a thousand media is sent, and of one that somebody leaves nothing stays open', async (t) => {
  const service = await keyed(t);
  const id = randomUUID();
  const references: Record<string, string> = {};
  for (let n = 0; n < 1_000; n += 1) {
    const bytes = Buffer.from(`medium ${n}`);
    if (n < 300) assert.ok((await send(service, 'PUT', `/media/${sum(bytes)}`, bytes)).ok);
    references[`m${n}`] = sum(bytes);
  }
  await saved(service, id, { name: 'Many', media_refs: references });
  const { files, manifest } = await archiveOf(service, id);
  assert.deepEqual([manifest.media.length, manifest.missing.length], [300, 700]);
  assert.equal(files.size, 300 + 4);
  const left = await send(service, 'GET', `/projects/${id}/archive`);
  await left.body!.cancel();
  assert.equal((await archiveOf(service, id)).files.size, 304);
});
