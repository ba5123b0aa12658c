import assert from 'node:assert/strict';
import fs, { existsSync } from 'node:fs';
import { mkdir, readdir, readlink, symlink, truncate, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type BlobKey, blobKey } from '../../../src/store/blob-store.ts';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../../src/store/disk/linked-local-files.ts';
import { diskError } from '../../../src/store/store-error.ts';
import { uncancelled } from '../../uncancelled.ts';
import { blobStoreSuite, put } from '../blob-store-suite.ts';
import { fastFolder, tempFolder } from '../temp-folder.ts';

blobStoreSuite('disk', async (t) => {
  const folder = tempFolder(t);
  const store = await DiskBlobStore.open(join(folder, 'data'));
  return {
    store,
    folder,
    leaveUnfinished: () => writeFile(join(folder, 'data', 'work', 'put-by-a-process-that-died'), 'half of'),
  };
});

test('disk: a key cannot lead out of the store, even if it was never checked', async (t) => {
  const root = tempFolder(t);
  const store = await DiskBlobStore.open(join(root, 'data'));
  await writeFile(join(root, 'secret'), 'secret');
  for (const key of ['../../secret', '..', '.', '', '/etc/passwd', 'a/../../../secret'] as BlobKey[]) {
    await assert.rejects(store.read(key), /leads out/, key);
    await assert.rejects(store.put(key, Readable.from(['x']), uncancelled), /leads out/, key);
    await assert.rejects(store.delete(key), /leads out/, key);
    await assert.rejects(store.putFile(key, join(root, 'secret')), /leads out/, key);
    await assert.rejects(async () => store.info(key), /leads out/, key);
  }
  for (const step of ['..', '.', '', 'a/../b', 'a//b', '/a', 'a b', 'ä', 'a\0', '-a']) {
    assert.throws(() => blobKey(step), /not a blob key/, step);
  }
});

test('disk: [H24] no half-written file stays, whatever ended the put', async (t) => {
  const root = tempFolder(t);
  const store = await DiskBlobStore.open(root);
  const stop = new AbortController();
  const body = new PassThrough();
  const aborted = assert.rejects(store.put(blobKey('a'), body, stop.signal));
  body.write('x');
  stop.abort();
  await aborted;
  await assert.rejects(store.put(blobKey('a'), Readable.from(failing()), uncancelled), /no more/);
  assert.deepEqual(await readdir(join(root, 'work')), []);

  async function* failing() {
    yield 'x';
    throw new Error('no more');
  }
});

test('disk: [H24] a blob that is truncated during a read ends with an error, not early', async (t) => {
  const root = tempFolder(t);
  const store = await DiskBlobStore.open(root);
  await put(store, blobKey('a'), 'x'.repeat(1_000_000));
  const reading = await store.read(blobKey('a'));
  await truncate(join(root, 'blobs', 'a'), 500_000);
  await assert.rejects(buffer(reading), { code: 'store.corrupt_blob', kind: 'internal' });
});

test('disk: [H29] an unread blob is closed with its stream', {
  skip: !existsSync('/proc/self/fd'),
}, async (t) => {
  const root = tempFolder(t);
  const store = await DiskBlobStore.open(root);
  await put(store, blobKey('a'), 'x'.repeat(1_000_000));
  const reading = await store.read(blobKey('a'));
  const isOpen = async () => (await openFiles()).includes(join(root, 'blobs', 'a'));
  assert.equal(await isOpen(), true);
  reading.destroy();
  while (await isOpen()) await setImmediate();
});

test('disk: [H25] a work file left by a process that died is swept, blobs are not', async (t) => {
  const root = tempFolder(t);
  const before = await DiskBlobStore.open(root);
  await put(before, blobKey('kept'), 'kept');
  const files = await LinkedLocalFiles.open(root, before);
  await files.hold(blobKey('kept'));
  await mkdir(join((await files.scratch()).path, 'deep'));
  await writeFile(join(root, 'work', 'half-written'), 'ha');
  const after = await DiskBlobStore.open(root);
  assert.deepEqual(await (await LinkedLocalFiles.open(root, after)).sweep(), []);
  assert.deepEqual(await readdir(join(root, 'work')), []);
  assert.equal(await text(await after.read(blobKey('kept'))), 'kept');
});

test('disk: an old file that cannot be removed is reported, and the others are removed', async (t) => {
  const root = tempFolder(t);
  const files = await LinkedLocalFiles.open(root, await DiskBlobStore.open(root));
  for (const name of ['a', 'b-stuck', 'c']) await writeFile(join(root, 'work', name), '');
  const { rm } = fs.promises;
  t.mock.method(fs.promises, 'rm', async (path: string, options: object) => {
    if (path.endsWith('stuck')) throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'rm' });
    await rm(path, options);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.deepEqual(
    (await files.sweep()).map(({ name }) => name),
    ['b-stuck'],
  );
  assert.deepEqual(await readdir(join(root, 'work')), ['b-stuck']);
});

test('disk: empty folders do not accumulate', async (t) => {
  const root = tempFolder(t);
  const store = await DiskBlobStore.open(root);
  for (const id of ['1', '2', '3']) {
    await put(store, blobKey('exports', id, 'deep', 'file'), 'x');
    await store.delete(blobKey('exports', id, 'deep', 'file'));
  }
  assert.deepEqual(await readdir(join(root, 'blobs')), []);
});

test('disk: a file on another disk is moved in too', { skip: !existsSync('/dev/shm') }, async (t) => {
  const store = await DiskBlobStore.open(tempFolder(t));
  const path = join(fastFolder(t), 'elsewhere');
  await writeFile(path, 'from afar');
  await store.putFile(blobKey('a'), path);
  assert.equal(await text(await store.read(blobKey('a'))), 'from afar');
  assert.equal(existsSync(path), false);
});

test('disk: a full disk has its own error, with the cause inside', { skip: !existsSync('/dev/full') }, async () => {
  const full = await writeFile('/dev/full', 'x'.repeat(10_000)).catch((cause) => cause);
  const { code, kind, cause, message } = diskError(full) as {
    code: string;
    kind: string;
    cause: unknown;
    message: string;
  };
  assert.deepEqual([code, kind, cause], ['store.disk_full', 'unavailable', full]);
  assert.ok(!message.includes('/dev/full'), 'no path reaches a client');
});

test('disk: errors of the disk are internal, and other errors are unchanged', async (t) => {
  const root = tempFolder(t);
  await symlink('loop', join(root, 'loop'));
  await assert.rejects(DiskBlobStore.open(join(root, 'loop', 'data')), { code: 'store.failed', kind: 'internal' });
  const tooMany = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', syscall: 'open' });
  assert.equal((diskError(tooMany) as { code: string }).code, 'store.busy');
  const bug = new TypeError('of undefined');
  assert.equal(diskError(bug), bug);
});

async function openFiles(): Promise<string[]> {
  const folder = '/proc/self/fd';
  return Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')));
}
