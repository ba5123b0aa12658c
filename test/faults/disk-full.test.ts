import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import type { ExportView } from '../../src/exports/api/export-view.ts';
import { RESERVE_BYTES } from '../../src/store/nodes/node-store.ts';
import { keptBackBytes } from '../../src/store/sqlite/reserve-file.ts';
import { ExportsFixture } from '../exports/exports-fixture.ts';
import { createAsync, download, ended, post, seen, statusOf } from '../service/export-client.ts';
import { CLIP, sampleRequest } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';
import { uncancelled } from '../uncancelled.ts';
import { FillingHost } from './filling-host.ts';
import { fullBlobStore } from './full-blob-store.ts';
import { SmallDisk } from './small-disk.ts';

const POLICY = { prerender: 'selected' } as const;
const NO_MOUNT = 'only who may mount can have a small disk';
const PROJECT = '0b7e1d2c-43aa-4f0e-9d51-6a1c2e3f4a5b';
const DOCUMENTS = { timeline_data: { videos: [{ file_field: 'clip', duration: 3 }] } };

async function submit(exports: ExportsFixture): Promise<string> {
  const submission = exports.submission(DOCUMENTS, { clip: CLIP.file });
  try {
    return (await exports.api.submit(submission, uncancelled)).id;
  } finally {
    for (const { path } of submission.uploads.values()) rmSync(path, { force: true });
  }
}

