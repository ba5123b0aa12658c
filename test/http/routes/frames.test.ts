import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameRequest } from '../../../src/exports/api/exports-api.ts';
import { FRAMES_POLICY } from '../../exports/exports-fixture.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const PICTURE = {
  ...{ bytes: Buffer.from('a picture'), width: 64, height: 36, frame: 45, totalFrames: 300, seconds: 1.5 },
  warnings: [{ path: '/x', code: 'field.unknown', message: 'Unknown: “x”.' }],
};

const parts = (...more: readonly { name: string; content: string; fileName?: string }[]) => [
  ...exampleParts(),
  ...more,
];

/** The requests to a service that returns one picture for everything. */
function answerAll(service: Service): FrameRequest[] {
  const asked: FrameRequest[] = [];
  service.exports.frame = async (request) => {
    asked.push(request);
    return PICTURE;
  };
  return asked;
}

test('[C39] a frame has the requested picture format, and its headers say which frame it is', async (t) => {
  const service = await serve(t);
  const frames = answerAll(service);
  for (const [accept, type, format] of [
    ['*/*', 'image/png', 'png'],
    ['image/*', 'image/png', 'png'],
    ['image/jpeg', 'image/jpeg', 'jpeg'],
    ['image/webp, image/png;q=0.5', 'image/webp', 'webp'],
  ] as const) {
    const form = parts({ name: 'at', content: '1.5' }, { name: 'preset', content: 'portrait' });
    const reply = await postForm(service, form, { accept }, '/video/frames');
    assert.equal(reply.status, 200, accept);
    assert.equal(reply.headers.get('content-type'), type);
    assert.equal(await reply.text(), 'a picture');
    const [asked] = frames.splice(0);
    assert.deepEqual([asked?.format, asked?.texts.get('at'), asked?.texts.get('preset')], [format, '1.5', 'portrait']);
    const reported = ['tiercut-frame', 'tiercut-frames', 'tiercut-time'].map((name) => reply.headers.get(name));
    assert.deepEqual(reported, ['45', '300', '1.5']);
    assert.deepEqual(JSON.parse(reply.headers.get('tiercut-warnings')!), PICTURE.warnings);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
  }
  assert.deepEqual(await service.uploadsOnDisk(), [], 'uploads are removed');
});

test('[C39] a file field may have the name of a field that selects the frame', async (t) => {
  const service = await serve(t);
  const frames = answerAll(service);
  const form = parts({ name: 'frame', content: '7' }, { name: 'at', content: 'media', fileName: 'at.png' });
  assert.equal((await postForm(service, form, {}, '/video/frames')).status, 200);
  const [asked] = frames;
  assert.equal(asked?.texts.get('frame'), '7');
  assert.ok(asked?.uploads.has('at'));
});

test('[C39] other types are 406; too many requests are 429 with a short Retry-After', async (t) => {
  const service = await serve(t, {}, { frames: { ...FRAMES_POLICY, maxTenantFrames: 1 } });
  const refused = await postForm(service, parts(), { accept: 'image/gif' }, '/video/frames');
  assert.equal((await problemOf(refused, 406)).code, 'request.not_acceptable');
  using _place = service.exports.admitFrame('default');
  const full = await postForm(service, parts(), {}, '/video/frames');
  assert.equal(full.headers.get('retry-after'), '1');
  assert.equal((await problemOf(full, 429)).code, 'frame.too_many');
});
