import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { newOutputKey } from '../../../src/exports/export-keys.ts';
import { type BlobKey, blobKey } from '../../../src/store/blob-store.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const MINUTE_MS = 60_000;
const SIX_HOURS_MS = 360 * MINUTE_MS;
const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };

test('[H25] leftovers of renders are removed after half an hour, but not a video whose export is being rendered', async () => {
  let later = 0;
  await using exports = await ExportsFixture.open({}, undefined, () => ({ now: () => Date.now() + later }));
  const { blobs, jobs } = exports.ports;
  const { orphans } = exports.parts;
  const { id } = await exports.api.submit(exports.submission(TEXT_ONLY), uncancelled);
  const held = (await jobs.claim())!;
  const video = newOutputKey(id, 'preset_one');
  const [chunk, plan] = [blobKey('parts', 'a1', 'b2'), blobKey('plans', 'gone', 'preset_one.json')];
  for (const key of [video, chunk, plan]) await blobs.put(key, Readable.from(['x']), uncancelled);
  const left = async () => {
    const found = await Promise.all([video, chunk, plan].map(async (key) => (await blobs.info(key)) !== null));
    return found.map(Number).join('');
  };
  later = 29 * MINUTE_MS;
  await orphans.sweep(SIX_HOURS_MS);
  assert.equal(await left(), '111', 'too young');
  later = 31 * MINUTE_MS;
  assert.ok(await jobs.heartbeat(held));
  await orphans.sweep(SIX_HOURS_MS);
  assert.equal(await left(), '101', 'its worker may be about to record the video');
  await jobs.release(held);
  await orphans.sweep(SIX_HOURS_MS);
  assert.equal(await left(), '001', 'a request may still be taken in');
  later = SIX_HOURS_MS + MINUTE_MS;
  await orphans.sweep(SIX_HOURS_MS);
  assert.equal(await left(), '000');
});

test('[H23, H25] a video that is recorded during the sweep stays', async () => {
  let record = async () => {};
  await using exports = await ExportsFixture.open({}, undefined, ({ jobs }) => {
    const isRunning: typeof jobs.isRunning = async () => {
      await record();
      return false;
    };
    return {
      jobs: new Proxy(jobs, { get: (target, name) => (name === 'isRunning' ? isRunning : bound(target, name)) }),
    };
  });
  const { blobs, database } = exports.ports;
  const { id } = await exports.api.submit(exports.submission(TEXT_ONLY), uncancelled);
  const video: BlobKey = newOutputKey(id, 'preset_one');
  await blobs.put(video, Readable.from(['x']), uncancelled);
  record = async () => {
    await database.query('update outputs set blob = $1 where export_id = $2', [video, id]);
  };
  await exports.parts.orphans.sweep(0);
  assert.notEqual(await blobs.info(video), null);
});

/** A member of an object, which its private fields allow to be called on that object alone. */
function bound<T extends object>(target: T, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === 'function' ? member.bind(target) : member;
}
