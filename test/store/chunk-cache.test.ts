import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type BlobStore, blobKey } from '../../src/store/blob-store.ts';
import { ChunkCache } from '../../src/store/chunk-cache.ts';
import { DiskBlobStore } from '../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../src/store/disk/linked-local-files.ts';
import { put } from './blob-store-suite.ts';
import { fastFolder } from './temp-folder.ts';

const PIECE_BYTES = 100;

/** A store with a clock to set, and pieces to put into caches on it. */
class Bench {
  readonly store: DiskBlobStore;
  readonly local: LinkedLocalFiles;
  readonly root: string;
  nowMs = 1_700_000_000_000;

  static async open(t: TestContext): Promise<Bench> {
    const root = fastFolder(t);
    const store = await DiskBlobStore.open(root, () => bench.nowMs);
    const bench: Bench = new Bench(root, store, await LinkedLocalFiles.open(root, store));
    return bench;
  }

  private constructor(root: string, store: DiskBlobStore, local: LinkedLocalFiles) {
    this.root = root;
    this.store = store;
    this.local = local;
  }

  /** A cache with room for so many pieces. */
  cache(pieces: number): Promise<ChunkCache> {
    return ChunkCache.open(this.store, this.local, pieces * PIECE_BYTES);
  }

  async add(cache: ChunkCache, ...keys: string[]): Promise<void> {
    for (const key of keys) {
      const path = join(this.root, `made-${key}`);
      await writeFile(path, key.padEnd(PIECE_BYTES));
      await cache.put(key, path);
    }
  }
}

async function use(cache: ChunkCache, key: string): Promise<string | null> {
  await using blob = await cache.get(key);
  return blob === null ? null : (await readFile(blob.path, 'utf8')).trimEnd();
}

const there = (cache: ChunkCache, keys: string) => [...keys].filter((key) => cache.has(key)).join('');

test('cache: what was put is found, what was not is null', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a');
  assert.equal(await use(cache, 'a'), 'a');
  assert.equal(await use(cache, 'b'), null);
  assert.equal(cache.sizeBytes, PIECE_BYTES);
});

test('cache: over its limit, the piece unused for longest goes, from the disk too', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a', 'b', 'c');
  await use(cache, 'a');
  await bench.add(cache, 'd');
  assert.equal(there(cache, 'abcd'), 'acd');
  assert.equal(await bench.store.info(blobKey('chunks', 'b')), null);
  await bench.add(cache, 'e', 'f');
  assert.equal(there(cache, 'abcdef'), 'def');
  assert.equal(cache.sizeBytes, 3 * PIECE_BYTES);
});

test('cache: the same piece put again counts once', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(2);
  await bench.add(cache, 'a', 'b', 'a', 'a');
  assert.equal(cache.sizeBytes, 2 * PIECE_BYTES);
  await bench.add(cache, 'c');
  assert.equal(there(cache, 'abc'), 'ac', 'putting is using');
});

test('cache: what is held stays until it is let go, and goes then', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(1);
  await bench.add(cache, 'a');
  const held = await cache.get('a');
  const again = await cache.get('a');
  await bench.add(cache, 'a', 'b', 'c');
  assert.equal(there(cache, 'abc'), 'a');
  assert.equal(await readFile(held!.path, 'utf8'), 'a'.padEnd(PIECE_BYTES));
  await held![Symbol.asyncDispose]();
  await held![Symbol.asyncDispose]();
  await bench.add(cache, 'd');
  assert.equal(there(cache, 'abcd'), 'a', 'someone else holds it still');
  await again![Symbol.asyncDispose]();
  await bench.add(cache, 'e');
  assert.equal(there(cache, 'abcde'), 'e');
});

test('cache: what is pinned stays, even over the limit, until its owner is done', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(2);
  cache.pin('one', ['a', 'b', 'c']);
  cache.pin('two', ['c']);
  await bench.add(cache, 'a', 'b', 'c');
  assert.equal(there(cache, 'abc'), 'abc');
  assert.equal(cache.sizeBytes, 3 * PIECE_BYTES);
  await cache.unpin('one');
  assert.equal(there(cache, 'abc'), 'bc');
  await cache.unpin('one');
  await bench.add(cache, 'd', 'e');
  assert.equal(there(cache, 'abcde'), 'ce');
});

