import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Attempt } from '../../src/store/job-queue.ts';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { ModelQueue } from './model-queue.ts';
import { play, step } from './queue-steps.ts';
import { fastFolder } from './temp-folder.ts';

test('[C35] in any order of operations, the queue behaves like a plain list', async (t) => {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const model = new ModelQueue();
      const queue = new SqliteJobQueue(database, { now: () => model.nowMs });
      await database.query('delete from jobs');
      const attempts: Attempt[] = [];
      for (const one of steps) {
        const pair = await play(one, model, queue, database, attempts);
        assert.deepEqual(pair.real, pair.expected, `after ${JSON.stringify(one)}`);
      }
      // The remaining state shows differences that no result has shown so far.
      for (model.nowMs += 1_000_000; ; ) {
        const expected = model.claim();
        assert.deepEqual(await queue.claim(), expected);
        if (expected === null) break;
      }
    }),
    { numRuns: 300 },
  );
});
