import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ThumbnailPicture } from '../../../src/exports/api/exports-api.ts';
import { readImageHeader } from '../../../src/image-header/read-image-header.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const CLIP = await makeClip({ frames: 30, width: 96, height: 96 });
const PICTURE = await makeClip({
  ...{ frames: 1, width: 64, height: 64, codec: 'png' },
  ...{ container: 'image2', muxOptions: { update: 1 } },
});
const DOCUMENTS = {
  tier_list: {
    title: 'Two',
    rows: [
      { id: 'S', item_ids: ['a'] },
      { id: 'F', item_ids: ['b'] },
    ],
    items: [{ id: 'a', file_field: 'pic' }, { id: 'b' }],
  },
  timeline_data: { videos: [{ file_field: 'clip' }] },
  settings: { width: 160, height: 90 },
};
const FILES = { clip: CLIP.file, pic: PICTURE.file };

let fixture: ExportsFixture;
before(async () => {
  fixture = await ExportsFixture.open();
});
after(() => fixture[Symbol.asyncDispose]());

/** Requests a thumbnail; the files are removed afterwards, as HTTP does. */
async function thumbnail(
  looks: Readonly<Record<string, string>>,
  {
    documents = DOCUMENTS,
    files = FILES,
    tenant = 'default',
  }: {
    documents?: { tier_list?: object; timeline_data: object; settings?: object };
    files?: Readonly<Record<string, string>>;
    tenant?: string;
  } = {},
): Promise<ThumbnailPicture> {
  const { texts, uploads } = fixture.submission(documents, files);
  using _place = fixture.api.admitFrame(tenant);
  const all = new Map([...texts, ...Object.entries(looks)]);
  try {
    return await fixture.api.thumbnail({ tenant, texts: all, uploads, format: 'png' }, new AbortController().signal);
  } finally {
    for (const { path } of uploads.values()) rmSync(path, { force: true });
  }
}

async function ofExport(id: string, looks: Readonly<Record<string, string>> = {}, tenant = 'default') {
  const wanted = { tenant, id, texts: new Map(Object.entries(looks)), format: 'png' } as const;
  return await fixture.api.exportThumbnail(wanted, new AbortController().signal);
}

test('[C92] a thumbnail of documents and that of their export are the same picture', async () => {
  const { bytes, width, height, warnings } = await thumbnail({ style: 'podium' });
  assert.deepEqual([width, height, warnings], [1280, 720, []]);
  assert.equal(readImageHeader(bytes).format, 'png');
  const submission = fixture.submission(DOCUMENTS, FILES);
  const { id } = await fixture.api.submit(submission, new AbortController().signal);
  const again = await ofExport(id, { style: 'podium' });
  assert.ok(again?.bytes.equals(bytes));
  const other = await ofExport(id, { style: 'podium', text: 'Mine', orientation: 'portrait' });
  assert.deepEqual([other?.width, other?.height], [720, 1280]);
  assert.equal(await ofExport(id, {}, 'other'), null, 'another tenant has no such export');
  await assert.rejects(ofExport(id, { items: 'nobody' }), { code: 'item.unknown', path: '/items' });
});

test('[C92] a thumbnail of an export opens the pictures that it shows, and nothing else', async () => {
  const submission = fixture.submission(DOCUMENTS, FILES);
  const { id } = await fixture.api.submit(submission, new AbortController().signal);
  await ofExport(id, { items: 'b' });
  const work = join(fixture.folder, 'work');
  const lent = readdirSync(work).filter((name) => existsSync(join(work, name, 'lent')));
  const counts = lent.map((name) => readdirSync(join(work, name, 'lent')).length);
  assert.ok(counts.includes(0), `${counts}`);
});

test('[C92] all errors of a request come at once', async () => {
  const codes = async (looks: Readonly<Record<string, string>>, more: Parameters<typeof thumbnail>[1] = {}) => {
    const error = await thumbnail(looks, more).then(
      () => null,
      (thrown: { issues: { path: string; code: string }[] }) => thrown,
    );
    return error?.issues.map(({ path, code }) => `${path} ${code}`);
  };
  const broken = { ...DOCUMENTS, settings: { width: 'wide' } };
  assert.deepEqual(await codes({ style: 'x', orientation: 'square', text: 'x'.repeat(101) }, { documents: broken }), [
    '/style field.choice',
    '/text field.range',
    '/orientation field.choice',
    '/settings/width field.type',
  ]);
  assert.deepEqual(await codes({}, { files: { clip: CLIP.file } }), [
    '/tier_list/items/0/file_field media.not_uploaded',
  ]);
  assert.deepEqual(await codes({ style: 'board', items: 'a' }), ['/items thumbnail.items']);
});

test('[C92, R12] a broken picture is a name card and a warning; hostile ids and texts are only texts', async () => {
  const { warnings } = await thumbnail({}, { files: { clip: CLIP.file, pic: CLIP.file } });
  assert.deepEqual(warnings.map(({ code }) => code), ['item.no_image']); // biome-ignore format: one line
  await assert.rejects(thumbnail({ items: '__proto__,constructor' }), { code: 'request.invalid' });
  await assert.rejects(thumbnail({ items: ','.repeat(5000) }), { code: 'item.unknown' });
  const nasty = '\u202e<b>{{x}}\0\n\ud800 🍕';
  assert.ok((await thumbnail({ text: nasty, style: 'versus' })).bytes.length > 0);
});
