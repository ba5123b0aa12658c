import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { composeExports } from '../../../src/compose/compose-exports.ts';
import { isComplete } from '../../../src/exports/api/media-api.ts';
import { Uploads } from '../../../src/exports/uploads.ts';
import { BlobPartialFiles } from '../../../src/store/disk/blob-partial-files.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { uploadFile } from '../../stored-files.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { putMedia, sumOf } from './put-media.ts';

const CLIP = (await makeClip({ frames: 30, width: 128, height: 72 })).file;
const SUM = sumOf(CLIP);
const clock = { ms: Date.UTC(2026, 0, 2) };
const exports = await ExportsFixture.open({}, undefined, (ports) => ({
  alone: false,
  now: () => clock.ms,
  partials: new BlobPartialFiles(ports),
}));
after(() => exports[Symbol.asyncDispose]());
/** Another node on the same records and files, which are all it knows of the first. */
const other = composeExports(exports.ports);

test('[C38] an upload continues on another node, and the first connection gets an error', async () => {
  const content = Buffer.alloc(300_000, 'not a video, ');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const bytes = content.length;
  const announced = { tenant: 'default', sha256, bytes, end: bytes };
  {
    await using begun = await exports.parts.media.receive({ ...announced, start: 0, end: 200_000 });
    await begun.write(content.subarray(0, 200_000));
    assert.deepEqual(await begun.finish(uncancelled), { received: 200_000, bytes });
  }
  await using broken = await exports.parts.media.receive({ ...announced, start: 200_000 });
  await broken.write(content.subarray(200_000, 250_000));
  await using upload = await other.media.receive({ ...announced, start: 200_000 });
  await upload.write(content.subarray(200_000));
  // Late bytes of the first connection are discarded.
  await broken.write(Buffer.alloc(10_000, 'something else'));
  await assert.rejects(broken.finish(uncancelled), { code: 'upload.superseded', kind: 'cancelled' });
  assert.ok(isComplete(await upload.finish(uncancelled)), 'who has it whole has it');
  assert.equal((await exports.parts.media.describe('default', sha256, uncancelled))?.bytes, bytes);
});

test('[C38] a node does not remove content that another node is about to use, even if no record refers to it', async () => {
  await putMedia(exports, CLIP);
  clock.ms += 3_600_000;
  const uploads = new Uploads(exports.ports);
  await using held = await uploads.open(SUM, uncancelled);
  assert.equal(await other.media.remove('default', SUM), true);
  assert.ok(uploadFile(exports.folder, SUM), 'it was used a moment ago');
  assert.equal(await other.media.find('default', SUM), null);
  clock.ms += 3_600_000;
  await other.orphans.sweep(3_600_000);
  assert.equal(uploadFile(exports.folder, SUM), undefined, 'an hour later nobody needs it');
  assert.ok(held.path);
});

test('[C38] identical bytes uploaded through two nodes at the same time are stored once', async () => {
  await Promise.all([putMedia(exports, CLIP, 'ann'), putMedia({ parts: other } as ExportsFixture, CLIP, 'bob')]);
  const stored = await Array.fromAsync(exports.ports.blobs.list(`uploads/${SUM}`));
  assert.equal(stored.length, 1);
  for (const tenant of ['ann', 'bob']) assert.ok(await other.media.describe(tenant, SUM, uncancelled));
});
