import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type BlobStore, blobKey } from '../../../src/store/blob-store.ts';
import { ChunkCache } from '../../../src/store/chunks/chunk-cache.ts';
import { ChunkRecords } from '../../../src/store/chunks/chunk-records.ts';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../../src/store/disk/linked-local-files.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { processorMs } from '../../processor-time.ts';
import { put } from '../blob-store-suite.ts';
import { fastFolder } from '../temp-folder.ts';

const CHUNK_BYTES = 100;

/** Records and a store with a manual clock, and chunks to put into caches on them. */
class Bench {
  readonly database: SqliteDatabase;
  readonly store: DiskBlobStore;
  readonly local: LinkedLocalFiles;
  readonly records = new ChunkRecords();
  readonly root: string;
  nowMs = 1_700_000_000_000;

  static async open(t: TestContext): Promise<Bench> {
    const root = fastFolder(t);
    const database = await SqliteDatabase.open(root);
    t.after(() => database.close());
    const store = await DiskBlobStore.open(root);
    return new Bench(root, database, store, await LinkedLocalFiles.open(root, store));
  }

  private constructor(root: string, database: SqliteDatabase, store: DiskBlobStore, local: LinkedLocalFiles) {
    this.root = root;
    this.database = database;
    this.store = store;
    this.local = local;
  }

  /** A cache with room for so many chunks. */
  cache(chunks: number, blobs: BlobStore = this.store): Promise<ChunkCache> {
    const { database, records, local } = this;
    return ChunkCache.open({
      database,
      records,
      blobs,
      local,
      limitBytes: chunks * CHUNK_BYTES,
      now: () => this.nowMs,
    });
  }

  async add(cache: ChunkCache, ...keys: string[]): Promise<void> {
    for (const key of keys) await cache.put(key, await this.#made(key));
  }

  /** As drafts do. */
  async addSpare(cache: ChunkCache, ...keys: string[]): Promise<void> {
    for (const key of keys) await cache.put(key, await this.#made(key), { spare: true });
  }

  async #made(key: string): Promise<string> {
    const path = join(this.root, `made-${key}`);
    await writeFile(path, key.padEnd(CHUNK_BYTES));
    return path;
  }

  pin(cache: ChunkCache, owner: string, keys: string[]): Promise<void> {
    return this.database.transaction((tx) => cache.pin(owner, keys, tx));
  }

  /** The keys of the chunks whose blobs exist. */
  async stored(): Promise<string> {
    const keys = await Array.fromAsync(this.store.list('parts/'), ({ key }) => key.split('/')[1]);
    return keys.sort().join('');
  }
}

async function use(cache: ChunkCache, key: string): Promise<string | null> {
  await using blob = await cache.get(key);
  return blob === null ? null : (await readFile(blob.path, 'utf8')).trimEnd();
}

async function there(cache: ChunkCache, keys: string): Promise<string> {
  const found: string[] = [];
  for (const key of keys) if (await cache.has(key)) found.push(key);
  return found.join('');
}

test('cache: a stored chunk is found, a missing one is null', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a');
  assert.equal(await use(cache, 'a'), 'a');
  assert.equal(await use(cache, 'b'), null);
  assert.equal(cache.sizeBytes, CHUNK_BYTES);
});

test('cache: over its limit, the least recently used chunk is removed, from the disk too', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a', 'b', 'c');
  await use(cache, 'a');
  await bench.add(cache, 'd');
  assert.equal(await there(cache, 'abcd'), 'acd');
  assert.equal(await bench.stored(), 'acd');
  await bench.add(cache, 'e', 'f');
  assert.equal(await there(cache, 'abcdef'), 'def');
  assert.equal(cache.sizeBytes, 3 * CHUNK_BYTES);
});

test('cache: the same chunk put again counts once', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(2);
  await bench.add(cache, 'a', 'b', 'a', 'a');
  assert.equal(cache.sizeBytes, 2 * CHUNK_BYTES);
  await bench.add(cache, 'c');
  assert.equal(await there(cache, 'abc'), 'ac', 'putting is using');
});

test('cache: a held chunk stays until it is released, and is removed then', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(1);
  await bench.add(cache, 'a');
  const held = await cache.get('a');
  const again = await cache.get('a');
  await bench.add(cache, 'a', 'b', 'c');
  assert.equal(await there(cache, 'abc'), 'a');
  assert.equal(await readFile(held!.path, 'utf8'), 'a'.padEnd(CHUNK_BYTES));
  await held![Symbol.asyncDispose]();
  await held![Symbol.asyncDispose]();
  await bench.add(cache, 'd');
  assert.equal(await there(cache, 'abcd'), 'a', 'someone else holds it still');
  await again![Symbol.asyncDispose]();
  await bench.add(cache, 'e');
  assert.equal(await there(cache, 'abcde'), 'e');
});

