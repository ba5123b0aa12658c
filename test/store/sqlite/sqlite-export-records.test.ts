import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ChunkRecords } from '../../../src/store/chunks/chunk-records.ts';
import type { SqlValue } from '../../../src/store/database.ts';
import { EventRecords } from '../../../src/store/records/event-records.ts';
import { ExportRecords } from '../../../src/store/records/export-records.ts';
import { OutputRecords } from '../../../src/store/records/output-records.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { processorMs } from '../../processor-time.ts';
import { batchRecordsSuite } from '../batch-records-suite.ts';
import { concurrentRecordsSuite } from '../concurrent-records-suite.ts';
import { exportRecordsSuite } from '../export-records-suite.ts';
import { keptRecordsSuite } from '../kept-records-suite.ts';
import { newExport } from '../new-export.ts';
import { fastFolder } from '../temp-folder.ts';

batchRecordsSuite('sqlite', open);
exportRecordsSuite('sqlite', open);
concurrentRecordsSuite('sqlite', open);
keptRecordsSuite('sqlite', open);

test('sqlite: [C40] a page of a list is read from an index, in its order, however many exports there are', async (t) => {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  const after = { createdAtMs: 1, id: 'x' };
  const ANY = { metadata: [], fromMs: null, beforeMs: null };
  const listings = [
    [{ state: null, externalId: null, after: null }, 'exports_list'],
    [{ state: null, externalId: null, after }, 'exports_list'],
    [{ state: 'queued', externalId: null, after }, 'exports_list_state'],
    [{ state: null, externalId: 'x', after }, 'exports_list_external'],
    [{ state: null, externalId: null, after, fromMs: 1, beforeMs: 2 }, 'exports_list'],
    [{ state: null, externalId: null, after, metadata: [['a', 'b']] }, 'export_metadata_list'],
    [
      {
        state: null,
        externalId: null,
        after: null,
        fromMs: 1,
        metadata: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
      'export_metadata_list',
    ],
  ] as const;
  for (const [listing, index] of listings) {
    let plan = '';
    const query = async <Row extends object>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> => {
      const page = sql.slice(sql.indexOf('e.id in (select') + 9, sql.lastIndexOf(')'));
      const steps = await database.query<{ detail: string }>(`explain query plan ${page}`, values);
      plan = steps.map(({ detail }) => detail).join('; ');
      return [];
    };
    await new ExportRecords().list('me', { ...ANY, ...listing, limit: 20 }, { query, afterCommit: (run) => run() });
    assert.match(plan, new RegExp(`USING (COVERING )?INDEX ${index} `), plan);
    assert.doesNotMatch(plan, /TEMP B-TREE/);
  }
});

test('sqlite: [H60] the search for pins of ended outputs takes four times as long for four times as many exports', async (t) => {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  const [exports, outputs, chunks] = [new ExportRecords(), new OutputRecords(), new ChunkRecords()];
  let waiting = 0;
  const search = async (count: number) => {
    for (; waiting < count; waiting += 1) {
      const one = newExport();
      const keys = Array.from({ length: 200 }, (_, n) => `${waiting} ${n}`);
      await database.transaction(async (tx) => {
        await exports.insert(one, tx);
        for (const { preset } of one.outputs) {
          await chunks.pin(`${one.id}/${preset}`, keys, 1, tx);
          await outputs.start(one.id, preset, { chunkJobs: 1, framesDone: 0, soundDone: true }, tx);
        }
      });
    }
    let leastMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round += 1) {
      leastMs = Math.min(leastMs, await processorMs(() => chunks.unpinEnded(database)));
    }
    return leastMs;
  };
  const [few, many] = [await search(20), await search(80)];
  assert.ok(many < 8 * Math.max(0.5, few), `${few} ms, four times as many: ${many} ms`);
});

test('sqlite: [C93] a page of events, and the next event of a receiver, are read from an index, in order', async (t) => {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  const events = new EventRecords();
  const after = { createdAtMs: 1, id: 'x' };
  let plan = '';
  const query = async <Row extends object>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> => {
    const inner = sql.slice(sql.search(/\(select (id|event_id) from/) + 1, sql.lastIndexOf(')'));
    const steps = await database.query<{ detail: string }>(`explain query plan ${inner}`, values);
    plan = steps.map(({ detail }) => detail).join('; ');
    return [];
  };
  const tx = { query, afterCommit: () => {} };
  const all = { type: null, limit: 20, after: null };
  for (const [ask, index] of [
    [() => events.list('me', null, all, tx), 'events_list'],
    [() => events.list('me', null, { ...all, after }, tx), 'events_list'],
    [() => events.list('me', null, { ...all, type: 'export.failed', after }, tx), 'events_list_type'],
    [() => events.next('x', '', tx), 'event_receivers_queue'],
  ] as const) {
    await ask();
    assert.match(plan, new RegExp(`USING (COVERING )?INDEX ${index} `), plan);
    assert.doesNotMatch(plan, /TEMP B-TREE/);
  }
});

async function open(t: TestContext): Promise<SqliteDatabase> {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  return database;
}
