import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type BlobKey, type BlobStore, blobKey } from '../../../src/store/blob-store.ts';
import { CachedLocalFiles } from '../../../src/store/disk/cached-local-files.ts';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../../src/store/disk/linked-local-files.ts';
import { put } from '../blob-store-suite.ts';
import { localFilesSuite } from '../local-files-suite.ts';
import { fastFolder } from '../temp-folder.ts';

const KEY = blobKey('uploads', 'a1');
const ROOMY = 2 ** 30;

localFilesSuite('disk', async (t) => {
  const root = fastFolder(t);
  const blobs = await DiskBlobStore.open(root);
  return { blobs, files: await LinkedLocalFiles.open(root, blobs) };
});

localFilesSuite('shared folder', async (t) => {
  const root = fastFolder(t);
  const blobs = await DiskBlobStore.open(join(root, 'shared'));
  return { blobs, files: await CachedLocalFiles.open(join(root, 'node'), { blobs, limitBytes: ROOMY }) };
});

test('[H32] a folder that could not be removed for lack of descriptors is removed with the next', async (t) => {
  const limits = spawnSync('prlimit', [`--pid=${process.pid}`, '--nofile', '--output=SOFT', '--noheadings']);
  if (limits.error !== undefined) return t.skip('there is no prlimit here');
  const limit = (most: string) => spawnSync('prlimit', [`--pid=${process.pid}`, `--nofile=${most}:`]);
  const root = fastFolder(t);
  const files = await LinkedLocalFiles.open(root, await DiskBlobStore.open(root));
  const folder = await files.scratch();
  await writeFile(join(folder.path, 'file'), 'content');
  const open: number[] = [];
  limit('128');
  try {
    for (;;) open.push(openSync('/dev/null', 'r'));
  } catch {
    await assert.rejects(async () => folder[Symbol.asyncDispose](), { code: 'store.busy' });
  } finally {
    for (const descriptor of open) closeSync(descriptor);
    limit(limits.stdout.toString().trim());
  }
  assert.equal((await readdir(join(root, 'work'))).length, 1);
  await using next = await files.scratch();
  assert.deepEqual(await readdir(join(root, 'work')), [basename(next.path)]);
});

/** A shared folder whose reads are counted, and its own node. */
async function node(t: TestContext, limitBytes = ROOMY) {
  const root = fastFolder(t);
  const shared = await DiskBlobStore.open(join(root, 'shared'));
  const reads: BlobKey[] = [];
  const blobs: BlobStore = Object.assign(Object.create(shared), {
    info: (key: BlobKey) => shared.info(key),
    read: (key: BlobKey) => {
      reads.push(key);
      return shared.read(key);
    },
  });
  const files = await CachedLocalFiles.open(join(root, 'node'), { blobs, limitBytes });
  return { shared, blobs, files, reads, root, work: join(root, 'node', 'work') };
}

async function use(files: CachedLocalFiles, key: BlobKey): Promise<string> {
  await using held = await files.hold(key);
  return readFile(held.path, 'utf8');
}

test('disk: a held file on this machine is a second name, not a copy', async (t) => {
  const root = fastFolder(t);
  const blobs = await DiskBlobStore.open(root);
  await put(blobs, KEY, 'content');
  const files = await LinkedLocalFiles.open(root, blobs);
  const held = await files.hold(KEY);
  assert.equal((await stat(held.path)).ino, (await stat(join(root, 'blobs', KEY))).ino);
  await held[Symbol.asyncDispose]();
  assert.deepEqual(await readdir(join(root, 'work')), []);
});

test('cached files: concurrent readers of a blob share one download, and it stays for the next', async (t) => {
  const { shared, files, reads } = await node(t);
  await put(shared, KEY, 'content');
  const held = await Promise.all([files.hold(KEY), files.hold(KEY), files.hold(KEY)]);
  assert.equal(new Set(held.map(({ path }) => path)).size, 1);
  for (const file of held) await file[Symbol.asyncDispose]();
  assert.equal(await use(files, KEY), 'content');
  assert.deepEqual(reads, [KEY]);
});

