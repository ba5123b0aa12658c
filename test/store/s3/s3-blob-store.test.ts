import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { blobKey } from '../../../src/store/blob-store.ts';
import { BlobPartialFiles } from '../../../src/store/disk/blob-partial-files.ts';
import { CachedLocalFiles } from '../../../src/store/disk/cached-local-files.ts';
import { S3BlobStore, type S3Place } from '../../../src/store/s3/s3-blob-store.ts';
import { uncancelled } from '../../uncancelled.ts';
import { blobStoreSuite, put } from '../blob-store-suite.ts';
import { localFilesSuite } from '../local-files-suite.ts';
import { partialFilesSuite } from '../partial-files-suite.ts';
import { fastFolder } from '../temp-folder.ts';
import { leaveUnfinished, NO_S3, putDamaged, testPlace } from './test-bucket.ts';

const KEY = blobKey('exports', '1', 'preset_one.mp4');
/** Three parts and a bit. */
const LONG = Buffer.alloc(25_000_001, 'a long video, ');

async function opened(t: TestContext): Promise<{ store: S3BlobStore; place: S3Place; folder: string }> {
  const [place, folder] = [await testPlace(t), fastFolder(t)];
  const store = new S3BlobStore({ ...place, scratchDir: folder });
  t.after(() => store[Symbol.dispose]());
  return { store, place, folder };
}

if (NO_S3) test('S3: everything a store must do', { skip: NO_S3 }, () => {});
else {
  blobStoreSuite('S3', async (t) => {
    const { store, place, folder } = await opened(t);
    return { store, folder, leaveUnfinished: () => leaveUnfinished(place) };
  });
  localFilesSuite('S3', async (t) => {
    const { store: blobs, folder } = await opened(t);
    return { blobs, files: await CachedLocalFiles.open(folder, { blobs, limitBytes: 2 ** 30 }) };
  });
  partialFilesSuite('S3', async (t) => {
    const { store: blobs, folder } = await opened(t);
    const local = await CachedLocalFiles.open(folder, { blobs, limitBytes: 2 ** 30 });
    return async () => new BlobPartialFiles({ blobs, local });
  });
}

test('S3: a long blob is sent in parts, from a file or a stream, and read back complete', {
  skip: NO_S3,
}, async (t) => {
  const { store, folder } = await opened(t);
  const path = join(folder, 'made');
  await writeFile(path, LONG);
  await store.putFile(KEY, path);
  assert.ok((await buffer(await store.read(KEY))).equals(LONG));
  await store.put(KEY, Readable.from([LONG.subarray(0, 9_000_000), LONG.subarray(9_000_000)]), uncancelled);
  assert.ok((await buffer(await store.read(KEY))).equals(LONG));
  const range = { start: 8_388_600, end: 8_388_620 };
  assert.deepEqual(await buffer(await store.read(KEY, range)), LONG.subarray(range.start, range.end));
  assert.deepEqual(await readdir(folder), [], 'nothing is left on this machine');
});

test('S3: an aborted long upload leaves no object and no parts, and keeps the file', { skip: NO_S3 }, async (t) => {
  const { store, folder } = await opened(t);
  const path = join(folder, 'made');
  await writeFile(path, LONG);
  const [stop, reason] = [new AbortController(), new Error('the render was cancelled')];
  const putting = assert.rejects(store.putFile(KEY, path, stop.signal), (error) => error === reason);
  stop.abort(reason);
  await putting;
  assert.equal(await store.info(KEY), null);
  assert.equal(await store.sweep(-60_000), 0);
  assert.deepEqual(await readdir(folder), ['made']);
});

test('S3: bytes that differ from the stored ones are never returned to their end', { skip: NO_S3 }, async (t) => {
  const { store, place, folder } = await opened(t);
  const bytes = Buffer.alloc(300_000, 'x');
  await putDamaged(place, KEY, bytes, createHash('sha256').update('others').digest('hex'));
  const seen: Buffer[] = [];
  const reading = await store.read(KEY);
  reading.on('data', (chunk: Buffer) => seen.push(chunk));
  const error = await new Promise((resolve) => reading.once('error', resolve));
  assert.equal((error as { code?: string }).code, 'store.corrupt_blob');
  assert.ok(Buffer.concat(seen).length < bytes.length);
  const files = await CachedLocalFiles.open(folder, { blobs: store, limitBytes: 2 ** 30 });
  await assert.rejects(files.hold(KEY), { code: 'store.corrupt_blob', kind: 'internal' });
  assert.deepEqual(await readdir(join(folder, 'work')), []);
});

test('S3: prefixes share a bucket, and none sees another', { skip: NO_S3 }, async (t) => {
  const { store, place, folder } = await opened(t);
  using inner = new S3BlobStore({ ...place, prefix: `${place.prefix}inner/`, scratchDir: folder });
  await put(inner, KEY, 'inner');
  await put(store, KEY, 'outer');
  assert.deepEqual(await Array.fromAsync(inner.list(''), ({ key }) => key), [KEY]);
  await inner.delete(KEY);
  assert.equal((await store.info(KEY))?.bytes, 5);
});

test('[C27] a presigned URL returns the video with its name, type and ranges; without the signature it does not', {
  skip: NO_S3,
}, async (t) => {
  const { store } = await opened(t);
  await put(store, KEY, '0123456789');
  const headers = { type: 'video/mp4', disposition: `attachment; filename="a b.mp4"; filename*=UTF-8''%C3%A4%20b.mp4` };
  const address = await store.addressOf(KEY, headers, 60);
  const whole = await fetch(address);
  assert.deepEqual(
    [whole.status, await whole.text(), whole.headers.get('content-type'), whole.headers.get('content-disposition')],
    [200, '0123456789', headers.type, headers.disposition],
  );
  assert.match(whole.headers.get('cache-control') ?? '', /private/);
  const part = await fetch(address, { headers: { range: 'bytes=3-5' } });
  assert.deepEqual([part.status, await part.text(), part.headers.get('content-range')], [206, '345', 'bytes 3-5/10']);
  const beyond = await fetch(address, { headers: { range: 'bytes=20-' } });
  assert.equal(beyond.status, 416);
  await beyond.body?.cancel();
  const changed = await fetch(address.replace('preset_one', 'preset_two'));
  assert.equal(changed.status, 403);
  await changed.body?.cancel();
});

test('S3: a configuration error is internal, with the cause inside and not in the message', {
  skip: NO_S3,
}, async (t) => {
  const { place, folder } = await opened(t);
  const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'wrong' };
  using stranger = new S3BlobStore({ ...place, credentials, scratchDir: folder });
  using nowhere = new S3BlobStore({ ...place, bucket: 'no-such-bucket-of-tiercut', scratchDir: folder });
  for (const store of [stranger, nowhere]) {
    for (const call of [() => put(store, KEY, 'x'), () => Array.fromAsync(store.list(''))]) {
      await assert.rejects(call, { code: 'store.failed', kind: 'internal' });
    }
  }
});
