import assert from 'node:assert/strict';
import { access, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type BlobStore, blobKey } from '../../src/store/blob-store.ts';
import type { LocalFiles } from '../../src/store/local-files.ts';
import { put } from './blob-store-suite.ts';

/** Files of a node, and the blobs they are of. */
export interface LocalFilesHarness {
  readonly blobs: BlobStore;
  readonly files: LocalFiles;
}

const KEY = blobKey('uploads', 'a1');

/** What every `LocalFiles` must do. `open` removes everything after the test. */
export function localFilesSuite(adapter: string, open: (t: TestContext) => Promise<LocalFilesHarness>): void {
  test(`${adapter}: a missing blob cannot be held`, async (t) => {
    const { files, blobs } = await open(t);
    await assert.rejects(files.hold(KEY), { code: 'store.blob_missing', kind: 'missing' });
    await put(blobs, KEY, 'content');
    await using held = await files.hold(KEY);
    assert.equal(await readFile(held.path, 'utf8'), 'content', 'it came since');
  });

  test(`${adapter}: a held file outlives its blob`, async (t) => {
    const { files, blobs } = await open(t);
    await put(blobs, KEY, 'content');
    await using held = await files.hold(KEY);
    await using again = await files.hold(KEY);
    await blobs.delete(KEY);
    assert.equal(await readFile(held.path, 'utf8'), 'content');
    assert.equal(await readFile(again.path, 'utf8'), 'content');
    assert.ok((await stat(held.path)).isFile());
  });

  test(`${adapter}: of two holders of a blob, the first release does not affect the other`, async (t) => {
    const { files, blobs } = await open(t);
    await put(blobs, KEY, 'content');
    const first = await files.hold(KEY);
    await using second = await files.hold(KEY);
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    assert.equal(await readFile(second.path, 'utf8'), 'content');
  });

  test(`${adapter}: releasing a file keeps the blob`, async (t) => {
    const { files, blobs } = await open(t);
    await put(blobs, KEY, 'content');
    await (await files.hold(KEY))[Symbol.asyncDispose]();
    assert.equal((await blobs.info(KEY))?.bytes, 7);
    await using held = await files.hold(KEY);
    assert.equal(await readFile(held.path, 'utf8'), 'content');
  });

  test(`${adapter}: a mutable blob is read in its current version; a holder of the old one keeps it`, async (t) => {
    const { files, blobs } = await open(t);
    const hold = () => files.hold(KEY, { mayChange: true });
    await put(blobs, KEY, 'old');
    await (await hold())[Symbol.asyncDispose]();
    await put(blobs, KEY, 'newer');
    await using newer = await hold();
    await put(blobs, KEY, 'the newest');
    await using newest = await hold();
    assert.equal(await readFile(newer.path, 'utf8'), 'newer');
    assert.equal(await readFile(newest.path, 'utf8'), 'the newest');
  });

  test(`${adapter}: many concurrent holders are all served`, async (t) => {
    const { files, blobs } = await open(t);
    const keys = Array.from({ length: 12 }, (_, n) => blobKey('chunks', `${n % 4}`));
    for (const key of new Set(keys)) await put(blobs, key, key);
    await Promise.all(
      keys.map(async (key) => {
        await using held = await files.hold(key);
        assert.equal(await readFile(held.path, 'utf8'), key);
      }),
    );
  });

  test(`${adapter}: a work folder is private, is not a blob, and is removed with its content`, async (t) => {
    const { files, blobs } = await open(t);
    let path: string;
    {
      await using one = await files.scratch();
      await using two = await files.scratch();
      assert.notEqual(one.path, two.path);
      path = one.path;
      await mkdir(join(path, 'deep'));
      await writeFile(join(path, 'deep', 'file'), 'x');
      assert.deepEqual(await Array.fromAsync(blobs.list('')), []);
    }
    await assert.rejects(access(path), { code: 'ENOENT' });
  });

  test(`${adapter}: free space is reported, or as not applicable`, async (t) => {
    const { files } = await open(t);
    const room = await files.room();
    assert.ok(room === null || (room.freeBytes > 0 && room.freeBytes <= room.totalBytes));
  });
}
