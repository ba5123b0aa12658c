import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import type { FrameFormat, FramePicture } from '../../../src/exports/api/exports-api.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import type { Frames } from '../../../src/time.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { facts, picture as pictureFacts, plan } from '../../request-builder.ts';
import { seen } from '../../service/export-client.ts';
import { descendantsOf } from '../../service/process-tree.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const CLIP = await makeClip({ frames: 60, width: 160, height: 90 });
const OTHER = await makeClip({ frames: 30, width: 96, height: 96 });
const PICTURE = await makeClip({
  ...{ frames: 1, width: 64, height: 64, codec: 'png' },
  ...{ container: 'image2', muxOptions: { update: 1 } },
});

const DOCUMENTS = {
  tier_list: { title: 'T', rows: [{ id: 'S', item_ids: ['a'] }], items: [{ id: 'a', file_field: 'pic' }] },
  timeline_data: {
    videos: [{ file_field: 'clip' }],
    tier_blocks: [{ start: 1, duration: 1, x_percent: 50, width_percent: 50 }],
    tier_tiles: [{ tier_item_id: 'a', position: 1.2 }],
    subtitles: [{ text: 'Hello', start: 0.5, duration: 1 }],
  },
  settings: { width: 160, height: 90 },
};
const FILES = { clip: CLIP.file, pic: PICTURE.file };

let fixture: ExportsFixture;
before(async () => {
  fixture = await ExportsFixture.open();
});
after(() => fixture[Symbol.asyncDispose]());

/** Requests a frame; the files are removed afterwards, as HTTP does. */
async function frame(
  place: Readonly<Record<string, string>>,
  {
    documents = DOCUMENTS,
    files = FILES,
    format = 'png',
    tenant = 'default',
    signal = new AbortController().signal,
  }: {
    documents?: { tier_list?: object; timeline_data: object; settings?: object };
    files?: Readonly<Record<string, string>>;
    format?: FrameFormat;
    tenant?: string;
    signal?: AbortSignal;
  } = {},
): Promise<FramePicture> {
  const { texts, uploads } = fixture.submission(documents, files);
  using _place = fixture.api.admitFrame(tenant);
  const all = new Map([...texts, ...Object.entries(place)]);
  try {
    return await fixture.api.frame({ tenant, texts: all, uploads, format }, signal);
  } finally {
    for (const { path } of uploads.values()) rmSync(path, { force: true });
  }
}

async function pixels(png: Buffer): Promise<Uint8ClampedArray> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height).data;
}

/** The running children: each can see what is under work/<folder>/lent. */
function lentFolders(): string[] {
  const work = join(fixture.folder, 'work');
  return readdirSync(work).filter((name) => existsSync(join(work, name, 'lent')));
}

test('[C39] a frame equals the rendered frame before encoding, to the pixel', async () => {
  const media = { clip: facts('clip', { width: 160, height: 90, duration: 2 }), pic: pictureFacts('pic', 64, 64) };
  const planned = plan(DOCUMENTS, media);
  const files = new Map(planned.sources.map(({ field }, at) => [at, FILES[field as 'clip' | 'pic']]));
  const byField = new Map(Object.entries(FILES));
  const painter = await SkiaPainter.create({ plan: planned, files: byField });
  for (const n of [0, 17, 40, 59]) {
    const { bytes, frame: shown, totalFrames, width, height } = await frame({ frame: String(n) });
    assert.deepEqual([shown, totalFrames, width, height], [n, 60, 160, 90]);
    const still = await renderStill({
      ...{ plan: planned, files, painter, limits: DEFAULT_MEDIA_LIMITS, frame: n as Frames },
    });
    assert.deepEqual(Buffer.from(await pixels(bytes)), Buffer.from(still.rgba), `frame ${n}`);
  }
});

test('[C39, R2] a time means the frame on screen at that time; the very end means the last one', async () => {
  for (const [at, n, seconds] of [
    ['0', 0, 0],
    ['0.0999', 2, 0.066667],
    ['0.1', 3, 0.1],
    ['2', 59, 1.966667],
  ] as const) {
    const shown = await frame({ at });
    assert.deepEqual([shown.frame, Number(shown.seconds.toFixed(6))], [n, seconds], at);
  }
});

