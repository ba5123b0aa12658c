import { createHash, randomBytes, randomInt } from 'node:crypto';
import { writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { blobKey } from '../../../src/store/blob-store.ts';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../../src/store/disk/linked-local-files.ts';
import { RETRIES } from '../../../src/store/job-queue.ts';
import { ExportRecords } from '../../../src/store/records/export-records.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../../src/store/sqlite/sqlite-job-queue.ts';
import { newExport } from '../new-export.ts';

// Writes to the folder named on the command line until it is killed, and prints what is durable.
const folder = process.argv[2]!;
const database = await SqliteDatabase.open(folder);
const store = await DiskBlobStore.open(folder);
const queue = new SqliteJobQueue(database, { retries: { ...RETRIES, render: { tries: 3, pauseMs: () => 0 } } });
const records = new ExportRecords();
const local = await LinkedLocalFiles.open(folder, store);
await local.sweep();
acknowledge('started', '');

await Promise.all([addExports(), doJobs(), adoptBlobs(), adoptBlobs()]);

async function addExports(): Promise<void> {
  for (;;) {
    const record = newExport();
    const { id: exportId, tenant } = record;
    const job = { tenant, exportId, kind: 'chunks', presets: ['preset_one'], priority: 0 } as const;
    await database.transaction(async (tx) => {
      await records.insert(record, tx);
      const jobs = [0, 1].map((first) => ({ ...job, id: `${exportId}/${first}`, chunks: { first, count: 1 } }));
      await queue.enqueue(jobs, tx);
    });
    acknowledge('export', record.id);
    await putBlob();
  }
}

async function doJobs(): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    const attempt = await queue.claim();
    if (attempt === null) await queue.changed(signal);
    else if (await database.transaction((tx) => queue.complete(attempt, tx))) acknowledge('done', attempt.job.id);
  }
}

async function putBlob(): Promise<void> {
  const { bytes, hash } = someBytes();
  await store.put(blobKey('put', hash), Readable.from([bytes, bytes]), new AbortController().signal);
  acknowledge('blob', `put/${hash}`);
}

async function adoptBlobs(): Promise<void> {
  for (;;) {
    const { bytes, hash } = someBytes();
    await using work = await local.scratch();
    const path = join(work.path, 'made');
    await writeFile(path, Buffer.concat([bytes, bytes]));
    await store.putFile(blobKey('adopted', hash.slice(0, 2), hash), path);
    acknowledge('blob', `adopted/${hash.slice(0, 2)}/${hash}`);
  }
}

/** Bytes, and the hash of them twice over. */
function someBytes(): { bytes: Buffer; hash: string } {
  const bytes = randomBytes(randomInt(200_000));
  return { bytes, hash: createHash('sha256').update(bytes).update(bytes).digest('hex') };
}

function acknowledge(what: string, id: string): void {
  writeSync(1, `${what} ${id}\n`);
}
