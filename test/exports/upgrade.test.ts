import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { layOutDataFolder01, UNFINISHED } from '../fixtures/data-folder-0.1.ts';
import { ExportsFixture } from './exports-fixture.ts';

const [RENDERING, QUEUED] = UNFINISHED;
/** Before anything has waited for long. */
const KILLED_AT_MS = 1794779250000;
const signal = AbortSignal.timeout(240_000);

async function folderOf01(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-0.1-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await layOutDataFolder01(folder);
  return folder;
}

test('[C35] the jobs of a 0.1 data folder go on where they were, in turns, and as urgent as if added today', async (t) => {
  const folder = await folderOf01(t);
  const database = await SqliteDatabase.open(folder);
  t.after(() => database.close());
  const [before] = await database.query<{ count: number }>('select count(*) as count from jobs');
  assert.equal(before?.count, 48, 'every job is still known');
  const queue = new SqliteJobQueue(database, { now: () => KILLED_AT_MS });
  const claimed: string[] = [];
  for (let attempt = await queue.claim(); attempt !== null; attempt = await queue.claim()) {
    const { job, failures } = attempt;
    const export_ = job.exportId === RENDERING ? 'rendering' : job.exportId === QUEUED ? 'queued' : '?';
    assert.equal(job.tenant, export_ === 'rendering' ? 'someone' : 'default');
    assert.deepEqual([job.chunks?.count ?? null, job.presets.length], job.kind === 'sound' ? [null, 0] : [1, 1]);
    const at = [export_, job.presets[0], job.kind, job.chunks?.first, job.priority].filter(
      (part) => part !== undefined,
    );
    claimed.push(`${at.join(' ')}${failures > 0 ? ', once more' : ''}`);
  }
  assert.equal(claimed.length, 48 - 7 - 4, 'all but what was done');
  assert.deepEqual(claimed.slice(0, 6), [
    'rendering preset_one chunks 4 200, once more',
    'queued preset_one chunks 0 200',
    'rendering preset_one chunks 5 200',
    'queued preset_one chunks 1 200',
    'rendering preset_one chunks 6 200',
    'queued preset_one chunks 2 200',
  ]);
  assert.equal(claimed.at(-1), 'rendering preset_three chunks 9 100');
});

test('[C35] a 0.1 data folder with jobs in flight is upgraded in place, and every export is finished', async (t) => {
  const folder = await folderOf01(t);
  {
    using database = new DatabaseSync(join(folder, 'tiercut.db'));
    const paused = `update jobs set attempt = 1, failures = 1, due_at_ms = ${KILLED_AT_MS}, reason = 'it broke' where id = ?`;
    database.prepare(paused).run(`${QUEUED}/preset_two/chunk/1`);
  }
  const exports = await ExportsFixture.open({}, folder);
  const { media: known, database: records } = exports.ports;
  for (const id of UNFINISHED) {
    const { tenant, uploads } = (await exports.ports.records.find(id, records))!;
    for (const { hash, bytes } of uploads) {
      const content = await known.find(tenant, hash, records);
      assert.deepEqual([content?.bytes, content?.lasting, content?.facts], [bytes, false, null]);
    }
  }
  exports.startWorker();
  for (const id of UNFINISHED) {
    const views = await Array.fromAsync(exports.api.follow(id, signal));
    const { state, outputs } = views.at(-1)!;
    assert.deepEqual(
      [state, ...outputs.map((output) => output.state)],
      ['completed', 'completed', 'completed', 'completed'],
      exports.logged.join('\n'),
    );
    for (const { preset, bytes } of outputs) assert.equal((await exports.api.openOutput(id, preset))?.bytes, bytes);
  }
  const { database } = exports.ports;
  assert.deepEqual(await database.query(`select id, state from jobs where state <> 'done'`), []);
  const failed = await database.query<{ id: string }>('select id from jobs where failures > 0 order by id');
  assert.deepEqual(
    failed.map(({ id }) => id),
    [`${RENDERING}/preset_one/chunk/4`, `${QUEUED}/preset_two/chunk/1`],
  );
  await exports.stop();
});
