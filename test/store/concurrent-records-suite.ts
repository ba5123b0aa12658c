import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database, Transaction } from '../../src/store/database.ts';
import { ExportRecords } from '../../src/store/records/export-records.ts';
import { OutputRecords } from '../../src/store/records/output-records.ts';
import { newExport } from './new-export.ts';

/** Of each, side by side: enough for any two to meet at every point. */
const ROUNDS = 50;
const CHUNKS = { chunkJobs: 1, framesDone: 0, soundDone: false };

/**
 * What must hold when several work on one export at the same time, each in a transaction that takes the export first.
 * `open` gives a database with our tables, empty, of several connections where it has any.
 */
export function concurrentRecordsSuite(adapter: string, open: (t: TestContext) => Promise<Database>): void {
  const exports = new ExportRecords();
  const outputs = new OutputRecords();

  /** An export with one active output: one job of chunks, and the sound. */
  async function begin(database: Database): Promise<string> {
    const record = newExport();
    await database.transaction(async (tx) => {
      await exports.insert(record, tx);
      await outputs.start(record.id, 'preset_one', CHUNKS, tx);
    });
    return record.id;
  }

  /** Each does its part for every export; all at once. */
  async function atOnce(
    ids: readonly string[],
    ...parts: readonly ((id: string) => Promise<unknown>)[]
  ): Promise<void> {
    await Promise.all(ids.flatMap((id) => parts.map((part) => part(id))));
  }

  async function beginMany(database: Database): Promise<string[]> {
    return Promise.all(Array.from({ length: ROUNDS }, () => begin(database)));
  }

  test(`${adapter}: an output that starts while the sound is being finished does not wait for it forever`, async (t) => {
    const database = await open(t);
    const ids = await beginMany(database);
    await atOnce(
      ids,
      (id) =>
        database.transaction((tx) => outputs.start(id, 'preset_two', { ...CHUNKS, chunkJobs: 0 }, tx), {
          lockExport: id,
        }),
      (id) => database.transaction((tx) => outputs.finishSound(id, tx), { lockExport: id }),
    );
    const left = await database.query<{ jobs_left: number }>(
      `select jobs_left from outputs where preset = 'preset_two' and jobs_left > 0`,
    );
    assert.equal(left.length, 0, `${left.length} of ${ROUNDS} wait for ever`);
  });

  test(`${adapter}: chunks and the sound finish at the same time, and exactly one of them is the last`, async (t) => {
    const database = await open(t);
    const ids = await beginMany(database);
    const last: string[] = [];
    let begun = 0;
    const locked = <T>(id: string, work: (tx: Transaction) => Promise<T>) =>
      database.transaction(
        (tx) => {
          begun += 1;
          return work(tx);
        },
        { lockExport: id },
      );
    await atOnce(
      ids,
      async (id) => {
        const { jobsLeft } = await locked(id, (tx) =>
          outputs.finishChunks(id, 'preset_one', { first: 0, frames: 100 }, tx),
        );
        if (jobsLeft === 0) last.push(id);
      },
      async (id) => {
        const ready = await locked(id, (tx) => outputs.finishSound(id, tx));
        if (ready.length > 0) last.push(id);
      },
    );
    assert.equal(begun, 2 * ROUNDS, 'some waited for each other in a circle, and had to begin again');
    assert.deepEqual(last.toSorted(), ids.toSorted());
  });

  test(`${adapter}: two workers start an export at the same time: one changes its state, and neither fails`, async (t) => {
    const database = await open(t);
    const ids = await beginMany(database);
    const moved: string[] = [];
    const render = async (id: string) => {
      const move = database.transaction((tx) => exports.setState(id, 'rendering', tx), { lockExport: id });
      if (await move) moved.push(id);
    };
    await atOnce(ids, render, render);
    assert.deepEqual(moved.toSorted(), ids.toSorted());
  });

  test(`${adapter}: warnings of several workers are all kept`, async (t) => {
    const database = await open(t);
    const id = await begin(database);
    const codes = Array.from({ length: 20 }, (_, n) => `code.${n}`);
    await Promise.all(
      codes.map((code) => {
        const warning = { path: '', code, message: 'Something is missing.' };
        return database.transaction((tx) => exports.addWarnings(id, [warning], tx), { lockExport: id });
      }),
    );
    const record = await exports.find(id, database);
    assert.deepEqual(record?.warnings.map(({ code }) => code).toSorted(), codes.toSorted());
  });
}
