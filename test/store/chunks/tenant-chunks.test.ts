import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ChunkCache } from '../../../src/store/chunks/chunk-cache.ts';
import { ChunkRecords } from '../../../src/store/chunks/chunk-records.ts';
import { TenantChunks } from '../../../src/store/chunks/tenant-chunks.ts';
import type { Database } from '../../../src/store/database.ts';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../../src/store/disk/linked-local-files.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';

/** A cache on its own disk, as two deployments would see it one after the other. */
async function withCache(
  run: (open: (shared: boolean) => Promise<TenantChunks>, file: string, database: Database) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-tenants-'));
  try {
    await using opened = new AsyncDisposableStack();
    const database = await SqliteDatabase.open(folder);
    opened.defer(() => database.close());
    const blobs = await DiskBlobStore.open(folder);
    const local = await LinkedLocalFiles.open(folder, blobs);
    const ports = { database, records: new ChunkRecords(), blobs, local, limitBytes: 4, now: Date.now };
    const open = async (shared: boolean) => new TenantChunks(await ChunkCache.open(ports), { shared });
    await run(open, join(folder, 'chunk'), database);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function content(chunks: TenantChunks, tenant: string, key: string): Promise<string | null> {
  await using chunk = await chunks.get(tenant, key);
  return chunk === null ? null : readFileSync(chunk.path, 'utf8');
}

test('[R18, H19] a chunk of one tenant is a miss for another; each has its own under the same key', async () => {
  await withCache(async (open, file) => {
    const chunks = await open(false);
    writeFileSync(file, 'a');
    await chunks.put('ann', 'k1', file);
    assert.deepEqual([await chunks.has('ann', 'k1'), await chunks.has('Bob/../ann', 'k1')], [true, false]);
    assert.equal(await content(chunks, 'Bob/../ann', 'k1'), null);
    writeFileSync(file, 'b');
    await chunks.put('Bob/../ann', 'k1', file);
    assert.equal(await content(chunks, 'ann', 'k1'), 'a');
    assert.equal(await content(chunks, 'Bob/../ann', 'k1'), 'b');
    const again = await open(false);
    assert.equal(await content(again, 'ann', 'k1'), 'a', 'a restart finds it');
  });
});

test('pins belong to a tenant, too', async () => {
  await withCache(async (open, file, database) => {
    const chunks = await open(false);
    await database.transaction((tx) => chunks.pin('ann', 'export', ['k1'], tx));
    for (const [tenant, key] of [
      ['bob', 'k1'],
      ['ann', 'k1'],
      ['bob', 'k2'],
    ] as const) {
      writeFileSync(file, 'xx');
      await chunks.put(tenant, key, file);
    }
    assert.deepEqual([await chunks.has('ann', 'k1'), await chunks.has('bob', 'k1')], [true, false]);
  });
});

test('with a shared cache, a chunk serves all tenants', async () => {
  await withCache(async (open, file) => {
    const chunks = await open(true);
    writeFileSync(file, 'a');
    await chunks.put('ann', 'k1', file);
    assert.equal(await content(chunks, 'bob', 'k1'), 'a');
  });
});
