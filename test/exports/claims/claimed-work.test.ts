import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { ClaimedWork } from '../../../src/exports/claims/claimed-work.ts';
import { recordedError } from '../../../src/exports/run/end-export.ts';
import { InstalledModels } from '../../../src/speech/models/installed-models.ts';
import { CaptionRecords, type ClaimedCaptions } from '../../../src/store/captions/caption-records.ts';
import { MediaRecords } from '../../../src/store/media-records.ts';
import { ChangeHub } from '../../../src/store/nodes/change-hub.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { seen } from '../../service/export-client.ts';
import { fastFolder } from '../../store/temp-folder.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const ID = 'captions';
const MADE = 'a'.repeat(64);

/** Captions that are asked for, and a node that makes them with `work`. */
async function oneToDo(t: TestContext, work: (signal: AbortSignal) => Promise<void>) {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  const clock = { ms: Date.UTC(2026, 0, 2) };
  const records = new CaptionRecords();
  const captions = { id: ID, tenant: 'default', key: ID, language: 'en', source: '{}', media: [] };
  await records.insert(captions, clock.ms, database);
  await new MediaRecords().keep({ tenant: 'default', sha256: MADE, bytes: 1 }, clock.ms, database);
  const changes = new ChangeHub();
  const logged: string[] = [];
  const node = () =>
    new ClaimedWork<ClaimedCaptions, number>(
      {
        ...{ name: 'the work', records, mostAtOnce: 8, mostOfOneTenant: 8, nothingDone: 0 },
        work: async ({ id }, holder, signal) => {
          await work(signal);
          await records.end(id, holder, { result: MADE }, clock.ms, database);
        },
        fail: async ({ id }, holder, cause) => {
          const error =
            cause instanceof ExportError ? cause : new ExportError('internal', 'captions.internal', 'Ours.');
          await records.end(id, holder, { error: recordedError(error) }, clock.ms, database);
        },
      },
      { database, changes, alone: false, now: () => clock.ms, log: (_, message) => logged.push(message) },
    );
  const claim = (holder: string) =>
    records.claim(holder, { nowMs: clock.ms, untilMs: clock.ms + 30_000, except: [] }, database);
  const row = async () => {
    const [found] = await database.query<{ state: string; tries: number }>('select state, tries from captions');
    return found!;
  };
  return { node, claim, row, clock, changes, logged, find: () => records.find('default', ID, database) };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

test('[C77] a claim that ran out ends its work, also where the same process takes it again', async (t) => {
  const begun: AbortSignal[] = [];
  const go = Promise.withResolvers<void>();
  const { node, row, clock, changes } = await oneToDo(t, async (signal) => {
    begun.push(signal);
    await (begun.length === 1 ? aborted(signal) : go.promise);
  });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const worker = node();
  const running = worker.run(stop.signal);
  await seen('the work', () => begun.length === 1);
  clock.ms += 60_000;
  worker.wake();
  await seen('the same work', () => begun.length === 2);
  changes.notify(ID);
  await seen('the end of the first', () => begun[0]!.aborted);
  assert.equal(begun[1]!.aborted, false);
  go.resolve();
  await seen('it is made', async () => (await row()).state === 'completed');
  stop.abort();
  await running;
});

test('[C77] work that ends every process that begins it is given up', async (t) => {
  let begun = 0;
  const { node, claim, find, clock } = await oneToDo(t, async () => {
    begun += 1;
  });
  for (let died = 0; died < 5; died += 1) {
    assert.notEqual(await claim(`dead ${died}`), null);
    clock.ms += 60_000;
  }
  const stop = new AbortController();
  t.after(() => stop.abort());
  const running = node().run(stop.signal);
  await seen('it has failed', async () => (await find())?.state === 'failed');
  assert.equal((await find())?.error?.code, 'captions.internal');
  assert.equal(begun, 0);
  stop.abort();
  await running;
});

test('[C77] a shutdown is no try', async (t) => {
  let begun = 0;
  const { node, row } = await oneToDo(t, async (signal) => {
    begun += 1;
    await aborted(signal);
  });
  for (let starts = 1; starts <= 7; starts += 1) {
    const stop = new AbortController();
    t.after(() => stop.abort());
    const running = node().run(stop.signal);
    await seen(`start ${starts}`, () => begun === starts);
    stop.abort();
    await running;
    assert.deepEqual({ ...(await row()) }, { state: 'queued', tries: 0 });
  }
});

test('[C77] captions that need a model of another node wait for that node', async (t) => {
  const { node, find, logged } = await oneToDo(t, async () => {
    new InstalledModels('/nowhere').requireAny();
  });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const running = node().run(stop.signal);
  await seen('it is given back', async () => logged.length > 0 && (await find())?.state === 'queued');
  assert.deepEqual(logged, ['the work failed for now']);
  stop.abort();
  await running;
});

test('[C77] a node without a model claims no captions', async () => {
  let looks = 0;
  class None extends InstalledModels {
    override hasAny(): boolean {
      looks += 1;
      return super.hasAny();
    }
  }
  await using exports = await ExportsFixture.open({}, undefined, () => ({ models: new None('/nowhere') }));
  const { database, captions } = exports.ports;
  await captions.insert({ id: ID, tenant: 'default', key: ID, language: 'en', source: '{}', media: [] }, 0, database);
  const before = looks;
  exports.parts.captions.wake();
  await seen('a look', () => looks > before);
  assert.deepEqual((await captions.find('default', ID, database))?.state, 'queued');
  const [row] = await database.query<{ tries: number }>('select tries from captions');
  assert.equal(row?.tries, 0);
});
