import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeClip } from '../../fixtures/clips.ts';
import { uploadFile } from '../../stored-files.ts';
import { uncancelled } from '../../uncancelled.ts';
import { createBatch, saveProject } from '../batches/batches-fixture.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { putMedia, sumOf } from './put-media.ts';

const CLIP = (await makeClip({ frames: 30, width: 128, height: 72, sound: { seconds: 1 } })).file;
const SUM = sumOf(CLIP);
const TIMELINE = { videos: [{ file_field: 'clip', duration: 1 }] };
const HOUR_MS = 3_600_000;

/** The clock of these exports, set by the tests. */
const clock = { ms: Date.UTC(2026, 0, 2) };
const exports = await ExportsFixture.open(
  { mediaRetentionMs: 24 * HOUR_MS, unfinishedRetentionMs: 6 * HOUR_MS },
  undefined,
  () => ({ now: () => clock.ms }),
);
after(() => exports[Symbol.asyncDispose]());

/** What a round of housekeeping does. */
async function expire(): Promise<void> {
  await exports.parts.removals.expire();
  await exports.parts.mediaExpiry.expire();
}

/** An export of a clip that is sent as a part; or referred to. */
async function make(how: 'sent' | 'referred to', tenant = 'default'): Promise<string> {
  const sent = exports.submission({ timeline_data: TIMELINE }, how === 'sent' ? { clip: CLIP } : {}, { tenant });
  const texts = new Map([...sent.texts, ['media_refs', JSON.stringify({ clip: SUM })]]);
  return (await exports.api.submit(how === 'sent' ? sent : { ...sent, texts }, uncancelled)).id;
}

function lies(): boolean {
  return uploadFile(exports.folder, SUM) !== undefined;
}

/** Whether a tenant has the content, and until when. */
async function had(tenant = 'default'): Promise<string> {
  const found = await exports.parts.media.find(tenant, SUM);
  if (found === null || !('sha256' in found)) return 'no';
  return found.expiresAtMs === null ? 'as long as its exports' : `${(found.expiresAtMs - clock.ms) / HOUR_MS} h`;
}

test('[C38] uploads of a form are removed with their last export, and can be referenced until then', async () => {
  const first = await make('sent');
  assert.equal(await had(), 'as long as its exports');
  const second = await make('referred to');
  assert.equal(await had('somebody else'), 'no');
  await exports.api.remove('default', first);
  await expire();
  assert.deepEqual([lies(), await had()], [true, 'as long as its exports']);
  await exports.api.remove('default', second);
  assert.deepEqual([lies(), await had()], [false, 'no']);
});

test('[C38, H40] stored media last 24 hours after their last use, whatever happens to exports', async () => {
  await putMedia(exports, CLIP);
  const id = await make('sent');
  await exports.api.remove('default', id);
  await expire();
  assert.deepEqual([lies(), await had()], [true, '24 h'], 'it outlives the export');
  clock.ms += 23 * HOUR_MS;
  assert.equal(await had(), '1 h');
  await exports.api.validate(
    {
      tenant: 'default',
      texts: new Map([...TEXTS, ['media_refs', JSON.stringify({ clip: SUM })]]),
      uploads: new Map(),
    },
    uncancelled,
  );
  assert.equal(await had(), '24 h', 'a validate is a use');
  clock.ms += 23 * HOUR_MS;
  await putMedia(exports, CLIP);
  assert.equal(await had(), '24 h', 'and so is sending it once more');
  clock.ms += 24 * HOUR_MS;
  await expire();
  assert.deepEqual([lies(), await had()], [false, 'no']);
});

const TEXTS = new Map([
  ['tier_list', '{}'],
  ['timeline_data', JSON.stringify(TIMELINE)],
]);

test('[C38, C85] the media of a batch are kept as long as its rows wait', async () => {
  await putMedia(exports, CLIP);
  const project = await saveProject(exports, {
    tier_list: {},
    timeline_data: { videos: [{ file_field: 'clip', start: 0, duration: 1 }] },
    fields: { clip: { type: 'media', kind: 'video' } },
  });
  const { id } = await createBatch(exports, project, [{ clip: `sha256:${SUM}` }]);
  clock.ms += 48 * HOUR_MS;
  await expire();
  assert.ok(lies());
  assert.ok(await exports.parts.batches.cancel('default', id));
  assert.ok(await exports.parts.projects.remove('default', project, () => {}));
  await expire();
  assert.deepEqual([lies(), await had()], [false, 'no']);
});

