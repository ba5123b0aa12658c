import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Attempt, Job } from '../../src/store/job-queue.ts';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { ModelQueue } from './model-queue.ts';
import { fastFolder } from './temp-folder.ts';

const exportId = fc.constantFrom('a', 'b', 'c');
const preset = fc.constantFrom('one', 'two', null);
const priority = fc.integer({ min: 0, max: 3 });
/** Picks one of all the attempts there have been, stale ones included. */
const which = fc.nat();

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      exportId,
      preset,
      chunk: fc.integer({ min: 0, max: 2 }),
      priority,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      prefer: fc.option(exportId, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claimLike' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('complete' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fail' as const), which, final: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), exportId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('raise' as const), exportId, preset, priority }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 999, 1_000, 30_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('[C35] whatever happens in whatever order, the queue does what a plain list would', async (t) => {
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
      // Whatever is left over tells of differences that no answer has shown so far.
      for (model.nowMs += 1_000_000; ; ) {
        const expected = model.claim(undefined);
        assert.deepEqual(await queue.claim(), expected);
        if (expected === null) break;
      }
    }),
    { numRuns: 300 },
  );
});

/** Does one step to both, and tells what each of them answered. */
async function play(
  one: Step,
  model: ModelQueue,
  queue: SqliteJobQueue,
  database: SqliteDatabase,
  attempts: Attempt[],
): Promise<{ real: unknown; expected: unknown }> {
  const attempt = 'which' in one ? attempts[one.which % Math.max(1, attempts.length)] : undefined;
  if ('which' in one && attempt === undefined) return { real: null, expected: null };
  switch (one.do) {
    case 'enqueue': {
      const { exportId, preset, chunk, priority } = one;
      const id = `${exportId}/${preset}/${chunk}`;
      const job: Job = { id, exportId, kind: preset === null ? 'sound' : 'chunk', preset, chunk, priority };
      const real = await database.transaction((tx) => queue.enqueue([job], tx));
      return { real, expected: model.enqueue(job) };
    }
    case 'claim': {
      const real = await queue.claim(one.prefer);
      if (real !== null) attempts.push(real);
      return { real, expected: model.claim(one.prefer) };
    }
    case 'claimLike': {
      const real = await queue.claimLike(attempt!.job);
      if (real !== null) attempts.push(real);
      return { real, expected: model.claimLike(attempt!.job) };
    }
    case 'heartbeat':
      return { real: await queue.heartbeat(attempt!), expected: model.heartbeat(attempt!) };
    case 'complete': {
      const real = await database.transaction((tx) => queue.complete(attempt!, tx));
      return { real, expected: model.complete(attempt!) };
    }
    case 'fail': {
      const real = await database.transaction((tx) => queue.fail(attempt!, 'it broke', one.final, tx));
      return { real, expected: model.fail(attempt!, one.final) };
    }
    case 'release':
      return { real: await queue.release(attempt!), expected: model.release(attempt!) };
    case 'cancel': {
      const real = await database.transaction((tx) => queue.cancel(one.exportId, tx));
      return { real, expected: model.cancel(one.exportId) };
    }
    case 'raise': {
      const { exportId, preset, priority } = one;
      const real = await database.transaction((tx) => queue.raise(exportId, preset, priority, tx));
      return { real, expected: model.raise(exportId, preset, priority) };
    }
    case 'sweep':
      return { real: await queue.sweep(), expected: model.sweep() };
    case 'pass':
      model.nowMs += one.ms;
      return { real: null, expected: null };
  }
}