async function followed(exports: ExportsFixture, id: string): Promise<ExportView> {
  return (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
}

/** Every file below a part of a data folder. */
function files(folder: string, part: string): string[] {
  return readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

test('[C33, H27] no space for uploads, requests or plans: the export is refused, and none of its files is left', async () => {
  let full: string | null = null;
  await using exports = await ExportsFixture.open(POLICY, undefined, ({ blobs }) => ({
    blobs: fullBlobStore(blobs, (key) => full !== null && key.startsWith(full)),
  }));
  for (full of ['uploads/', 'requests/', 'plans/']) {
    await assert.rejects(submit(exports), (error) => error instanceof ExportError && error.code === 'store.disk_full');
    assert.deepEqual(files(exports.folder, 'blobs'), []);
  }
  full = null;
  await submit(exports);
});

test('[H27] a disk that is briefly full while a video is published only delays the export', async () => {
  let refusals = 2;
  await using exports = await ExportsFixture.open(POLICY, undefined, ({ blobs }) => ({
    blobs: fullBlobStore(blobs, (key) => key.startsWith('exports/') && refusals-- > 0),
  }));
  const id = await submit(exports);
  exports.startWorker();
  assert.equal((await followed(exports, id)).state, 'completed', exports.logged.join('\n'));
});

test('[C34, H24, H27] a disk that stays full fails the export with the reason, and leaves no partial video', async () => {
  await using exports = await ExportsFixture.open(POLICY, undefined, ({ blobs }) => ({
    blobs: fullBlobStore(blobs, (key) => key.startsWith('exports/')),
  }));
  const id = await submit(exports);
  exports.startWorker();
  const { state, failure } = await followed(exports, id);
  assert.deepEqual([state, failure?.kind, failure?.code], ['failed', 'unavailable', 'store.disk_full']);
  await exports.stop();
  assert.deepEqual(
    files(exports.folder, 'blobs').filter((file) => file.startsWith('blobs/exports')),
    [],
  );
  assert.deepEqual(files(exports.folder, 'work'), []);
});

for (const op of ['render_chunks', 'render_sound', 'assemble'] as const) {
  test(`[H27] ${op} on a full disk is retried and then fails with the reason; the next one, with space, succeeds`, async (t) => {
    using disk = SmallDisk.mount(64);
    if (disk === null) return t.skip(NO_MOUNT);
    const host = new FillingHost(disk, op, 3);
    await using exports = await ExportsFixture.open(POLICY, disk.folder, () => ({ host }));
    const id = await submit(exports);
    exports.startWorker();
    const { state, failure } = await followed(exports, id);
    const code = op === 'render_sound' ? 'sound.unwritable' : 'render.disk_full';
    assert.deepEqual([state, failure?.kind, failure?.code], ['failed', 'unavailable', code], exports.logged.join('\n'));
    assert.equal(await exports.api.openOutput(id, 'preset_one'), null);

    assert.equal((await followed(exports, await submit(exports))).state, 'completed', exports.logged.join('\n'));
    await exports.stop();
    assert.deepEqual(
      files(disk.folder, 'blobs').filter((file) => file.startsWith(`blobs/exports/${id}`)),
      [],
    );
    assert.deepEqual(files(disk.folder, 'work'), []);
  });
}

test('[H27] without space even for records, accepted exports wait until there is some', async (t) => {
  using disk = SmallDisk.mount(64);
  if (disk === null) return t.skip(NO_MOUNT);
  await using exports = await ExportsFixture.open(POLICY, disk.folder);
  const id = await submit(exports);
  disk.fill(0);
  exports.startWorker();
  await seen('a worker in trouble', () => exports.logged.find((line) => line.startsWith('worker failed')));
  await assert.rejects(submit(exports));
  assert.equal((await exports.api.get('default', id))?.state, 'queued');
  disk.free();
  assert.equal((await followed(exports, id)).state, 'completed', exports.logged.join('\n'));
});

test('[C29, C33, H27] a full disk: new exports get 507, everything else works; files can be deleted, also by a service that starts on the full disk and reports it', async (t) => {
  using disk = SmallDisk.mount(160);
  if (disk === null) return t.skip(NO_MOUNT);
  await using service = await ServiceFixture.start({ TIERCUT_DATA_DIR: disk.folder, TIERCUT_PRERENDER: 'selected' });
  const completed = async () => {
    const { export_id: id } = await createAsync(service, sampleRequest());
    assert.equal((await ended(service, id)).state, 'completed');
    return id;
  };
  const remove = (id: string) => fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' });
  const register = (url: string) => {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${service.base}/webhooks/shop`, { method: 'PUT', headers, body: JSON.stringify({ url }) });
  };
  const shop = async () => {
    const { url } = (await (await fetch(`${service.base}/webhooks/shop`)).json()) as { url: string };
    return url;
  };
  assert.equal((await register('https://shop.example.com/before')).status, 201);
  const logged = () => service.lines.filter((line) => line.includes('"msg":"disk full"')).length;
  const [first, second] = [await completed(), await completed()];
  const before = files(disk.folder, 'blobs');
  for (const leaveBytes of [100_000, 0]) {
    disk.fill(leaveBytes);
    const noise = new Blob([Buffer.alloc(200_000, 'x')]);
    const reply = await post(service, { ...sampleRequest(), files: { ...sampleRequest().files, clip: noise } });
    const problem = (await reply.json()) as { code: string };
    assert.equal(reply.status, 507, JSON.stringify(problem));
    assert.equal(reply.headers.get('content-type'), 'application/problem+json');
    assert.ok(reply.headers.has('retry-after'));
    // Reported at the headers: there is no space for the announced body.
    assert.equal(problem.code, 'disk.full');
    await download(service, await statusOf(service, first), 'preset_one');
    assert.deepEqual(files(disk.folder, 'blobs'), before);
    assert.deepEqual(files(disk.folder, 'work'), []);
  }
  assert.equal((await remove(first)).status, 204, service.lines.join('\n'));
  assert.equal((await fetch(`${service.base}/video/exports/${first}`)).status, 404);
  assert.equal((await post(service, sampleRequest())).status, 507, 'what was kept back is not for new work');
  assert.equal(logged(), 1);
  disk.free();
  await completed();

  await service.stop();
  await service.start();
  disk.fill(0);
  await service.kill();
  await service.start();
  assert.equal(logged(), 2, service.lines.join('\n'));
  // A registered webhook is as it was or as it was sent, never half of it.
  const changed = await register('https://shop.example.com/after');
  assert.ok(changed.status === 200 || changed.status === 507, `${changed.status}`);
  assert.equal(await shop(), `https://shop.example.com/${changed.status === 200 ? 'after' : 'before'}`);
  const intake = await fetch(`${service.base}/readyz/intake`);
  const { checks } = (await intake.json()) as { checks: { name: string; ok: boolean }[] };
  assert.deepEqual([intake.status, checks.find(({ name }) => name === 'disk')?.ok], [503, false]);
  assert.equal((await fetch(`${service.base}/readyz`)).status, 200);
  await download(service, await statusOf(service, second), 'preset_one');
  assert.equal((await post(service, sampleRequest())).status, 507);
  assert.equal((await remove(second)).status, 204, service.lines.join('\n'));
  assert.deepEqual(files(disk.folder, 'work'), []);
  disk.free();
  await completed();
});

test('[H27] a service starts without any free space, and finished videos can be downloaded', async (t) => {
  using disk = SmallDisk.mount(64);
  if (disk === null) return t.skip(NO_MOUNT);
  await using service = await ServiceFixture.start({ TIERCUT_DATA_DIR: disk.folder, TIERCUT_PRERENDER: 'selected' });
  const { export_id: id } = await createAsync(service, sampleRequest());
  await ended(service, id);
  await service.stop();
  // A stop keeps the reserve, which the next start turns into the log.
  truncateSync(join(disk.folder, 'reserve'), 100_000);
  disk.fill(0);
  await service.start();
  await download(service, await statusOf(service, id), 'preset_one');
  assert.equal((await fetch(`${service.base}/readyz/intake`)).status, 503);
});

for (const ending of ['kill', 'stop'] as const) {
  test(`[C29, H27] 0 bytes free, and something else takes all that a start releases: after a ${ending}, exports, media and projects can be deleted`, async (t) => {
    using disk = SmallDisk.mount(160);
    if (disk === null) return t.skip(NO_MOUNT);
    await using service = await ServiceFixture.start({ TIERCUT_DATA_DIR: disk.folder, TIERCUT_PRERENDER: 'selected' });
    const completed = async () => {
      const { export_id: id } = await createAsync(service, sampleRequest());
      assert.equal((await ended(service, id)).state, 'completed');
      return id;
    };
    const id = await completed();
    const bytes = Buffer.alloc(3 * 2 ** 20, 'media');
    const media = `/media/${createHash('sha256').update(bytes).digest('hex')}`;
    assert.equal((await fetch(service.base + media, { method: 'PUT', body: bytes })).status, 201);
    const document = { version: 1, timeline: {}, padding: 'x'.repeat(300_000) };
    const saved = await fetch(`${service.base}/projects/${PROJECT}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      body: JSON.stringify(document),
    });
    assert.equal(saved.status, 201, await saved.text());
    disk.fill(0);
    for (let round = 0; round < 2; round += 1) {
      await service[ending]();
      disk.fill(0);
      await service.start();
      disk.fill(0);
    }
    assert.equal((await post(service, sampleRequest())).status, 507);
    for (const path of [`/video/exports/${id}`, media, `/projects/${PROJECT}`]) {
      const before = files(disk.folder, 'blobs').length;
      const reply = await fetch(service.base + path, { method: 'DELETE' });
      assert.equal(reply.status, 204, `${path}: ${await reply.text()}\n${service.lines.join('\n')}`);
      assert.equal((await fetch(service.base + path)).status, 404);
      assert.ok(files(disk.folder, 'blobs').length < before, `${path} has given its space back`);
      disk.fill(0);
    }
    assert.ok(service.lines.some((line) => line.includes('"msg":"disk full"')));
    disk.free();
    await completed();
    await service.stop();
    assert.equal(await keptBackBytes(disk.folder), RESERVE_BYTES, 'the reserve is whole again');
  });
}
