import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../../src/store/disk/linked-local-files.ts';
import type { Attempt } from '../../../src/store/job-queue.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../../src/store/sqlite/sqlite-job-queue.ts';
import { tempFolder } from '../temp-folder.ts';

const ROUNDS = 12;
const WRITER = join(import.meta.dirname, 'write-until-killed.ts');

test('[H23, H24] killed at any moment, repeatedly: nothing acknowledged is lost, nothing is partial', async (t) => {
  const folder = tempFolder(t);
  const acknowledged = { export: new Set<string>(), done: new Set<string>(), blob: new Set<string>() };
  for (let round = 0; round < ROUNDS; round += 1) {
    // The first is killed while it still opens the database for the very first time.
    for await (const [what, id] of untilKilled(folder, round === 0 ? 0 : randomInt(1, 80))) {
      if (what in acknowledged) acknowledged[what as keyof typeof acknowledged].add(id);
    }
    await verify(folder, acknowledged);
  }
  t.diagnostic(
    `${acknowledged.export.size} exports, ${acknowledged.done.size} jobs done, ${acknowledged.blob.size} blobs`,
  );
  for (const [what, ids] of Object.entries(acknowledged)) assert.ok(ids.size > ROUNDS, `too few of ${what}`);
});

/** Runs the writer until it has acknowledged so much, then kills it; everything it acknowledged, the last moment included. */
async function* untilKilled(folder: string, acknowledgements: number): AsyncGenerator<[what: string, id: string]> {
  const writer = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(writer, 'exit');
  if (acknowledgements === 0) writer.kill('SIGKILL');
  let count = 0;
  for await (const line of createInterface(writer.stdout)) {
    const [what, id] = line.split(' ');
    // Only what ends in a line break was acknowledged; readline gives the rest too.
    if (id !== undefined) yield [what!, id];
    count += 1;
    if (count === acknowledgements) writer.kill('SIGKILL');
  }
  assert.deepEqual(await exit, [null, 'SIGKILL'], 'the writer ended by itself');
}

async function* claimAll(queue: SqliteJobQueue): AsyncGenerator<Attempt> {
  for (let attempt = await queue.claim(); attempt !== null; attempt = await queue.claim()) yield attempt;
}

async function verify(
  folder: string,
  acknowledged: { export: Set<string>; done: Set<string>; blob: Set<string> },
): Promise<void> {
  const database = await SqliteDatabase.open(folder);
  const exports = await database.query<{ id: string }>('select id from exports');
  const ids = new Set(exports.map(({ id }) => id));
  assert.deepEqual([...acknowledged.export.difference(ids)], [], 'exports are lost');
  const jobs = await database.query<{ id: string; export_id: string; state: string }>('select * from jobs');
  assert.equal(jobs.length, 2 * ids.size, 'an export and its jobs are not written atomically');
  assert.deepEqual(new Set(jobs.map((job) => job.export_id)), ids);
  const done = new Set(jobs.filter(({ state }) => state === 'done').map(({ id }) => id));
  assert.deepEqual([...acknowledged.done.difference(done)], [], 'jobs that were done are not');
  const queue = new SqliteJobQueue(database);
  const claimed = await Array.fromAsync(claimAll(queue));
  const reached = new Set([...done, ...claimed.map(({ job }) => job.id)]);
  assert.deepEqual(reached, new Set(jobs.map(({ id }) => id)), 'a job is out of reach');
  for (const attempt of claimed) await queue.release(attempt);
  await database.close();

  const store = await DiskBlobStore.open(folder);
  const found = new Set<string>();
  for await (const { key } of store.list('')) {
    const bytes = await buffer(await store.read(key));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), key.split('/').at(-1), 'a blob in part');
    found.add(key);
  }
  assert.deepEqual([...acknowledged.blob.difference(found)], [], 'blobs are lost');
  await (await LinkedLocalFiles.open(folder, store)).sweep();
  assert.deepEqual(readdirSync(join(folder, 'work')), []);
}
