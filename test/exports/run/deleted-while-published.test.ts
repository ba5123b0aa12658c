import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BlobKey, BlobStore } from '../../../src/store/blob-store.ts';
import { CLIP } from '../../service/sample-request.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

test('[C29, H25] an export that is deleted while its video is stored leaves no files', async () => {
  const removed = Promise.withResolvers<boolean>();
  /** Stores the video after its export was deleted, and fails like a store whose caller was aborted. */
  const late = (blobs: BlobStore): BlobStore => {
    const putFile = async (key: BlobKey, path: string, signal?: AbortSignal): Promise<void> => {
      const isVideo = key.includes('preset_one');
      const gone = isVideo && (await exports.api.remove('default', id));
      await blobs.putFile(key, path);
      if (isVideo) removed.resolve(gone);
      signal?.throwIfAborted();
    };
    return new Proxy(blobs, {
      get: (target, name) => {
        const value = name === 'putFile' ? putFile : Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  await using exports = await ExportsFixture.open({ prerender: 'selected' }, undefined, ({ blobs }) => ({
    blobs: late(blobs),
  }));
  const documents = { tier_list: { title: 'Gone' }, timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } };
  const submission = exports.submission(documents, { clip: CLIP.file });
  const { id } = await exports.api.submit(submission, uncancelled);
  for (const { path } of submission.uploads.values()) rmSync(path, { force: true });
  exports.startWorker();
  assert.equal(await removed.promise, true);
  await exports.stop();
  const folder = join(exports.folder, 'blobs', 'exports');
  const left = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  assert.deepEqual(
    left.filter((entry) => entry.isFile()).map(({ name }) => name),
    [],
  );
});
