import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageDay } from '../../src/exports/api/exports-api.ts';
import { dayOf } from '../../src/store/records/usage-records.ts';
import { makeClip } from '../fixtures/clips.ts';
import { serveExports } from '../http/serve.ts';
import { uncancelled } from '../uncancelled.ts';
import { ExportsFixture } from './exports-fixture.ts';

const clip = await makeClip({ frames: 30, width: 128, height: 72 });
const DOCUMENTS = { timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } };
const NOON = Date.UTC(2026, 1, 28, 12);

async function make(exports: ExportsFixture): Promise<{ id: string; bytes: number }> {
  const { id } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  await Array.fromAsync(exports.api.follow(id, uncancelled));
  const view = await exports.api.get('default', id);
  assert.equal(view?.state, 'completed');
  return { id, bytes: view.outputs.find(({ preset }) => preset === 'preset_one')!.bytes! };
}

async function today(exports: ExportsFixture, tenant = 'default'): Promise<UsageDay> {
  const [day] = await exports.api.usage(tenant, dayOf(exports.ports.now()), dayOf(exports.ports.now()));
  return day!;
}

test('[C74] usage counts exports, seconds of video, and bytes that are stored and sent', async (t) => {
  let nowMs = NOON;
  const exports = await ExportsFixture.open({ prerender: 'selected' }, undefined, () => ({ now: () => nowMs }));
  const { base } = await serveExports(t, exports);
  exports.startWorker();
  const { bytes: clipBytes } = exports.submission(DOCUMENTS, { clip: clip.file }).uploads.get('clip')!;
  const { id, bytes } = await make(exports);
  const made = { day: '2026-02-28', exports: 1, renderedSeconds: { preset_one: 1 }, bytesStored: clipBytes + bytes };
  assert.deepEqual(await today(exports), { ...made, bytesSent: 0 });

  await t.test('a repeated file uses no storage, its video does', async () => {
    nowMs += 86_400_000;
    const again = await make(exports);
    const expected = { day: '2026-03-01', exports: 1, renderedSeconds: { preset_one: 1 }, bytesStored: again.bytes };
    assert.deepEqual(await today(exports), { ...expected, bytesSent: 0 });
    assert.equal(await exports.api.remove('default', again.id), true);
    assert.deepEqual(await today(exports), { ...expected, bytesSent: 0 }, 'a delete does not lower it');
    const days = await exports.api.usage('default', '2026-02-27', '2026-03-02');
    assert.deepEqual(
      days.map(({ day, exports: count }) => [day, count]),
      [
        ['2026-02-27', 0],
        ['2026-02-28', 1],
        ['2026-03-01', 1],
        ['2026-03-02', 0],
      ],
    );
    nowMs += 86_400_000;
  });

  await t.test('the bytes of each body count as sent; a HEAD and a 304 send none', async () => {
    const download = `${base}/video/exports/${id}/download/preset_one`;
    const sent = async () => (await today(exports)).bytesSent;
    const whole = await fetch(download);
    assert.equal((await whole.arrayBuffer()).byteLength, bytes);
    assert.equal(await sent(), bytes);
    assert.equal((await (await fetch(download, { headers: { range: 'bytes=0-9' } })).arrayBuffer()).byteLength, 10);
    await fetch(download, { method: 'HEAD' });
    assert.equal((await fetch(download, { headers: { 'if-none-match': whole.headers.get('etag')! } })).status, 304);
    assert.equal(await sent(), bytes + 10);
    const list = await (await fetch(`${base}/video/exports/${id}/hls/preset_one/audio/index.m3u8`)).text();
    const [segment] = /^\S+\.m4s$/m.exec(list)!;
    const sound = await fetch(`${base}/video/exports/${id}/hls/preset_one/audio/${segment}`);
    const soundBytes = (await sound.arrayBuffer()).byteLength;
    assert.equal(await sent(), bytes + 10 + soundBytes);
    const { sha256 } = exports.submission(DOCUMENTS, { clip: clip.file }).uploads.get('clip')!;
    assert.equal((await (await fetch(`${base}/media/${sha256}`)).arrayBuffer()).byteLength, clipBytes);
    assert.equal(await sent(), bytes + 10 + soundBytes + clipBytes);
    assert.deepEqual(await today(exports, 'another'), {
      ...{ day: '2026-03-02', exports: 0, renderedSeconds: {} },
      ...{ bytesStored: 0, bytesSent: 0 },
    });
  });
});

test('[C74] a redirected download is not counted as sent; what was sent is written at shutdown', async (t) => {
  const addresses = { addressOf: async () => 'https://objects.example.com/video' };
  const first = await ExportsFixture.open({ prerender: 'selected' }, undefined, () => ({ addresses }));
  const { base } = await serveExports(t, first);
  first.startWorker();
  const { id, bytes } = await make(first);
  const download = `${base}/video/exports/${id}/download/preset_one`;
  assert.equal((await fetch(download, { redirect: 'manual' })).status, 302);
  assert.equal((await today(first)).bytesSent, 0);
  // What a page plays comes from the service itself.
  const played = await fetch(download, { headers: { 'sec-fetch-dest': 'video' }, redirect: 'manual' });
  assert.equal((await played.arrayBuffer()).byteLength, bytes);
  await first.parts.usage[Symbol.asyncDispose]();
  const written = await first.ports.usage.list('default', '0000-01-01', '9999-12-31', first.ports.database);
  assert.equal(written.find(({ counter }) => counter === 'bytes_sent')?.amount, bytes);
});
