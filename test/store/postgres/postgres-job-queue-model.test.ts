import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Attempt } from '../../../src/store/job-queue.ts';
import { ModelQueue } from '../model-queue.ts';
import { play, step } from '../queue-steps.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();
/** The adapter decides which of several tenants is first in a round: here there is one. */
const TENANTS = { a: 'x', b: 'x', c: 'x', d: 'x' };

test('[C35] in any order of operations, the queue behaves like a plain list', async (t) => {
  const { database, queue, tick, pass } = await fixture.openQueue(t);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const model = new ModelQueue();
      await database.query('delete from pgboss.job');
      const attempts: Attempt[] = [];
      const claimed = (answer: unknown) => (isAttempt(answer) ? { ...answer, waitedMs: 0 } : answer);
      for (const one of steps) {
        if (one.do === 'pass') await tick(one.ms);
        if (one.do === 'claim' || one.do === 'count') await pass(0);
        const { real, expected } = await play(one, model, queue, database, attempts, TENANTS);
        assert.deepEqual(claimed(real), claimed(expected), `after ${JSON.stringify(one)}`);
      }
      // The remaining state shows differences that no result has shown so far.
      model.nowMs += 1_000_000;
      await pass(1_000_000);
      for (;;) {
        const expected = model.claim();
        assert.deepEqual(claimed(await queue.claim()), claimed(expected));
        if (expected === null) break;
      }
    }),
    { numRuns: 10 },
  );
});

function isAttempt(answer: unknown): answer is Attempt {
  return typeof answer === 'object' && answer !== null && 'waitedMs' in answer;
}
