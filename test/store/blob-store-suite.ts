import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type BlobKey, type BlobStore, blobKey } from '../../src/store/blob-store.ts';
import { uncancelled } from '../uncancelled.ts';

/** A store without blobs. */
export interface BlobHarness {
  readonly store: BlobStore;
  /** Where the test can put files that are to be moved in. */
  readonly folder: string;
  /** Leaves what a writer that died would leave of one blob. */
  leaveUnfinished(): Promise<void>;
}

const KEY = blobKey('uploads', 'a1');

/** What every `BlobStore` must do. `open` removes everything after the test. */
export function blobStoreSuite(adapter: string, open: (t: TestContext) => Promise<BlobHarness>): void {
  test(`${adapter}: bytes are read as they were written`, async (t) => {
    const { store } = await open(t);
    for (const size of [0, 1, 65_536, 3_000_001]) {
      const bytes = Buffer.alloc(size, `${size} bytes of `);
      await store.put(KEY, inChunks(bytes, 50_000), uncancelled);
      assert.deepEqual(await buffer(await store.read(KEY)), bytes);
      assert.equal((await store.info(KEY))?.bytes, size);
    }
  });

  test(`${adapter}: a range returns exactly its bytes`, async (t) => {
    const { store } = await open(t);
    await put(store, KEY, '0123456789');
    const read = async (start: number, end: number) => text(await store.read(KEY, { start, end }));
    assert.deepEqual(
      [await read(0, 10), await read(0, 1), await read(9, 10), await read(3, 7), await read(4, 4), await read(10, 10)],
      ['0123456789', '0', '9', '3456', '', ''],
    );
    for (const [start, end] of [
      [-1, 3],
      [5, 4],
    ] as const) {
      await assert.rejects(store.read(KEY, { start, end }), RangeError);
    }
  });

  test(`${adapter}: [H24] a blob that is shorter than its record is damaged, before the first byte`, async (t) => {
    const { store } = await open(t);
    await put(store, KEY, '0123456789');
    for (const [start, end] of [
      [0, 11],
      [3, 11],
      [10, 11],
      [11, 11],
      [11, 12],
    ] as const) {
      await assert.rejects(store.read(KEY, { start, end }), { code: 'store.corrupt_blob', kind: 'internal' });
    }
  });

  test(`${adapter}: a missing blob is an error before the first byte`, async (t) => {
    const { store } = await open(t);
    await put(store, blobKey('other'), 'x');
    const missing = { code: 'store.blob_missing', kind: 'missing' };
    await assert.rejects(store.read(KEY), missing);
    await assert.rejects(store.read(KEY, { start: 0, end: 1 }), missing);
    assert.equal(await store.info(KEY), null);
    await store.delete(KEY);
  });

  test(`${adapter}: [H24] a blob is not visible before it is complete`, async (t) => {
    const { store } = await open(t);
    const body = async function* () {
      yield Buffer.from('the first half, ');
      assert.equal(await store.info(KEY), null);
      assert.deepEqual(await keys(store, ''), []);
      yield Buffer.from('the second half');
      assert.equal(await store.info(KEY), null);
    };
    await store.put(KEY, Readable.from(body()), uncancelled);
    assert.equal(await text(await store.read(KEY)), 'the first half, the second half');
  });

  test(`${adapter}: a new version replaces the old one atomically; until then the old one is there`, async (t) => {
    const { store } = await open(t);
    await put(store, KEY, 'old');
    const body = new PassThrough();
    const putting = store.put(KEY, body, uncancelled);
    body.write('new');
    assert.equal(await text(await store.read(KEY)), 'old');
    body.end();
    await putting;
    assert.equal(await text(await store.read(KEY)), 'new');
  });

  test(`${adapter}: [H24] an aborted put leaves nothing, ends its body and rejects with the signal's reason`, async (t) => {
    const { store } = await open(t);
    const stop = new AbortController();
    const body = new PassThrough();
    const reason = new Error('the client hung up');
    const putting = assert.rejects(store.put(KEY, body, stop.signal), (error) => error === reason);
    body.write('half of it');
    stop.abort(reason);
    await putting;
    assert.equal(body.destroyed, true);
    const late = new PassThrough();
    await assert.rejects(store.put(KEY, late, stop.signal), (error) => error === reason);
    assert.equal(late.destroyed, true);
    assert.equal(await store.info(KEY), null);
  });

  test(`${adapter}: [H24] a body that fails leaves nothing, and its error is passed on unchanged`, async (t) => {
    const { store } = await open(t);
    const reason = Object.assign(new Error('connection reset'), { code: 'ECONNRESET', syscall: 'read' });
    const late = new PassThrough();
    const putting = assert.rejects(store.put(KEY, late, uncancelled), (error) => error === reason);
    late.write('half of it');
    late.destroy(reason);
    await putting;

    const failed = new PassThrough();
    const beforeReading = assert.rejects(store.put(KEY, failed, uncancelled), (error) => error === reason);
    failed.destroy(reason);
    await beforeReading;

    const cutOff = new PassThrough();
    const cut = assert.rejects(store.put(KEY, cutOff, uncancelled));
    cutOff.write('half of it');
    cutOff.destroy();
    await cut;
    assert.equal(await store.info(KEY), null);
  });

  test(`${adapter}: a finished file is moved in, whatever its length`, async (t) => {
    const { store, folder } = await open(t);
    const path = join(folder, 'made');
    for (const content of ['first', 'second', 'long'.repeat(6_000_000)]) {
      await writeFile(path, content);
      await store.putFile(KEY, path);
      await assert.rejects(access(path), { code: 'ENOENT' });
      assert.ok((await text(await store.read(KEY))) === content);
    }
  });

  test(`${adapter}: a blob that is deleted or replaced during a read is read to its end`, async (t) => {
    const { store } = await open(t);
    const bytes = Buffer.alloc(1_000_000, 'old');
    for (const change of [() => store.delete(KEY), () => put(store, KEY, 'new')]) {
      await store.put(KEY, Readable.from([bytes]), uncancelled);
      const reading = await store.read(KEY);
      await change();
      assert.deepEqual(await buffer(reading), bytes);
    }
  });

  test(`${adapter}: blobs are listed by the prefix of their keys`, async (t) => {
    const { store } = await open(t);
    const all = ['a', 'exports/1/one', 'exports/1/two', 'exports/12/one', 'exports2/x', 'uploads/1'];
    for (const key of all) await put(store, blobKey(key), key);
    assert.deepEqual(await keys(store, ''), all);
    assert.deepEqual(await keys(store, 'exports/'), ['exports/1/one', 'exports/1/two', 'exports/12/one']);
    assert.deepEqual(await keys(store, 'exports/1'), ['exports/1/one', 'exports/1/two', 'exports/12/one']);
    assert.deepEqual(await keys(store, 'exports/1/t'), ['exports/1/two']);
    assert.deepEqual(await keys(store, 'exp'), all.slice(1, 5));
    assert.deepEqual(await keys(store, 'nothing/like/it'), []);
    assert.deepEqual(await keys(store, 'a/'), []);
    for await (const { key, bytes } of store.list('')) assert.equal(bytes, key.length);
  });

  test(`${adapter}: a deleted blob is gone, and its neighbours stay`, async (t) => {
    const { store } = await open(t);
    for (const key of ['exports/1/one', 'exports/1/two', 'exports/2/one']) await put(store, blobKey(key), 'x');
    await store.delete(blobKey('exports/1/one'));
    await store.delete(blobKey('exports/1/one'));
    assert.deepEqual(await keys(store, ''), ['exports/1/two', 'exports/2/one']);
    await store.delete(blobKey('exports/1/two'));
    assert.deepEqual(await keys(store, ''), ['exports/2/one']);
    await put(store, blobKey('exports/1/one'), 'again');
    assert.equal(await text(await store.read(blobKey('exports/1/one'))), 'again');
  });

  test(`${adapter}: many blobs are deleted together, whether or not they exist, and their neighbours stay`, async (t) => {
    const { store } = await open(t);
    const there = ['exports/1/one', 'exports/1/two', 'exports/2/one', 'uploads/1'];
    for (const key of [...there, 'exports/2/two']) await put(store, blobKey(key), 'x');
    // More than S3 takes in one call.
    const missing = Array.from({ length: 1_100 }, (_, n) => blobKey('gone', `${n}`));
    const faults = await store.deleteMany([...missing, ...there.map((key) => blobKey(key)), blobKey(there[0]!)]);
    assert.deepEqual(faults, new Map());
    assert.deepEqual(await keys(store, ''), ['exports/2/two']);
    assert.deepEqual(await store.deleteMany([]), new Map());
  });

  test(`${adapter}: concurrent deletes and puts do not disturb each other`, async (t) => {
    const { store } = await open(t);
    const round = async (lane: number) => {
      for (let i = 0; i < 20; i += 1) {
        const key = blobKey('exports', 'shared', `file${lane}`);
        await put(store, key, `${lane}/${i}`);
        assert.equal(await text(await store.read(key)), `${lane}/${i}`);
        await store.delete(key);
      }
    };
    await Promise.all([0, 1, 2, 3].map(round));
    assert.deepEqual(await keys(store, ''), []);
  });

  test(`${adapter}: of many concurrent puts of the same blob, one complete version wins`, async (t) => {
    const { store } = await open(t);
    const versions = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, `${index}`));
    await Promise.all(versions.map((bytes) => store.put(KEY, inChunks(bytes, 10_000), uncancelled)));
    const winner = await buffer(await store.read(KEY));
    assert.ok(versions.some((bytes) => bytes.equals(winner)));
  });

  test(`${adapter}: remains of an unfinished blob are swept, by age alone`, async (t) => {
    const { store, leaveUnfinished } = await open(t);
    await put(store, KEY, 'whole');
    const body = new PassThrough();
    const underWay = store.put(blobKey('under', 'way'), body, uncancelled);
    body.write('the first half, ');
    await leaveUnfinished();
    assert.equal(await store.sweep(3_600_000), 0);
    body.end('the second half');
    await underWay;
    assert.equal(await store.sweep(0), 1);
    assert.equal(await store.sweep(0), 0);
    assert.deepEqual(await keys(store, ''), ['under/way', KEY]);
  });
}

/** Puts a text. */
export function put(store: BlobStore, key: BlobKey, content: string): Promise<void> {
  return store.put(key, Readable.from([Buffer.from(content)]), uncancelled);
}

async function keys(store: BlobStore, prefix: string): Promise<string[]> {
  const found = await Array.fromAsync(store.list(prefix), ({ key }) => key);
  return found.sort();
}

function inChunks(bytes: Buffer, size: number): Readable {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return Readable.from(chunks);
}