test('cache: pins replaced by new ones let go of what is in neither, and of nothing else', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(1);
  cache.pin('one', ['a', 'b']);
  await bench.add(cache, 'a', 'b');
  cache.pin('one', ['b', 'c']);
  await bench.add(cache, 'c');
  assert.equal(there(cache, 'abc'), 'bc');
  await cache.unpin('one');
  assert.equal(there(cache, 'abc'), 'c');
  assert.equal(cache.sizeBytes, PIECE_BYTES);
});

test('cache: what is pinned costs nothing when others come and go', async () => {
  const exports = Array.from({ length: 500 }, (_, e) => Array.from({ length: 40 }, (_, n) => `${e}-${n}`));
  const info = (key: string) => ({ key: blobKey('chunks', key), bytes: PIECE_BYTES, modifiedAtMs: 0 });
  // Every call of a store that takes no time: what is measured is the cache.
  const store = {
    list: async function* () {
      for (const keys of exports) yield* keys.map(info);
    },
    info: async (key: string) => info(key.slice('chunks/'.length)),
    putFile: async () => {},
    delete: async () => {},
  } as unknown as BlobStore;
  const cache = await ChunkCache.open(store, { hold: () => assert.fail() }, PIECE_BYTES);
  for (const [e, keys] of exports.entries()) cache.pin(`${e}`, keys);
  const beganMs = performance.now();
  for (let n = 0; n < 200; n += 1) await cache.put(`new-${n}`, 'file');
  const tookMs = performance.now() - beganMs;
  assert.ok(tookMs < 2_000, `200 pieces took ${tookMs} ms; walking over 20,000 pinned ones took 650 ms for each`);
  assert.equal(cache.sizeBytes, 20_000 * PIECE_BYTES);
});

test('cache: a restart finds the pieces in the order they were used, and drops none before it is told what to keep', async (t) => {
  const bench = await Bench.open(t);
  await put(bench.store, blobKey('uploads', 'z'), 'not a piece');
  const before = await bench.cache(4);
  for (const key of 'abcd') {
    await bench.add(before, key);
    bench.nowMs += 1000;
    await use(before, key);
  }
  bench.nowMs += 1000;
  await use(before, 'b');

  const after = await bench.cache(3);
  assert.equal(there(after, 'abcdz'), 'abcd');
  assert.equal(after.sizeBytes, 4 * PIECE_BYTES);
  await bench.add(after, 'e');
  assert.equal(there(after, 'abcde'), 'bde');
  const smaller = await bench.cache(1);
  smaller.pin('export', ['d']);
  await bench.add(smaller, 'f');
  assert.equal(there(smaller, 'bdef'), 'd');
  assert.ok(await bench.store.info(blobKey('uploads', 'z')));
});

test('cache: a piece that somebody cleared away by hand is none, and is forgotten', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a', 'b');
  await rm(join(bench.root, 'blobs', 'chunks', 'a'));
  assert.equal(await use(cache, 'a'), null);
  assert.equal(cache.has('a'), false);
  assert.equal(cache.sizeBytes, PIECE_BYTES);
});

test('cache: many at once never see a piece that is not whole, and the limit holds in the end', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  const lane = async (number: number) => {
    for (let i = 0; i < 40; i += 1) {
      const key = String.fromCharCode(97 + ((i * 7 + number * 3) % 8));
      const seen = await use(cache, key);
      assert.ok(seen === null || seen === key);
      if (seen !== null) continue;
      const path = join(bench.root, `made-${number}`);
      await writeFile(path, key.padEnd(PIECE_BYTES));
      await cache.put(key, path);
    }
  };
  await Promise.all([0, 1, 2, 3].map(lane));
  assert.ok(cache.sizeBytes <= 3 * PIECE_BYTES);
  const onDisk = await Array.fromAsync(bench.store.list('chunks/'), ({ key }) => key.slice('chunks/'.length));
  assert.deepEqual(onDisk.sort().join(''), there(cache, 'abcdefgh'));
});
