import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { FORM_TYPE, formBody } from '../../http/form-body.ts';
import { createHead, problemOf, rawConnection } from '../../http/serve.ts';
import { createAsync, ended, formOf, metadataOf, played, post, reached, statusOf } from '../export-client.ts';
import { CLIP, longRequest, PICTURE, sampleRequest, TIER_LIST, TIMELINE } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
});
after(() => service[Symbol.asyncDispose]());

const DOCUMENTS = [
  { name: 'tier_list', content: JSON.stringify(TIER_LIST) },
  { name: 'timeline_data', content: JSON.stringify(TIMELINE) },
];
const FILES = [
  { name: 'clip', content: readFileSync(CLIP.file), fileName: 'a.mp4' },
  { name: 'picture', content: readFileSync(PICTURE.file), fileName: 'a.png' },
];

function postRaw(body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${service.base}/video/exports`, {
    method: 'POST',
    headers: { 'content-type': FORM_TYPE, ...headers },
    body: new Uint8Array(body),
    redirect: 'manual',
  });
}

test('[C1] parts may come in any order, files before the JSON that names them', async () => {
  const orders = [
    [...FILES, ...DOCUMENTS],
    [FILES[0]!, ...DOCUMENTS, FILES[1]!],
    [...DOCUMENTS.toReversed(), ...FILES],
  ];
  const made = await Promise.all(orders.map(async (parts) => metadataOf(await postRaw(formBody(parts)), 201)));
  const hashes = made.map(({ outputs }) => outputs.preset_one!.sha256);
  assert.equal(new Set(hashes).size, 1);
  assert.match(hashes[0]!, /^[0-9a-f]{64}$/);
});

test('[C2] tier_list and timeline_data are required, settings are not; JSON may come as a file', async () => {
  const asFile = { ...DOCUMENTS[0]!, fileName: 'tier_list.json', contentType: 'application/json' };
  await metadataOf(await postRaw(formBody([asFile, DOCUMENTS[1]!, ...FILES])), 201);
  for (const [index, field] of ['tier_list', 'timeline_data'].entries()) {
    const problem = await problemOf(await postRaw(formBody([DOCUMENTS[1 - index]!, ...FILES])), 422);
    assert.deepEqual([problem.errors[0]!.path, problem.errors[0]!.code], ['', 'field.required']);
    assert.match(problem.errors[0]!.message, new RegExp(`"${field}" is missing`));
  }
});

test('[C3] one upload serves many entries; a missing one is an error at its entry, an unused one a warning', async () => {
  const twice = {
    ...TIMELINE,
    videos: [0, 1].map((n) => ({ id: `v${n}`, file_field: 'clip', start: n * 3, duration: 3 })),
    audios: [{ id: 'a', file_field: 'clip', start: 1 }],
  };
  const unused = { ...sampleRequest({ timeline_data: twice }).files, Unused: new Blob(['x']) };
  const { warnings, duration } = await metadataOf(
    await post(service, { ...sampleRequest({ timeline_data: twice }), files: unused }),
    201,
  );
  assert.equal(duration, 6);
  assert.deepEqual(
    warnings.map(({ path, code }) => [path, code]),
    [['/Unused', 'media.unreferenced']],
  );
  const { clip } = sampleRequest().files as { clip: string };
  const problem = await problemOf(await post(service, { ...sampleRequest(), files: { Clip: clip } }), 422);
  assert.deepEqual(
    problem.errors.map(({ path, code }) => [path, code]),
    [
      ['/tier_list/items/0/file_field', 'media.not_uploaded'],
      ['/timeline_data/videos/0/file_field', 'media.not_uploaded'],
    ],
  );
});

test('[C4] duplicate, nameless, empty and truncated parts are errors, and no bytes of them are left on disk', async () => {
  const before = service.files('blobs');
  const whole = formBody([...DOCUMENTS, ...FILES]);
  const cases: [Buffer, string][] = [
    [formBody([...DOCUMENTS, ...FILES, FILES[0]!]), 'multipart.name_repeated'],
    [formBody([...DOCUMENTS, { ...FILES[0]!, name: '' }]), 'multipart.name_missing'],
    [formBody([...DOCUMENTS, { ...FILES[0]!, content: '' }]), 'multipart.file_empty'],
    [whole.subarray(0, whole.length - 40), 'multipart.truncated'],
  ];
  for (const [body, code] of cases) assert.equal((await problemOf(await postRaw(body), 400)).code, code);
  assert.deepEqual(service.files('blobs'), before);
  // Renders of earlier exports may still be at work in it.
  await reached('an empty work folder', () => service.files('work').length === 0);
});

test('[C5] all errors are returned together, each with its path', async () => {
  const timeline_data = {
    videos: [{ file_field: 'clip', start: -1, speed: 99 }],
    tier_tiles: [{ tier_item_id: 'nobody', position: 1 }],
    subtitles: [{ start: 0, duration: 0, text: 'x' }],
  };
  const problem = await problemOf(await post(service, sampleRequest({ timeline_data, settings: { fps: 0 } })), 422);
  assert.deepEqual(problem.errors.map(({ path }) => path).sort(), [
    '/settings/fps',
    '/timeline_data/subtitles/0/duration',
    '/timeline_data/tier_tiles/0/tier_item_id',
    '/timeline_data/videos/0/speed',
    '/timeline_data/videos/0/start',
  ]);
});

test('[C6] unknown fields are warnings, wrong types are errors', async () => {
  const known = { ...TIMELINE.videos[0], sparkle: true };
  const { warnings } = await metadataOf(
    await post(service, sampleRequest({ timeline_data: { ...TIMELINE, videos: [known] } })),
    201,
  );
  assert.deepEqual(
    warnings.map(({ path, code }) => [path, code]),
    [['/timeline_data/videos/0/sparkle', 'field.unknown']],
  );
  const wrong = { ...TIMELINE.videos[0], speed: '1.5' };
  const problem = await problemOf(
    await post(service, sampleRequest({ timeline_data: { ...TIMELINE, videos: [wrong] } })),
    422,
  );
  assert.deepEqual(
    problem.errors.map(({ path, code }) => [path, code]),
    [['/timeline_data/videos/0/speed', 'field.type']],
  );
});

test('[C7] Accept decides: metadata, the MP4 itself, the page, or 406', async () => {
  for (const accept of ['*/*', 'application/json', 'application/*;q=0.5, video/mp4;q=0.1']) {
    await metadataOf(await post(service, sampleRequest(), { accept }), 201);
  }
  const video = await post(service, sampleRequest(), { accept: 'video/mp4' });
  assert.deepEqual([video.status, video.headers.get('content-type')], [201, 'video/mp4']);
  const { width, height, frames } = await played(Buffer.from(await video.arrayBuffer()));
  assert.deepEqual([width, height, frames], [128, 72, 90]);
  const page = await post(service, sampleRequest(), { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  assert.equal(page.status, 303);
  const shown = await fetch(`${service.base}${page.headers.get('location')}`, { headers: { accept: 'text/html' } });
  assert.match(await shown.text(), /Few, ranked/);
  await problemOf(await post(service, sampleRequest(), { accept: 'image/png' }), 406);
});

test('[C8] the response comes when the selected preset is ready; with respond-async as soon as the export is durable', async () => {
  const made = await post(service, sampleRequest());
  const metadata = await metadataOf(made, 201);
  assert.equal(made.headers.get('location'), `/video/exports/${metadata.export_id}`);
  assert.deepEqual([metadata.state, metadata.progress], ['completed', 1]);
  const soon = await post(service, longRequest(30), { prefer: 'respond-async' });
  assert.equal(soon.headers.get('preference-applied'), 'respond-async');
  const queued = await metadataOf(soon, 202);
  assert.deepEqual([queued.state, queued.progress, queued.ok], ['queued', 0, true]);
  assert.deepEqual(Object.keys(queued), Object.keys(metadata));
  assert.equal((await statusOf(service, queued.export_id)).export_id, queued.export_id);
});

test('[C8] a client that disconnects does not stop its export', async () => {
  const { documents, files } = longRequest(3, { label: 'hung up' });
  const parts = Object.entries(documents).map(([name, value]) => ({ name, content: JSON.stringify(value) }));
  const body = formBody([...parts, { name: 'clip', content: readFileSync(files!.clip as string), fileName: 'x' }]);
  const counted = async () => {
    const text = await (await fetch(`${service.base}/metrics`)).text();
    return [...text.matchAll(/^tiercut_exports\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = await counted();
  const { socket } = rawConnection({ port: Number(new URL(service.base).port) });
  socket.write(createHead(body.length));
  socket.write(body);
  await reached('the export', async () => (await counted()) > before);
  socket.destroy();
  await reached('its end', async () => {
    const text = await (await fetch(`${service.base}/metrics`)).text();
    return !/^tiercut_exports\{state="(?:queued|rendering)"\} [1-9]/m.test(text);
  });
  assert.doesNotMatch(await (await fetch(`${service.base}/metrics`)).text(), /state="(?:failed|cancelled)"\} [1-9]/);
});

test('[C8] a waiting create returns 202 after the wait limit', async () => {
  await using impatient = await ServiceFixture.start({ TIERCUT_WAIT_SECONDS: '1', TIERCUT_PRERENDER: 'selected' });
  const accepted = await metadataOf(await post(impatient, longRequest(1200)), 202);
  assert.ok(accepted.state === 'queued' || accepted.state === 'rendering', accepted.state);
  const follow = await fetch(`${impatient.base}${accepted.download_url}`, { redirect: 'manual' });
  assert.deepEqual([follow.status, follow.headers.get('location')], [307, accepted.download_url], '[C27]');
});

test('[C9] the same key and content return the same export, also during its render; different content is refused', async () => {
  const key = { 'idempotency-key': 'order-7' };
  const replies = await Promise.all([1, 2].map(() => post(service, sampleRequest(), key)));
  const again = await post(service, formOf(sampleRequest()), key);
  const ids = await Promise.all([...replies, again].map(async (reply) => (await metadataOf(reply, 201)).export_id));
  assert.equal(new Set(ids).size, 1);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const waiting = await createAsync(service, longRequest(60, { label: 'in flight' }), { 'idempotency-key': 'order-8' });
  const joined = await createAsync(service, longRequest(60, { label: 'in flight' }), { 'idempotency-key': 'order-8' });
  assert.equal(joined.export_id, waiting.export_id);
  assert.equal((await problemOf(await post(service, longRequest(2), key), 422)).code, 'idempotency.conflict');
});

test('[C10] the metadata have the documented keys, and match the file', async () => {
  const settings = { preset: 'square', file_name: 'My "best"\n?', fps: 29.97, audio_bitrate: '96k', quality: 'draft' };
  const metadata = await metadataOf(await post(service, sampleRequest({ settings })), 201);
  assert.deepEqual(Object.keys(metadata), [
    ...[
      'ok',
      'export_id',
      'download_url',
      'downloads',
      'settings',
      'external_id',
      'metadata',
      'title',
      'state',
      'progress',
    ],
    ...['duration', 'outputs', 'shorts', 'hls', 'warnings', 'created_at', 'expires_at', 'links'],
  ]);
  assert.deepEqual(Object.keys(metadata.downloads), ['preset_one', 'preset_two', 'preset_three']);
  assert.equal(metadata.download_url, metadata.downloads.preset_three);
  const { file_name, ...others } = metadata.settings;
  assert.deepEqual(others, {
    ...{ preset: 'preset_three', width: 96, height: 96, fps: 29.97, quality: 'draft' },
    ...{ encoder_preset: 'ultrafast', audio_bitrate: 96 },
  });
  assert.match(file_name, /^[^"\n]+\.mp4$/);
  assert.equal(Date.parse(metadata.expires_at!) - Date.parse(metadata.created_at) > 23 * 3_600_000, true);
  const { bytes, sha256 } = metadata.outputs.preset_three!;
  const file = Buffer.from(await (await fetch(`${service.base}${metadata.download_url}`)).arrayBuffer());
  assert.deepEqual([file.length, createHash('sha256').update(file).digest('hex')], [bytes, sha256]);
  const { seconds, frames } = await played(file);
  assert.deepEqual([frames, seconds.toFixed(3)], [90, '3.003'], 'the exact 30000/1001');
});

test('[C12][C13] sizes change only the selected preset; the others start on request, with the same sound', async () => {
  const settings = { preset: 'portrait', width: 101, height: 180 };
  const metadata = await metadataOf(await post(service, sampleRequest({ settings })), 201);
  assert.deepEqual(
    Object.values(metadata.outputs).map(({ width, height, state }) => [width, height, state]),
    [
      [128, 72, 'idle'],
      [100, 180, 'completed'],
      [96, 96, 'idle'],
    ],
  );
  assert.deepEqual(
    metadata.warnings.map(({ path, code }) => [path, code]),
    [['/settings/width', 'settings.size_rounded']],
  );
  const sizes = await Promise.all(
    Object.values(metadata.downloads).map(async (address) => {
      const { width, height, sound } = await played(
        Buffer.from(await (await fetch(`${service.base}${address}`)).arrayBuffer()),
      );
      return [width, height, sound];
    }),
  );
  assert.deepEqual(sizes, [
    [128, 72, true],
    [100, 180, true],
    [96, 96, true],
  ]);
  const { outputs } = await ended(service, metadata.export_id);
  assert.ok(Object.values(outputs).every(({ state }) => state === 'completed'));
});
