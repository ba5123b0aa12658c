import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { BlobKey, BlobStore } from '../../../src/store/blob-store.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };

/** A disk on which the keys that `refuses` names cannot be deleted. */
function stubborn(blobs: BlobStore, refuses: (key: BlobKey) => boolean): BlobStore {
  const own: Pick<BlobStore, 'delete' | 'deleteMany'> = {
    delete: (key) => (refuses(key) ? Promise.reject(new Error(`${key} stays`)) : blobs.delete(key)),
    deleteMany: async (keys) => {
      const faults = await blobs.deleteMany(keys.filter((key) => !refuses(key)));
      return new Map([...faults, ...keys.filter(refuses).map((key) => [key, new Error(`${key} stays`)] as const)]);
    },
  };
  return new Proxy(blobs, {
    get: (target, name) => {
      if (name === 'delete' || name === 'deleteMany') return own[name];
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Exports that failed long ago. */
async function overdue(exports: ExportsFixture, count: number): Promise<string[]> {
  const { database, records } = exports.ports;
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await exports.api.submit(exports.submission(TEXT_ONLY), uncancelled);
    await database.transaction(async (tx) => {
      await records.fail(id, { kind: 'internal', code: 'render.failed', message: '', issues: [] }, tx);
      await records.setExpiry(id, n, tx);
    });
    ids.push(id);
  }
  return ids;
}

test('[C35] an export that cannot be removed does not block the others, and is removed later', async () => {
  let broken = '';
  await using exports = await ExportsFixture.open({}, undefined, ({ blobs }) => ({
    blobs: stubborn(blobs, (key) => broken !== '' && key.includes(broken)),
  }));
  const [first, second, third] = await overdue(exports, 3);
  broken = first!;
  await exports.parts.removals.expire();
  const { database, records } = exports.ports;
  const left = async () => [first!, second!, third!].map(async (id) => (await records.find(id, database))?.state);
  assert.deepEqual(await Promise.all(await left()), ['expired', undefined, undefined]);
  assert.equal(await exports.api.get('default', first!), null, 'for everybody else it is gone');
  assert.match(exports.logged.join('\n'), /export not removed/);
  broken = '';
  await exports.parts.removals.expire();
  assert.deepEqual(await Promise.all(await left()), [undefined, undefined, undefined]);
  assert.deepEqual(readdirSync(join(exports.folder, 'blobs')), []);
});

test('[C35] a service starts even if something cannot be removed', async () => {
  const first = await ExportsFixture.open();
  const [stuck, other] = await overdue(first, 2);
  await first.stop();
  await using second = await ExportsFixture.open({}, first.folder, ({ blobs }) => ({
    blobs: stubborn(blobs, (key) => key.includes(stuck!)),
  }));
  const { database, records } = second.ports;
  assert.equal((await records.find(stuck!, database))?.state, 'expired');
  assert.equal(await records.find(other!, database), null);
});

test('[H25] a leftover that cannot be removed does not block the others', async () => {
  await using exports = await ExportsFixture.open({}, undefined, ({ blobs }) => ({
    blobs: stubborn(blobs, (key) => key.endsWith('stuck')),
  }));
  const { blobs } = exports.ports;
  const keys = ['uploads/aa-stuck', 'uploads/bb', 'exports/aa/stuck', 'exports/bb/x.mp4', 'plans/cc/x.json'];
  for (const key of keys) await blobs.put(key as BlobKey, Readable.from(['x']), uncancelled);
  assert.equal(await exports.parts.orphans.sweep(0), 3);
  for (const key of keys) assert.equal(existsSync(join(exports.folder, 'blobs', key)), key.endsWith('stuck'), key);
});

test('[C29] an upload is removed with the last of its exports, even if the webhook of a cancelled one is still due', async () => {
  const clip = await makeClip({ frames: 10, width: 64, height: 64 });
  await using exports = await ExportsFixture.open();
  const documents = { timeline_data: { videos: [{ file_field: 'clip', duration: 0.3 }] } };
  // Nothing listens on the discard port: the record of the first stays, for further tries.
  const callbackUrl = 'http://127.0.0.1:9/';
  const submit = (other: object) =>
    exports.api.submit(exports.submission(documents, { clip: clip.file }, other), uncancelled);
  const [reported, plain] = [await submit({ callbackUrl }), await submit({})];
  assert.ok(await exports.api.remove('default', reported.id));
  assert.equal(readdirSync(join(exports.folder, 'blobs', 'uploads')).length, 1);
  assert.ok(await exports.api.remove('default', plain.id));
  const { records, database } = exports.ports;
  assert.equal((await records.find(reported.id, database))?.state, 'cancelled');
  assert.equal(existsSync(join(exports.folder, 'blobs', 'uploads')), false);
});
