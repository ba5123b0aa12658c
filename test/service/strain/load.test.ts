import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { createAsync, download, metadataOf, post, reached, statusOf } from '../export-client.ts';
import { descendantsOf, openFiles, residentBytes } from '../process-tree.ts';
import { sampleRequest, TIMELINE } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';
import { subtitledRequest } from '../subtitled-request.ts';

/** `npm run bench -- service` measures the same with 50 creates, 200 readers and 500 exports. */
const CREATES = 8;
const READERS = 20;

test('[H29] many exports and many readers at once: all complete, and no memory leaks', async (t) => {
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const request = (n: number) =>
    sampleRequest({ timeline_data: { ...TIMELINE, subtitles: [{ text: `Number ${n}`, start: 0, duration: 2 }] } });
  await metadataOf(await post(service, request(-1)), 201);
  await reached('the end of the first child', () => descendantsOf(service.pid).length === 0);
  await reached('an empty work folder', () => service.files('work').length === 0);
  const before = process.platform === 'linux' ? openFiles(service.pid).length : 0;
  const made = await Promise.all(Array.from({ length: CREATES }, (_, n) => createAsync(service, request(n))));
  let underWay = true;
  let looks = 0;
  const readers = Array.from({ length: READERS }, async (_, n) => {
    while (underWay) {
      const { progress } = await statusOf(service, made[n % CREATES]!.export_id);
      assert.ok(progress >= 0 && progress <= 1);
      looks += 1;
    }
  });
  for (const { download_url } of made) await fetch(`${service.base}${download_url}`, { method: 'HEAD' });
  underWay = false;
  await Promise.all(readers);
  t.diagnostic(`${looks} looks`);
  for (const { export_id } of made) {
    const metadata = await statusOf(service, export_id);
    assert.equal(metadata.state, 'completed');
    await download(service, metadata, 'preset_one');
    await fetch(`${service.base}/video/exports/${export_id}`, { method: 'DELETE' });
  }
  assert.equal(service.files('blobs/exports').length, 2, 'the first export’s video and poster');
  await reached('an empty work folder', () => service.files('work').length === 0);
  if (process.platform !== 'linux') return;
  const startedWith = (file: string) => readFileSync(`/proc/${service.pid}/${file}`, 'utf8').split('\0');
  assert.ok(startedWith('cmdline').includes('--max-semi-space-size=8'), 'V8 gets a small young generation');
  assert.ok(startedWith('environ').includes('MALLOC_ARENA_MAX=2'), 'and so is the allocator');
  assert.ok(residentBytes(service.pid) < 300 * 2 ** 20, `${residentBytes(service.pid)} bytes`);
  await reached('the end of the children', () => descendantsOf(service.pid).length === 0);
  assert.equal(openFiles(service.pid).length, before, openFiles(service.pid).join(' '));
});

test('[chunks] changing one subtitle renders the chunks that show it, and nothing else', async () => {
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const planOf = (id: string): RenderPlan =>
    JSON.parse(readFileSync(join(service.folder, 'blobs', 'plans', id, 'preset_one.json'), 'utf8'));
  const first = await metadataOf(await post(service, subtitledRequest(120, false)), 201);
  const before = new Set(service.files('blobs/parts'));
  const second = await metadataOf(await post(service, subtitledRequest(120, true)), 201);
  const rendered = service.files('blobs/parts').filter((file) => !before.has(file));
  const [old, edited] = [planOf(first.export_id), planOf(second.export_id)];
  assert.ok(edited.chunks.length >= 10, `${edited.chunks.length} chunks`);
  const changed = edited.chunks.filter(({ key }) => !old.chunks.some((chunk) => chunk.key === key));
  assert.deepEqual(rendered.map((file) => dirname(file)).sort(), changed.map(({ key }) => key).sort());
  assert.ok(rendered.length >= 1 && rendered.length <= 2, `${rendered.length} chunks were rendered again`);
  assert.equal(edited.audio.key, old.audio.key, 'the sound is the same');
  assert.notEqual(first.outputs.preset_one!.sha256, second.outputs.preset_one!.sha256);
});
