import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../src/store/database.ts';
import { BatchRecords, type NewBatch } from '../../src/store/records/batch-records.ts';
import { ExportRecords } from '../../src/store/records/export-records.ts';
import { newExport } from './new-export.ts';

const FIELDS = { presets: null, metadata: null, callbackUrl: null, callbackEvents: null, retentionHours: null };
const ERROR = { kind: 'invalid', code: 'value.required', message: 'It is missing.', issues: [] } as const;

function newBatch(change: Partial<NewBatch> = {}): NewBatch {
  return {
    ...{ id: randomUUID(), tenant: 'me', createdAtMs: 1, projectId: randomUUID(), revision: 2, total: 4 },
    ...{ columns: ['title'], fields: FIELDS, requestHash: 'h', idempotencyKey: null, template: '{}', media: [] },
    ...change,
  };
}

const ROWS = [null, ERROR, null, null].map((error, n) => ({ video: null, values: `{"title":"${n}"}`, error }));

/** Batches and their rows, on both databases. */
export function batchRecordsSuite(adapter: string, open: (t: TestContext) => Promise<Database>): void {
  const batches = new BatchRecords();
  const exports = new ExportRecords();

  test(`${adapter}: [C85] a row gets one export, follows it to its end, and is made again`, async (t) => {
    const database = await open(t);
    const batch = newBatch();
    assert.ok(await database.transaction((tx) => batches.insert(batch, ROWS, tx)));
    const next = await batches.next('me', database);
    assert.deepEqual([next?.batch, next?.number, next?.values], [batch.id, 0, '{"title":"0"}']);
    const one = newExport({ tenant: 'me' });
    await database.transaction(async (tx) => {
      assert.ok(await batches.claim({ batch: batch.id, number: 0 }, one.id, tx));
      await exports.insert(one, tx);
    });
    assert.equal(await batches.claim({ batch: batch.id, number: 0 }, randomUUID(), database), false, 'once');
    assert.ok(await batches.has(one.id, database));
    assert.deepEqual(await batches.underWay(database), [{ tenant: 'me', exportId: one.id, isQueued: true }]);
    const counts = async () => {
      const found = await batches.counts(batch.id, database);
      return Object.entries(found).filter(([, n]) => n > 0);
    };
    assert.deepEqual(await counts(), [
      ['waiting', 2],
      ['queued', 1],
      ['invalid', 1],
    ]);
    await database.transaction((tx) => exports.begin(one.id, tx));
    assert.deepEqual((await counts())[1], ['rendering', 1]);
    const of = async (state: 'rendering' | 'queued' | 'invalid' | 'failed') =>
      (await batches.rows(batch.id, { state, after: -1, limit: 9 }, database)).map(({ number }) => number);
    assert.deepEqual([await of('rendering'), await of('queued'), await of('invalid')], [[0], [], [1]]);
    await database.transaction((tx) => exports.fail(one.id, ERROR, tx));
    const [failed] = await batches.rows(batch.id, { state: 'failed', after: -1, limit: 9 }, database);
    assert.deepEqual([failed?.exportId, failed?.error], [one.id, ERROR]);

    const end = { endedAtMs: 5, expiresAtMs: 9 };
    assert.equal(await database.transaction((tx) => batches.finish(batch.id, end, tx)), false);
    for (const number of [2, 3]) await batches.failWaiting({ batch: batch.id, number }, ERROR, database);
    assert.ok(await database.transaction((tx) => batches.finish(batch.id, end, tx)));
    assert.deepEqual(await batches.running(database), []);
    const ended = await batches.find('me', batch.id, database);
    assert.deepEqual([ended?.state, ended?.endedAtMs, ended?.expiresAtMs], ['completed', 5, 9]);
    assert.equal(await batches.retry(batch.id, database), 3);
    assert.deepEqual((await batches.find('me', batch.id, database))?.endedAtMs, null);
    assert.deepEqual(await counts(), [
      ['waiting', 3],
      ['invalid', 1],
    ]);
  });

  test(`${adapter}: [C85] a batch belongs to its tenant, has its key once, is cancelled and forgotten`, async (t) => {
    const database = await open(t);
    const batch = newBatch({ idempotencyKey: 'key' });
    assert.ok(await database.transaction((tx) => batches.insert(batch, ROWS, tx)));
    assert.equal(await batches.find('you', batch.id, database), null);
    const again = newBatch({ idempotencyKey: 'key' });
    assert.equal(await database.transaction((tx) => batches.insert(again, ROWS, tx)), false);
    assert.equal((await batches.findByKey('me', 'key', database))?.id, batch.id);
    assert.deepEqual([await batches.countRunning('me', database), await batches.countRunning('you', database)], [1, 0]);
    const cancel = (tenant: string) =>
      database.transaction((tx) => batches.cancel(tenant, batch.id, { endedAtMs: 5, expiresAtMs: 9 }, tx));
    const made = randomUUID();
    assert.ok(await batches.claim({ batch: batch.id, number: 2 }, made, database));
    await cancel('you');
    assert.deepEqual(await batches.leftOfCancelled(null, database), []);
    await cancel('me');
    for (const id of [null, batch.id]) {
      assert.deepEqual(await batches.leftOfCancelled(id, database), [{ tenant: 'me', exportId: made }]);
    }
    assert.deepEqual(await batches.leftOfCancelled(randomUUID(), database), []);
    assert.equal(await batches.claim({ batch: batch.id, number: 0 }, randomUUID(), database), false);
    assert.equal(await batches.next('me', database), null);
    await batches.expire(8, database);
    assert.ok(await batches.find('me', batch.id, database));
    await batches.expire(9, database);
    assert.equal(await batches.find('me', batch.id, database), null);
    assert.deepEqual(await batches.rows(batch.id, { state: null, after: -1, limit: 9 }, database), []);
  });

  test(`${adapter}: [C85, C40] batches are listed newest first, with filters`, async (t) => {
    const database = await open(t);
    const project = randomUUID();
    const made = [1, 2, 2, 3].map((createdAtMs, n) => {
      const metadata = JSON.stringify({ n: `${n % 2}`, all: 'yes' });
      return newBatch({ createdAtMs, fields: { ...FIELDS, metadata }, ...(n === 0 && { projectId: project }) });
    });
    await database.transaction(async (tx) => {
      for (const batch of made) await batches.insert(batch, [], tx);
      await batches.insert(newBatch({ tenant: 'you' }), [], tx);
    });
    const any = { state: null, projectId: null, metadata: [], fromMs: null, beforeMs: null, limit: 9, after: null };
    const list = async (listing: object) =>
      (await batches.list('me', { ...any, ...listing }, database)).map(({ id }) => id);
    const [first, , , last] = made.map(({ id }) => id);
    const middle = [made[1]!.id, made[2]!.id].toSorted().toReversed();
    assert.deepEqual(await list({}), [last, ...middle, first]);
    assert.deepEqual(await list({ limit: 1, after: { createdAtMs: 2, id: middle[0]! } }), [middle[1]]);
    assert.deepEqual(await list({ projectId: project }), [first]);
    assert.deepEqual(await list({ fromMs: 2, beforeMs: 3 }), middle);
    assert.deepEqual(await list({ state: 'completed' }), []);
    assert.deepEqual(
      await list({
        metadata: [
          ['n', '0'],
          ['all', 'yes'],
        ],
      }),
      [made[2]!.id, first],
    );
    assert.deepEqual(
      await list({
        metadata: [
          ['n', '0'],
          ['all', 'no'],
        ],
      }),
      [],
    );
  });

  test(`${adapter}: [C85] rows beyond one statement are stored in their order`, async (t) => {
    const database = await open(t);
    const rows = Array.from({ length: 1201 }, (_, n) => ({ video: `${n}`, values: '{}', error: null }));
    const batch = newBatch({ total: rows.length });
    await database.transaction((tx) => batches.insert(batch, rows, tx));
    const last = await batches.rows(batch.id, { state: null, after: 1198, limit: 9 }, database);
    assert.deepEqual(
      last.map(({ number, video }) => [number, video]),
      [
        [1199, '1199'],
        [1200, '1200'],
      ],
    );
  });
}