test('[C38] expired content is removed with the last export that uses it, and counts until then', async () => {
  await putMedia(exports, CLIP);
  const id = await make('referred to');
  const { media, database } = exports.ports;
  assert.deepEqual((await media.sum('default', database)).files, 1);
  clock.ms += 25 * HOUR_MS;
  await expire();
  assert.deepEqual([lies(), await had()], [true, 'as long as its exports']);
  assert.deepEqual((await media.sum('default', database)).files, 1);
  await putMedia(exports, CLIP);
  assert.equal(await had(), '24 h', 'not a byte of it was sent again');
  await exports.api.remove('default', id);
  assert.deepEqual([lies(), await had()], [true, '24 h']);
  await exports.parts.media.remove('default', SUM);
  assert.deepEqual([lies(), await had()], [false, 'no']);
});

test('[C38] deleting media removes the record immediately; an export that uses the content keeps it', async () => {
  await putMedia(exports, CLIP);
  const id = await make('referred to');
  assert.equal(await exports.parts.media.remove('default', SUM), true);
  assert.equal(await exports.parts.media.remove('default', SUM), false);
  assert.deepEqual([lies(), await had()], [true, 'no']);
  await assert.rejects(make('referred to'), { code: 'reference.unknown' });
  await expire();
  await exports.parts.orphans.sweep(0);
  assert.equal(lies(), true);
  await exports.api.remove('default', id);
  assert.equal(lies(), false);
});

test('[C38] identical bytes of two tenants are stored once, and removed with the last of the two', async () => {
  const [one, two] = ['ann', 'bob'];
  await putMedia(exports, CLIP, one);
  const id = await make('sent', two);
  assert.deepEqual([await had(one), await had(two)], ['24 h', 'as long as its exports']);
  await exports.parts.media.remove(one, SUM);
  assert.deepEqual([lies(), await had(one), await had(two)], [true, 'no', 'as long as its exports']);
  await putMedia(exports, CLIP, one);
  await exports.api.remove(two, id);
  assert.deepEqual([lies(), await had(one), await had(two)], [true, '24 h', 'no']);
  assert.equal(readdirSync(join(exports.folder, 'blobs', 'uploads')).length, 1);
  await exports.parts.media.remove(one, SUM);
  assert.equal(lies(), false);
});

test('[C38, H40] an abandoned upload expires, and so does a file without a record', async () => {
  const { media, mediaExpiry } = exports.parts;
  const announced = { tenant: 'default', sha256: SUM, start: 0, end: 100, bytes: 200 };
  {
    await using upload = await media.receive(announced);
    await upload.write(Buffer.alloc(100));
    await upload.finish(uncancelled);
  }
  const unfinished = () => readdirSync(join(exports.folder, 'unfinished')).length;
  writeFileSync(join(exports.folder, 'unfinished', 'left-by-a-crash'), 'x');
  assert.equal(await mediaExpiry.sweep(0), 1);
  clock.ms += 5 * HOUR_MS;
  await expire();
  assert.deepEqual(await media.find('default', SUM), { received: 100, bytes: 200 });
  {
    await using upload = await media.receive({ ...announced, start: 100, end: 200 });
    await upload.write(Buffer.alloc(50));
    clock.ms += 7 * HOUR_MS;
    await expire();
    assert.equal(unfinished(), 1, 'somebody goes on with it');
  }
  assert.deepEqual(await media.find('default', SUM), { received: 150, bytes: 200 });
  clock.ms += 6 * HOUR_MS;
  await expire();
  assert.equal(await media.find('default', SUM), null);
  assert.equal(unfinished(), 0);
});

test('[C38] content that was deleted from the disk is missing until it is sent again', async () => {
  await putMedia(exports, CLIP);
  rmSync(uploadFile(exports.folder, SUM)!);
  await assert.rejects(make('referred to'), { code: 'reference.unknown' });
  assert.equal(await had(), 'no');
  await putMedia(exports, CLIP);
  assert.deepEqual([lies(), await had()], [true, '24 h']);
});