test('cache: a pinned chunk stays, even over the limit, until its owner is done', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(2);
  await bench.pin(cache, 'one', ['a', 'b', 'c']);
  await bench.pin(cache, 'two', ['c']);
  await bench.add(cache, 'a', 'b', 'c');
  assert.equal(await there(cache, 'abc'), 'abc');
  assert.equal(cache.sizeBytes, 3 * CHUNK_BYTES);
  await cache.unpin('one');
  assert.equal(await there(cache, 'abc'), 'bc');
  await cache.unpin('one');
  await bench.add(cache, 'd', 'e');
  assert.equal(await there(cache, 'abcde'), 'ce');
});

test('cache: replacing pins releases the chunks that are in neither set, and no others', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(1);
  await bench.pin(cache, 'one', ['a', 'b']);
  await bench.add(cache, 'a', 'b');
  await bench.pin(cache, 'one', ['b', 'c']);
  await bench.add(cache, 'c');
  assert.equal(await there(cache, 'abc'), 'bc');
  await cache.unpin('one');
  assert.equal(await there(cache, 'abc'), 'c');
  assert.equal(cache.sizeBytes, CHUNK_BYTES);
});

async function addMany(bench: Bench, cache: ChunkCache): Promise<void> {
  for (let n = 0; n < 200; n += 1) await bench.add(cache, `new-${n}`);
}

test('cache: pinned chunks do not slow down the turnover of others', async (t) => {
  const bench = await Bench.open(t);
  const exports = Array.from({ length: 500 }, (_, e) => Array.from({ length: 40 }, (_, n) => `${e}-${n}`));
  await bench.database.transaction(async (tx) => {
    for (const [e, keys] of exports.entries()) {
      await bench.records.pin(`${e}`, keys, bench.nowMs, tx);
      for (const key of keys) {
        const blob = blobKey('parts', key, 'x');
        await bench.records.publish({ key, blob, bytes: CHUNK_BYTES, sha256: '', usedAtMs: bench.nowMs }, tx);
      }
    }
  });
  const cache = await bench.cache(1);
  const withPins = await processorMs(() => addMany(bench, cache));
  const emptyBench = await Bench.open(t);
  const emptyCache = await emptyBench.cache(1);
  const withoutPins = await processorMs(() => addMany(emptyBench, emptyCache));
  // Walking over 20,000 pinned chunks for each new one costs hundreds of times as much.
  assert.ok(withPins < 10 * withoutPins, `200 chunks took ${withPins} ms beside pinned ones, ${withoutPins} ms alone`);
  assert.equal(cache.sizeBytes, 20_000 * CHUNK_BYTES);
});

test('cache: after a restart chunks keep their order of use, and none is dropped before the pins are known', async (t) => {
  const bench = await Bench.open(t);
  await put(bench.store, blobKey('uploads', 'z'), 'not a chunk');
  const before = await bench.cache(4);
  for (const key of 'abcd') {
    await bench.add(before, key);
    bench.nowMs += 1000;
    await use(before, key);
  }
  bench.nowMs += 1000;
  await use(before, 'b');
  await before.trim();

  const after = await bench.cache(3);
  assert.equal(await there(after, 'abcdz'), 'abcd');
  assert.equal(after.sizeBytes, 4 * CHUNK_BYTES);
  await bench.add(after, 'e');
  assert.equal(await there(after, 'abcde'), 'bde');
  const smaller = await bench.cache(1);
  await bench.pin(smaller, 'export', ['d']);
  await bench.add(smaller, 'f');
  assert.equal(await there(smaller, 'bdef'), 'd');
  assert.ok(await bench.store.info(blobKey('uploads', 'z')));
});

test('cache: a chunk that was deleted by hand is a miss, and its record is removed', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a', 'b');
  await rm(join(bench.root, 'blobs', 'parts', 'a'), { recursive: true });
  assert.equal(await use(cache, 'a'), null);
  assert.equal(await cache.has('a'), false);
  assert.equal(cache.sizeBytes, CHUNK_BYTES);
});

for (const [damage, change] of [
  ['that lost its end', (bytes: Buffer) => bytes.subarray(0, 10)],
  ['in which a byte has changed', (bytes: Buffer) => bytes.fill('x', 50, 51)],
] as const) {
  test(`[H24] cache: a chunk ${damage} is a miss, and one that is put again is complete`, async (t) => {
    const bench = await Bench.open(t);
    const cache = await bench.cache(3);
    await bench.add(cache, 'a', 'b');
    const [blob] = await Array.fromAsync(bench.store.list('parts/a/'));
    const path = join(bench.root, 'blobs', blob!.key);
    await writeFile(path, change(await readFile(path)));
    assert.equal(await use(cache, 'a'), null);
    assert.deepEqual([await cache.has('a'), cache.sizeBytes, await bench.stored()], [false, CHUNK_BYTES, 'b']);
    await bench.add(cache, 'a');
    assert.equal(await use(cache, 'a'), 'a');
  });
}

