import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import type { BlobStore } from '../../src/store/blob-store.ts';
import type { Database } from '../../src/store/database.ts';
import { ExportsFixture } from '../exports/exports-fixture.ts';
import { CLIP } from '../service/sample-request.ts';
import { uncancelled } from '../uncancelled.ts';

/** A store whose server is unreachable for chosen keys. */
function sometimesAway(store: BlobStore, isAway: (key: string) => boolean): BlobStore {
  const putFile: BlobStore['putFile'] = async (key, path, uncancelled) => {
    if (isAway(key)) throw new ExportError('unavailable', 'store.unreachable', 'The file store cannot be reached.');
    await store.putFile(key, path, uncancelled);
  };
  return new Proxy(store, {
    get(target, name) {
      const value = name === 'putFile' ? putFile : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('[C35, H33] files that are unreachable for longer than three tries fail no export: its job waits, and no try counts', async () => {
  let refusals = 3;
  await using exports = await ExportsFixture.open({ prerender: 'selected' }, undefined, ({ blobs }) => ({
    blobs: sometimesAway(blobs, (key) => key.startsWith('exports/') && refusals-- > 0),
  }));
  const documents = { timeline_data: { videos: [{ file_field: 'clip', duration: 3 }] } };
  const { id } = await exports.api.submit(exports.submission(documents, { clip: CLIP.file }), uncancelled);
  exports.startWorker();
  const last = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
  assert.equal(last.state, 'completed', exports.logged.join('\n'));
  assert.ok(refusals < 0);
});

test('[H23] a create whose commit was not confirmed keeps its files in case it succeeded; a retry returns the same export', async () => {
  let lost = true;
  await using exports = await ExportsFixture.open({ prerender: 'selected' }, undefined, ({ database }) => ({
    database: unanswered(database, () => lost),
  }));
  const documents = { timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } };
  const submission = { ...exports.submission(documents, { clip: CLIP.file }), idempotencyKey: 'again' };
  await assert.rejects(exports.api.submit(submission, uncancelled), { code: 'store.unreachable' });
  lost = false;
  const again = { ...exports.submission(documents, { clip: CLIP.file }), idempotencyKey: 'again' };
  const { id } = await exports.api.submit({ ...again, requestHash: submission.requestHash }, uncancelled);
  exports.startWorker();
  const last = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
  assert.equal(last.state, 'completed', exports.logged.join('\n'));
});

/** A database that executes a commit and loses the response to it. */
function unanswered(database: Database, isLost: () => boolean): Database {
  const transaction: Database['transaction'] = async (work, options) => {
    const result = await database.transaction(work, options);
    if (isLost()) throw new ExportError('unavailable', 'store.unreachable', 'The database cannot be reached.');
    return result;
  };
  return new Proxy(database, {
    get(target, name) {
      const value = name === 'transaction' ? transaction : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
