import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import { QueuedWork } from '../../src/exports/queued-work.ts';
import { MODEL_FILES } from '../../src/speech/models/caption-models.ts';
import { InstalledModels, modelFolder } from '../../src/speech/models/installed-models.ts';
import { singleJob } from '../../src/store/job-queue.ts';
import { ChangeHub } from '../../src/store/nodes/change-hub.ts';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { seen } from '../service/export-client.ts';
import { fastFolder } from '../store/temp-folder.ts';
import { ExportsFixture } from './exports-fixture.ts';

const ID = 'captions';
const MODEL = 'a model';
const JOB = singleJob('captions', { id: ID, tenant: 'default' }, { needs: MODEL });
const WANTED = { lane: 'captions', has: [MODEL] } as const;

/** A queued job, and a node that does it with `work`. */
async function oneToDo(t: TestContext, work: (signal: AbortSignal) => Promise<void>) {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  const clock = { ms: Date.UTC(2026, 0, 2) };
  const jobs = new SqliteJobQueue(database, { now: () => clock.ms });
  await database.transaction((tx) => jobs.enqueue([JOB], tx));
  const changes = new ChangeHub();
  const ended: string[] = [];
  const logged: string[] = [];
  const node = () =>
    new QueuedWork(
      {
        ...{ name: 'the work', lane: 'captions', maxAtOnce: 8, maxOfOneTenant: 8, has: () => [MODEL] },
        work: async (attempt, signal) => {
          await work(signal);
          if (await database.transaction((tx) => jobs.complete(attempt, tx))) ended.push('done');
        },
        fail: async (_, error) => {
          ended.push(error instanceof ExportError ? error.code : 'ours');
        },
      },
      { database, jobs, changes, log: (_, message) => logged.push(message) },
    );
  return { node, jobs, clock, changes, ended, logged };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** Runs a node until `until` holds. */
async function runUntil(worker: QueuedWork, until: () => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const running = worker.run(stop.signal);
  try {
    await until();
  } finally {
    stop.abort();
    await running;
  }
}

test('[C77] an expired lease ends its work, also if the same process claims it again', async (t) => {
  const begun: AbortSignal[] = [];
  const go = Promise.withResolvers<void>();
  const { node, clock, changes, ended } = await oneToDo(t, async (signal) => {
    begun.push(signal);
    await (begun.length === 1 ? aborted(signal) : go.promise);
  });
  const worker = node();
  await runUntil(worker, async () => {
    await seen('the work', () => begun.length === 1);
    clock.ms += 60_000;
    worker.wake();
    await seen('the same work', () => begun.length === 2);
    changes.notify(ID);
    await seen('the end of the first', () => begun[0]!.aborted);
    assert.equal(begun[1]!.aborted, false);
    go.resolve();
    await seen('its end', () => ended.length > 0);
  });
  assert.deepEqual(ended, ['done']);
});

test('[C35, C77] deaths use up no try, failures are counted beside them, and the tenth death ends the work', async (t) => {
  for (const deaths of [9, 10]) {
    let begun = 0;
    const { node, jobs, clock, ended, logged } = await oneToDo(t, async () => {
      begun += 1;
      if (begun < 5) throw new Error('ours');
    });
    for (let died = 0; died < deaths; died += 1) {
      assert.equal((await jobs.claim(WANTED))?.failures, 0);
      clock.ms += 60_000;
    }
    const worker = node();
    await runUntil(worker, async () => {
      await seen('its end', () => {
        if (logged.length === begun && begun > 0) clock.ms += 10_000;
        worker.wake();
        return ended.length > 0;
      });
    });
    assert.deepEqual([ended, begun], deaths === 9 ? [['done'], 5] : [['ours'], 0]);
  }
});

test('[C77] a shutdown does not count as a try', async (t) => {
  let begun = 0;
  const { node, jobs } = await oneToDo(t, async (signal) => {
    begun += 1;
    await aborted(signal);
  });
  for (let starts = 1; starts <= 7; starts += 1)
    await runUntil(node(), () => seen(`start ${starts}`, () => begun === starts));
  const attempt = await jobs.claim(WANTED);
  assert.deepEqual([attempt?.failures, attempt?.exhausted], [0, false]);
});

/** A node that shares its records, and has one model. */
async function sharingNode(t: TestContext) {
  const folder = fastFolder(t);
  mkdirSync(modelFolder(folder, 'tiny'));
  writeFileSync(join(modelFolder(folder, 'tiny'), MODEL_FILES.decoder), '');
  const models = new InstalledModels(folder);
  const exports = await ExportsFixture.open({}, undefined, () => ({ models, alone: false }));
  const { database } = exports.ports;
  const reported = () => database.query<{ model: string }>('select model from caption_models');
  return { exports, models, database, reported };
}

test('[C77] a node that shares its records reports its installed models', async (t) => {
  const { exports: opened, models, reported } = await sharingNode(t);
  await using exports = opened;
  exports.parts.captions.wake();
  await seen('the report', async () => (await reported()).length > 0);
  assert.deepEqual(
    (await reported()).map(({ model }) => model),
    models.keys(),
  );
});

test('[C77] a node that has just started fails no captions: the node with their model may start last', async (t) => {
  const { exports: opened, database, reported } = await sharingNode(t);
  await using exports = opened;
  const { captions, now } = exports.ports;
  await captions.insert(removedModel(), now() - 2 * 3_600_000, database);
  // The second look begins after the first has done all that it does.
  for (let looks = 0; looks < 2; looks += 1) {
    await database.query('delete from caption_models');
    exports.parts.captions.wake();
    await seen('a look', async () => (await reported()).length > 0);
  }
  assert.equal((await captions.find('default', ID, database))?.state, 'queued');
});

test('[C77] captions fail immediately if the only node has lost their model', async () => {
  await using exports = await ExportsFixture.open({}, undefined, () => ({ models: new InstalledModels('/nowhere') }));
  const { database, captions, jobs } = exports.ports;
  await captions.insert(removedModel(), exports.ports.now(), database);
  await database.transaction((tx) => jobs.enqueue([JOB], tx));
  exports.parts.captions.wake();
  await seen('the end', async () => (await captions.find('default', ID, database))?.state === 'failed');
  const failed = await captions.find('default', ID, database);
  assert.equal(failed?.error?.code, 'captions.no_model');
  assert.match(failed.error.message, /no longer installed/);
  assert.equal(await jobs.claim(WANTED), null);
});

/** Captions with a model that is not installed. */
function removedModel() {
  const source = JSON.stringify({ duration: 1, heard: { file: 'a'.repeat(64) } });
  return { id: ID, tenant: 'default', key: ID, language: 'en', model: MODEL, source, media: [] };
}