test('[H24] cache: a held chunk is checked by its own bytes, even if it was put again meanwhile', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a', 'b');
  const [blob] = await Array.fromAsync(bench.store.list('parts/a/'));
  await writeFile(join(bench.root, 'blobs', blob!.key), 'damaged');
  await using damaged = await cache.get('a', { unchecked: true });
  await using whole = await cache.get('b', { unchecked: true });
  assert.equal(await use(cache, 'a'), null);
  await bench.add(cache, 'a');
  assert.deepEqual([await damaged!.isWhole(), await whole!.isWhole()], [false, true]);
  assert.equal(await use(cache, 'a'), 'a', 'the new chunk stays');
});

test('cache: concurrent users never see a partial chunk, and the limit holds in the end', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  const lane = async (number: number) => {
    for (let i = 0; i < 40; i += 1) {
      const key = String.fromCharCode(97 + ((i * 7 + number * 3) % 8));
      const seen = await use(cache, key);
      assert.ok(seen === null || seen === key);
      if (seen !== null) continue;
      const path = join(bench.root, `made-${number}`);
      await writeFile(path, key.padEnd(CHUNK_BYTES));
      await cache.put(key, path);
    }
  };
  await Promise.all([0, 1, 2, 3].map(lane));
  assert.ok(cache.sizeBytes <= 3 * CHUNK_BYTES);
  assert.equal(await bench.stored(), await there(cache, 'abcdefgh'));
});

test('cache: of two nodes that put the same chunk, the later one changes nothing, and its file is removed', async (t) => {
  const bench = await Bench.open(t);
  const [here, there] = [await bench.cache(3), await bench.cache(3)];
  await bench.add(here, 'a');
  const held = await here.get('a');
  const before = await bench.records.find('a', bench.database);
  await bench.add(there, 'a');
  assert.deepEqual(await bench.records.find('a', bench.database), before);
  assert.equal(await bench.stored(), 'a');
  assert.equal(await use(there, 'a'), 'a', 'what one node has made the other finds');
  await held![Symbol.asyncDispose]();
});

test('cache: a chunk that another node drops during a lookup is missing, or there again', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a');
  const { hold } = bench.local;
  // Between the lookup of the record and the hold of its file, another node drops the chunk and makes it again.
  bench.local.hold = async (...of) => {
    bench.local.hold = hold;
    const chunk = (await bench.records.find('a', bench.database))!;
    await bench.records.drop(chunk, bench.database);
    await bench.store.delete(chunk.blob);
    await bench.add(await bench.cache(3), 'a');
    return hold.apply(bench.local, of);
  };
  assert.equal(await use(cache, 'a'), 'a');
});

test('cache: a chunk that is pinned while it is selected for removal stays', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(3);
  await bench.add(cache, 'a', 'b');
  const [a, b] = await bench.records.listIdle(0, 10, bench.database);
  bench.nowMs += 120_000;
  await bench.pin(cache, 'one', ['a']);
  await cache.unpin('one');
  assert.equal(await bench.records.drop(a!, bench.database), false, 'it was used since');
  assert.equal(await bench.records.drop(b!, bench.database), true);
});

test('cache: pins of ended outputs are released, on every node', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(1);
  await bench.pin(cache, 'an-export-that-is-gone/preset_one', ['a']);
  await bench.add(cache, 'a', 'b');
  assert.equal(await there(cache, 'ab'), 'a');
  await cache.trim();
  await bench.add(cache, 'c');
  assert.equal(await there(cache, 'abc'), 'c');
});

test('[C79] a full cache drops the chunks of drafts first, unless an export uses them', async (t) => {
  const bench = await Bench.open(t);
  const cache = await bench.cache(4);
  await bench.add(cache, 'a', 'b');
  bench.nowMs += 1_000;
  await bench.addSpare(cache, 'x', 'y');
  assert.equal(await use(cache, 'x'), 'x');
  bench.nowMs += 1_000;
  await bench.add(cache, 'c');
  assert.equal(await bench.stored(), 'abcx', 'the draft nobody used');
  await bench.addSpare(cache, 'z');
  assert.equal(await bench.stored(), 'abcx', 'a spare chunk takes the place of no other');
  bench.nowMs += 3_600_000;
  await bench.addSpare(cache, 'z');
  assert.equal(await bench.stored(), 'bcxz', 'but of one that nobody used for an hour');
});
