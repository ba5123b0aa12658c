import fc from 'fast-check';
import type { Database } from '../../src/store/database.ts';
import type { Attempt, Job, JobQueue } from '../../src/store/job-queue.ts';
import type { ModelQueue } from './model-queue.ts';

const exportId = fc.constantFrom('a', 'b', 'c', 'd');
const preset = fc.constantFrom('one', 'two', null);
const presets = fc.subarray(['one', 'two', 'three']);
const priority = fc.constantFrom(0, 1, 100, 200, 201);
/** Picks one of all the attempts there have been, stale ones included. */
const which = fc.nat();
const ms = fc.constantFrom(1, 999, 1_000, 30_000, 300_000, 600_000);

/** Anything that can happen to a queue. */
export const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      exportId,
      presets,
      chunk: fc.integer({ min: 0, max: 2 }),
      priority,
    }),
  },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('claim' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('complete' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fail' as const), which, final: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('divide' as const), which, failed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('setApart' as const), exportId, preset: fc.constant('two'), priority }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), exportId, preset }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('raise' as const), exportId, preset, priority }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('count' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two exports of one tenant, and two tenants with one each. */
const TENANTS = { a: 'x', b: 'x', c: 'y', d: 'z' };

/** Applies one step to both, and returns their results. */
export async function play(
  one: Step,
  model: ModelQueue,
  queue: JobQueue,
  database: Database,
  attempts: Attempt[],
  tenants: Readonly<Record<string, string>> = TENANTS,
): Promise<{ real: unknown; expected: unknown }> {
  const attempt = 'which' in one ? attempts[one.which % Math.max(1, attempts.length)] : undefined;
  if ('which' in one && attempt === undefined) return { real: null, expected: null };
  switch (one.do) {
    case 'enqueue': {
      const { exportId, presets, chunk, priority } = one;
      const id = `${exportId}/${presets}/${chunk}`;
      const what =
        presets.length === 0
          ? ({ kind: 'sound', chunks: null } as const)
          : ({ kind: 'chunks', chunks: { first: chunk, count: 2 } } as const);
      const tenant = tenants[exportId]!;
      const job: Job = { id, tenant, exportId, presets, ...what, priority };
      const real = await database.transaction((tx) => queue.enqueue([job], tx));
      return { real, expected: model.enqueue(job) };
    }
    case 'claim': {
      const real = await queue.claim();
      if (real !== null) attempts.push(real);
      return { real, expected: model.claim() };
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
    case 'divide': {
      // Only what is for several can be divided, and only that is.
      if (attempt!.job.presets.length < 2) return { real: null, expected: null };
      const reason = one.failed ? 'it broke' : null;
      const real = await database.transaction((tx) => queue.divide(attempt!, reason, tx));
      return { real, expected: model.divide(attempt!, one.failed) };
    }
    case 'setApart': {
      const { exportId, preset, priority } = one;
      const real = await database.transaction((tx) => queue.setApart(exportId, preset, priority, tx));
      return { real, expected: model.setApart(exportId, preset, priority) };
    }
    case 'cancel': {
      const real = await database.transaction((tx) => queue.cancel(one.exportId, one.preset, tx));
      return { real, expected: model.cancel(one.exportId, one.preset) };
    }
    case 'raise': {
      const { exportId, preset, priority } = one;
      const real = await database.transaction((tx) => queue.raise(exportId, preset, priority, tx));
      return { real, expected: model.raise(exportId, preset, priority) };
    }
    case 'count':
      return { real: await queue.count(), expected: model.count() };
    case 'pass':
      model.nowMs += one.ms;
      return { real: null, expected: null };
  }
}