test('cached files: over the limit the least recently used file is removed, a held one never', async (t) => {
  const { shared, files, reads, work } = await node(t, 300);
  const keys = ['a', 'b', 'c', 'd'].map((name) => blobKey('parts', name));
  const [a, b, c, d] = keys as [BlobKey, BlobKey, BlobKey, BlobKey];
  for (const key of keys) await put(shared, key, key.padEnd(100));
  for (const key of [a, b, c]) await use(files, key);
  await use(files, a);
  await use(files, d);
  assert.equal(files.sizeBytes, 300);
  assert.equal((await readdir(work)).length, 3);
  reads.length = 0;
  for (const key of [a, c, d]) await use(files, key);
  assert.deepEqual(reads, []);
  await use(files, b);
  assert.deepEqual(reads, [b], 'it was the one to go');

  const held = await Promise.all(keys.map((key) => files.hold(key)));
  assert.equal(files.sizeBytes, 400, 'what is needed goes over the limit');
  for (const [n, file] of held.entries()) assert.equal((await readFile(file.path, 'utf8')).trim(), keys[n]);
  for (const file of held) await file[Symbol.asyncDispose]();
  assert.equal(files.sizeBytes, 300);
});

test('cached files: concurrent readers of a mutable blob share one copy, whose size counts once', async (t) => {
  const { shared, blobs, files, reads } = await node(t);
  await put(shared, KEY, 'content');
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  blobs.info = async (key) => {
    asked += 1;
    if (asked === 1) await gate.promise;
    return shared.info(key);
  };
  const held = [files.hold(KEY, { mayChange: true })];
  for (let turn = 0; asked === 0 && turn < 5; turn++) await shared.info(KEY);
  held.push(files.hold(KEY, { mayChange: true }));
  // The first caller gets its result last: any call of the second returns before.
  for (let turn = 0; turn < 5; turn++) await shared.info(KEY);
  gate.resolve();
  for (const file of await Promise.all(held)) await file[Symbol.asyncDispose]();
  assert.deepEqual([reads.length, files.sizeBytes], [1, 'content'.length]);
});

test('cached files: content with a wrong hash is refused, leaves no file, and is fetched again', async (t) => {
  const { shared, files, work, root } = await node(t);
  const sha256 = createHash('sha256').update('content').digest('hex');
  await put(shared, KEY, 'content');
  const blob = join(root, 'shared', 'blobs', KEY);
  await writeFile(blob, 'c0ntent');
  await assert.rejects(files.hold(KEY, { sha256 }), { code: 'store.corrupt_blob', kind: 'internal' });
  assert.deepEqual([files.sizeBytes, await readdir(work)], [0, []]);
  await writeFile(blob, 'content');
  await using held = await files.hold(KEY, { sha256 });
  assert.equal(await readFile(held.path, 'utf8'), 'content');
});

test('cached files: an interrupted download leaves no file, and the next one is complete', async (t) => {
  const { shared, blobs, files, work } = await node(t);
  await put(shared, KEY, 'content');
  const read = blobs.read;
  async function* cutOff() {
    yield Buffer.from('cont');
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  }
  blobs.read = async () => Readable.from(cutOff());
  await assert.rejects(files.hold(KEY), { code: 'ECONNRESET' });
  blobs.read = async () => Readable.from([Buffer.from('cont')]);
  await assert.rejects(files.hold(KEY), { code: 'store.corrupt_blob' });
  assert.deepEqual([files.sizeBytes, await readdir(work)], [0, []]);
  blobs.read = read;
  assert.equal(await use(files, KEY), 'content');
});

test('cached files: a reader that gives up leaves the download to the others; the last one ends it', async (t) => {
  const { shared, blobs, files, work } = await node(t);
  await put(shared, KEY, 'content');
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  async function* slow() {
    yield Buffer.from('con');
    began.resolve();
    await gate.promise;
    yield Buffer.from('tent');
  }
  blobs.read = async () => Readable.from(slow());
  const [stop, reason] = [new AbortController(), new Error('no more')];
  const patient = files.hold(KEY);
  const impatient = assert.rejects(files.hold(KEY, { signal: stop.signal }), (error) => error === reason);
  await began.promise;
  stop.abort(reason);
  await impatient;
  gate.resolve();
  await using held = await patient;
  assert.equal(await readFile(held.path, 'utf8'), 'content');

  const alone = new AbortController();
  const other = blobKey('uploads', 'b2');
  await put(shared, other, 'content');
  const never = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<Readable>();
  blobs.read = async () => {
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('con');
        await never.promise;
      })(),
    );
    reading.resolve(body);
    return body;
  };
  const waiting = assert.rejects(files.hold(other, { signal: alone.signal }), (error) => error === reason);
  const body = await reading.promise;
  alone.abort(reason);
  never.resolve();
  await waiting;
  assert.equal(body.destroyed, true);
  assert.equal((await readdir(work)).length, 1, 'only what is held');
});
