import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import type { Announcement } from '../../../src/exports/api/submission.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const MIB = 2 ** 20;
const clip = await makeClip({ frames: 30, width: 128, height: 72 });
const DOCUMENTS = { timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } };

function announced(other: Partial<Announcement> = {}): Announcement {
  return { tenant: 'ann', bytes: MIB, idempotencyKey: null, creates: true, ...other };
}

/** The use cases on a disk that is as full as the test says. */
async function onDisk(disk: { freeBytes: number }, policy = {}): Promise<ExportsFixture> {
  return ExportsFixture.open(policy, undefined, ({ local }) => {
    const room = async () => ({ freeBytes: disk.freeBytes, totalBytes: 100 * MIB });
    return { local: { hold: (...of) => local.hold(...of), scratch: () => local.scratch(), room } };
  });
}

async function refusal(asked: Promise<unknown>): Promise<string | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    assert.ok(error instanceof ExportError, String(error));
    return error.code;
  }
}

test('[C33] announced bytes are reserved until they arrive, at most until the request ends', async () => {
  const disk = { freeBytes: 10 * MIB };
  await using exports = await onDisk(disk, { minFreeDiskBytes: 2 * MIB });
  const { api } = exports;
  assert.equal(await refusal(api.admit(announced({ bytes: 8 * MIB + 1 }))), 'disk.full');
  {
    using first = await api.admit(announced({ bytes: 5 * MIB }));
    assert.equal(await refusal(api.admit(announced({ bytes: 4 * MIB }))), 'disk.full');
    assert.equal(await refusal(api.admit(announced({ bytes: 4 * MIB, creates: false }))), 'disk.full');
    // Four of its five are on the disk: the disk shows it, and it is not counted twice.
    await first.arrived(4 * MIB);
    disk.freeBytes -= 4 * MIB;
    using second = await api.admit(announced({ bytes: 3 * MIB }));
    assert.equal(second.known, false);
  }
  using after = await api.admit(announced({ bytes: 4 * MIB }));
  assert.equal(after.known, false);
});

test('[H39] concurrent requests are admitted up to the limit', async () => {
  await using exports = await onDisk({ freeBytes: 10 * MIB });
  const asked = await Promise.all(
    Array.from({ length: 5 }, () => refusal(exports.api.admit(announced({ bytes: 4 * MIB })))),
  );
  assert.equal(asked.filter((code) => code === null).length, 2);
  assert.equal(asked.filter((code) => code === 'disk.full').length, 3);
});

test('[C33, H27] a body of unknown length is stopped when the disk gets full', async () => {
  const disk = { freeBytes: 10 * MIB };
  await using exports = await onDisk(disk, { minFreeDiskBytes: 2 * MIB });
  using visit = await exports.api.admit(announced({ bytes: null }));
  await visit.arrived(15 * MIB);
  disk.freeBytes = MIB;
  assert.equal(await refusal(visit.arrived(MIB)), 'disk.full');
});

test('[C91, H39] concurrent uploads are limited per tenant and in total', async () => {
  await using exports = await ExportsFixture.open({ maxUploads: 3, maxTenantUploads: 2 });
  const { api } = exports;
  using _one = await api.admit(announced());
  {
    using _two = await api.admit(announced({ creates: false }));
    assert.equal(await refusal(api.admit(announced())), 'upload.too_many');
    using _three = await api.admit(announced({ tenant: 'bob' }));
    assert.equal(await refusal(api.admit(announced({ tenant: 'carol' }))), 'upload.too_many');
  }
  assert.equal(await refusal(api.admit(announced())), null);
});

test('[C33, H39] a full queue refuses exports, but accepts requests that make none', async () => {
  await using exports = await ExportsFixture.open({ maxWaiting: 1 });
  const { api } = exports;
  await api.submit(exports.submission(DOCUMENTS, { clip: clip.file }, { tenant: 'ann' }), uncancelled);
  assert.equal(await refusal(api.admit(announced())), 'queue.full');
  assert.equal(await refusal(api.admit(announced({ creates: false }))), null);
});

test('[H39] simultaneous exports are accepted up to the limit of the queue', async () => {
  await using exports = await ExportsFixture.open({ maxWaiting: 2 });
  const submitted = Array.from({ length: 4 }, () => {
    const submission = exports.submission(DOCUMENTS, { clip: clip.file }, { tenant: 'ann' });
    return refusal(exports.api.submit(submission, uncancelled));
  });
  const outcomes = (await Promise.all(submitted)).map(String).toSorted();
  assert.deepEqual(outcomes, ['null', 'null', 'queue.full', 'queue.full']);
});

test('[C9] a known idempotency key is admitted when everything is full, and returns its export', async () => {
  const disk = { freeBytes: 10 * MIB };
  await using exports = await onDisk(disk, { maxWaiting: 1, maxUploads: 1 });
  const { api } = exports;
  const submission = exports.submission(DOCUMENTS, { clip: clip.file }, { tenant: 'ann', idempotencyKey: 'once' });
  const { id } = await api.submit(submission, uncancelled);
  disk.freeBytes = 0;
  const { tenant, idempotencyKey, requestHash } = submission;
  using admitted = await api.admit(announced({ bytes: 50 * MIB, idempotencyKey }));
  assert.equal(admitted.known, true);
  assert.equal(await api.repeated({ tenant, idempotencyKey, requestHash }), id);
  assert.equal(await refusal(api.repeated({ tenant, idempotencyKey, requestHash: 'another' })), 'idempotency.conflict');
  assert.equal(await refusal(api.admit(announced({ tenant: 'bob', idempotencyKey }))), 'upload.too_many');
});
