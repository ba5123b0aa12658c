import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { ClaimedWork } from '../../../src/exports/claims/claimed-work.ts';
import { recordedError } from '../../../src/exports/run/end-export.ts';
import { MODEL_FILES } from '../../../src/speech/models/caption-models.ts';
import { InstalledModels } from '../../../src/speech/models/installed-models.ts';
import { modelFolder } from '../../../src/speech/models/model-folder.ts';
import { CaptionRecords, type ClaimedCaptions } from '../../../src/store/captions/caption-records.ts';
import type { ClaimTerms } from '../../../src/store/claims/claim-table.ts';
import type { Transaction } from '../../../src/store/database.ts';
import { MediaRecords } from '../../../src/store/media-records.ts';
import { ChangeHub } from '../../../src/store/nodes/change-hub.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { seen } from '../../service/export-client.ts';
import { fastFolder } from '../../store/temp-folder.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const ID = 'captions';
const MADE = 'a'.repeat(64);
const MODEL = 'a model';
const ABLE = { models: [MODEL], abandonedAtMs: 0 };

/** Requested captions, and a node that makes them with `work`. */
async function oneToDo(t: TestContext, work: (signal: AbortSignal) => Promise<void>) {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  const clock = { ms: Date.UTC(2026, 0, 2) };
  const records = new CaptionRecords();
  const captions = { id: ID, tenant: 'default', key: ID, language: 'en', model: MODEL, source: '{}', media: [] };
  await records.insert(captions, clock.ms, database);
  await new MediaRecords().keep({ tenant: 'default', sha256: MADE, bytes: 1 }, clock.ms, database);
  const asAble = {
    claim: (holder: string, terms: ClaimTerms, tx: Transaction) => records.claim(holder, terms, ABLE, tx),
    hold: records.hold.bind(records),
    release: records.release.bind(records),
    releaseAll: records.releaseAll.bind(records),
  };
  const changes = new ChangeHub();
  const logged: string[] = [];
  const node = ({ maxAtOnce = 8 } = {}) =>
    new ClaimedWork<ClaimedCaptions, number>(
      {
        ...{ name: 'the work', records: asAble, maxAtOnce, maxOfOneTenant: 8, nothingDone: 0 },
        onLook: () => records.reportModels([MODEL], clock.ms, database),
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
  const claim = (holder: string, able = ABLE) =>
    records.claim(holder, { nowMs: clock.ms, untilMs: clock.ms + 30_000, except: [] }, able, database);
  const row = async () => {
    const [found] = await database.query<{ state: string; tries: number }>('select state, tries from captions');
    return found!;
  };
  return { node, claim, row, clock, changes, database, logged, find: () => records.find('default', ID, database) };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

test('[C77] an expired claim ends its work, also if the same process claims it again', async (t) => {
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

test('[C77] work that ends every process that starts it is given up', async (t) => {
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

test('[C77] a shutdown does not count as a try', async (t) => {
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

test('[C77] captions wait for a node that has their model, and do not count as a try of another', async (t) => {
  const { claim, row, clock, find } = await oneToDo(t, async () => {});
  const other = (abandonedAtMs: number) => claim('other', { models: ['another'], abandonedAtMs });
  assert.equal(await other(clock.ms - 1), null);
  assert.equal(await claim('none', { models: [], abandonedAtMs: clock.ms - 1 }), null);
  assert.deepEqual({ ...(await row()) }, { state: 'queued', tries: 0 });
  assert.equal((await find())?.state, 'queued');
  assert.equal((await claim('able'))?.model, MODEL);
});

test('[C77] captions that no node has made for an hour can be claimed by any node', async (t) => {
  const { claim, clock } = await oneToDo(t, async () => {});
  assert.equal((await claim('other', { models: ['another'], abandonedAtMs: clock.ms }))?.model, MODEL);
});

test('[C77] a busy node keeps other nodes from failing what waits for its model', async (t) => {
  let begun = 0;
  const { node, claim, clock, database } = await oneToDo(t, async (signal) => {
    begun += 1;
    await aborted(signal);
  });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const busy = node({ maxAtOnce: 1 });
  const running = busy.run(stop.signal);
  await seen('the work', () => begun === 1);
  const requestedAtMs = clock.ms;
  clock.ms += 2 * 3_600_000;
  busy.wake();
  const reports = () => database.query('select * from caption_models where seen_at_ms = $1', [clock.ms]);
  await seen('its report', async () => (await reports()).length > 0);
  assert.equal(await claim('other', { models: ['another'], abandonedAtMs: requestedAtMs }), null);
  assert.equal(begun, 1);
  stop.abort();
  await running;
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
  // The second look begins after the first has claimed what it can.
  for (let looks = 0; looks < 2; looks += 1) {
    await database.query('delete from caption_models');
    exports.parts.captions.wake();
    await seen('a look', async () => (await reported()).length > 0);
  }
  assert.equal((await captions.find('default', ID, database))?.state, 'queued');
});

test('[C77] captions fail immediately if the only node has lost their model', async () => {
  await using exports = await ExportsFixture.open({}, undefined, () => ({ models: new InstalledModels('/nowhere') }));
  const { database, captions } = exports.ports;
  await captions.insert(removedModel(), exports.ports.now(), database);
  exports.parts.captions.wake();
  await seen('the end', async () => (await captions.find('default', ID, database))?.state === 'failed');
  const failed = await captions.find('default', ID, database);
  assert.equal(failed?.error?.code, 'captions.no_model');
  assert.match(failed.error.message, /no longer installed/);
});

/** Captions with a model that is not installed. */
function removedModel() {
  const source = JSON.stringify({ duration: 1, heard: { file: MADE } });
  return { id: ID, tenant: 'default', key: ID, language: 'en', model: MODEL, source, media: [] };
}
