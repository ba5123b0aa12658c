import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { planKey } from '../../src/exports/export-keys.ts';
import { makeClip } from '../fixtures/clips.ts';
import { seen } from '../service/export-client.ts';
import { uncancelled } from '../uncancelled.ts';
import { ExportsFixture } from './exports-fixture.ts';

const clip = await makeClip({ frames: 30, width: 128, height: 72 });
const DOCUMENTS = { timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } };

/** The value of one series; 0 if nothing was counted yet. */
async function figure(exports: ExportsFixture, series: string): Promise<number> {
  const text = await exports.metrics.text(await exports.api.status());
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

/** Waits until a series has a value. */
async function reached(exports: ExportsFixture, series: string, value: number): Promise<void> {
  await seen(`${series} ${value}`, async () => (await figure(exports, series)) === value);
}

test('[C31] metrics show how long jobs wait and run, what the cache saves, and how children and webhooks end', async (t) => {
  const receiver = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => receiver.close());
  const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  const make = async () => {
    const submission = exports.submission(DOCUMENTS, { clip: clip.file }, { callbackUrl });
    const { id } = await exports.api.submit(submission, uncancelled);
    await Array.fromAsync(exports.api.follow(id, uncancelled));
  };
  exports.startWorker();
  await make();
  for (const kind of ['chunks', 'sound', 'assembly']) {
    // The end is reported once it is recorded, which followers may see before.
    await reached(exports, `tiercut_job_run_seconds_count{kind="${kind}",outcome="done"}`, 1);
    assert.equal(await figure(exports, `tiercut_job_wait_seconds_count{kind="${kind}"}`), 1, kind);
  }
  assert.equal(await figure(exports, 'tiercut_chunks_sought_total{found="yes"}'), 0);
  const rendered = await figure(exports, 'tiercut_chunks_sought_total{found="no"}');
  assert.ok(rendered > 0);
  await make();
  assert.equal(await figure(exports, 'tiercut_chunks_sought_total{found="yes"}'), rendered);
  assert.equal(await figure(exports, 'tiercut_chunks_sought_total{found="no"}'), rendered);
  await reached(exports, 'tiercut_deliveries_total{outcome="delivered"}', 2);
  // Those that probed the files; the render's own child may still run.
  assert.ok((await figure(exports, 'tiercut_child_endings_total{reason="render.closed"}')) >= 2);
});

test('[C31] a failure is counted by its code', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  const { id } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  await exports.ports.blobs.delete(planKey(id, 'preset_one'));
  exports.startWorker();
  await Array.fromAsync(exports.api.follow(id, uncancelled));
  const code = (await exports.api.get('default', id))?.failure?.code;
  assert.equal(code, 'export.plan_missing');
  await reached(exports, `tiercut_failures_total{code="${code}"}`, 1);
});