test('[C39] a frame outside the video is an error that names the range', async () => {
  await assert.rejects(frame({ at: '2.1' }), { code: 'frame.outside', path: '/at', message: /lasts 2 s/ });
  await assert.rejects(frame({ frame: '60' }), { code: 'frame.outside', path: '/frame', message: /0 to 59/ });
  await assert.rejects(frame({}), { code: 'field.required', message: /"at".*"frame"/ });
  await assert.rejects(frame({ at: '1', frame: '1' }), { code: 'frame.named_twice' });
  await assert.rejects(frame({ at: '-1', preset: 'round' }), { code: 'request.invalid' });
  const files = { clip: CLIP.file };
  await assert.rejects(frame({ at: '0' }, { files }), {
    code: 'media.not_uploaded',
    path: '/tier_list/items/0/file_field',
  });
});

test('[C39] each preset has its own frame', async () => {
  const { width, height } = await frame({ at: '0', preset: 'preset_three' }, { format: 'jpeg' });
  assert.deepEqual([width, height], [96, 96]);
  const { bytes } = await frame({ at: '0' }, { format: 'webp' });
  assert.equal(bytes.toString('latin1', 8, 12), 'WEBP');
});

test('[C39] warnings of the plan and of the picture are returned', async () => {
  const timeline_data = { ...DOCUMENTS.timeline_data, colour: 'red' };
  const files = { ...FILES, pic: OTHER.file };
  const { warnings } = await frame({ at: '0' }, { documents: { ...DOCUMENTS, timeline_data }, files });
  assert.deepEqual(warnings.map(({ code }) => code).slice(0, 1), ['field.unknown']);
  assert.ok(warnings.length > 1, JSON.stringify(warnings));
});

test('[C39] a child serves one tenant only', async () => {
  await frame({ at: '0' });
  const before = lentFolders();
  await frame({ at: '1' });
  assert.deepEqual(lentFolders(), before, 'the next frame of the same media is shown by the same child');
  await frame({ at: '1' }, { tenant: 'other' });
  const [own] = lentFolders().filter((name) => !before.includes(name));
  assert.ok(own !== undefined, 'another tenant has another child, though it has the same media');
  const less = { videos: [{ file_field: 'clip' }] };
  await frame({ at: '1' }, { documents: { timeline_data: less }, files: { clip: CLIP.file }, tenant: 'other' });
  assert.ok(
    lentFolders().some((name) => name !== own && !before.includes(name)),
    'nor is it shown by one that has seen more',
  );
  await seen('two that wait, at the most', () => lentFolders().length <= 2);
});

test('[C39] a closed connection frees its place for the next request', async () => {
  const abort = new AbortController();
  const asked = frame({ at: '1' }, { tenant: 'leaver', signal: abort.signal });
  abort.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  assert.equal((await frame({ at: '1' }, { tenant: 'leaver' })).frame, 30);
});

test('[C39, H39] concurrent frames are limited per tenant and in total', () => {
  using held = new DisposableStack();
  for (let n = 0; n < 4; n++) held.use(fixture.api.admitFrame('greedy'));
  assert.throws(() => fixture.api.admitFrame('greedy'), { code: 'frame.too_many', kind: 'unavailable' });
  for (const tenant of ['a', 'b', 'c', 'd']) held.use(fixture.api.admitFrame(tenant));
  assert.throws(() => fixture.api.admitFrame('e'), { code: 'frame.too_many' });
});

test('[C39] media that crash every child are an error at their entry', async () => {
  const files = { ...FILES, clip: join(import.meta.dirname, 'show-frame.test.ts') };
  await assert.rejects(frame({ at: '0' }, { files }), { path: '/timeline_data/videos/0/file_field' });
});

test('[C39] after shutdown, no child, no folder and no file is left', async () => {
  const stopped = await ExportsFixture.open();
  const { texts, uploads } = stopped.submission(DOCUMENTS, FILES);
  const request = { tenant: 'default', texts: new Map([...texts, ['at', '0']]), uploads, format: 'png' } as const;
  await stopped.api.frame(request, new AbortController().signal);
  const children = descendantsOf(process.pid).length;
  await stopped.stop();
  assert.ok(descendantsOf(process.pid).length < children);
  const left = readdirSync(join(stopped.folder, 'work'));
  assert.deepEqual(left.sort(), [...uploads.values()].map(({ path }) => path.split('/').at(-1)).sort());
  assert.equal(existsSync(join(stopped.folder, 'blobs', 'uploads')), false);
  rmSync(stopped.folder, { recursive: true });
});
