import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../src/store/database.ts';
import type { Attempt, Job, JobQueue } from '../../src/store/job-queue.ts';

/** A queue without jobs, its database, and a hand on its clock. Leases last 30 s, pauses 1 s and 2 s, 3 attempts at most. */
export interface QueueHarness {
  readonly database: Database;
  readonly queue: JobQueue;
  /** Lets time pass for the queue. */
  pass(ms: number): Promise<void>;
}

const LEASE_MS = 30_000;
const AGES_MS = 3_600_000;

/** What every `JobQueue` must do. `open` closes what it opened after the test. */
export function jobQueueSuite(adapter: string, open: (t: TestContext) => Promise<QueueHarness>): void {
  test(`${adapter}: the most urgent first, among equals the oldest`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 1), chunk('a', 1, 5), chunk('b', 2, 3), chunk('a', 3, 5)]);
    assert.deepEqual(await drain(queue, database), ['a/1', 'a/3', 'b/2', 'a/0']);
  });

  test(`${adapter}: among equally urgent ones the preferred export's, never before more urgent ones`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 1), chunk('b', 0, 1), chunk('b', 1, 0), chunk('c', 0, 2)]);
    assert.deepEqual(await drain(queue, database, 'b'), ['c/0', 'b/0', 'a/0', 'b/1']);
  });

  test(`${adapter}: one more of the same kind for the same output, and nothing else is touched`, async (t) => {
    const { database, queue } = await open(t);
    const sound: Job = { id: 'a/sound', exportId: 'a', kind: 'sound', preset: null, chunk: null, priority: 1 };
    const other = { ...chunk('a', 9, 1), preset: 'q' };
    await enqueue(queue, database, [chunk('a', 0, 1), sound, other, chunk('b', 0, 1), chunk('a', 1, 1), chunk('a', 2)]);
    const first = await mustClaim(queue);
    assert.deepEqual(await queue.claimLike(first.job), { job: chunk('a', 1, 1), attempt: 1 });
    assert.equal(await queue.claimLike(first.job), null, 'what is left of the output is less urgent than others');
    const rest = [await mustClaim(queue), await mustClaim(queue), await mustClaim(queue), await mustClaim(queue)];
    assert.deepEqual(
      rest.map(({ job, attempt }) => [job.id, attempt]),
      [
        ['a/sound', 1],
        ['a/9', 1],
        ['b/0', 1],
        ['a/2', 1],
      ],
    );
    assert.equal(await queue.claimLike(sound), null);
  });

  test(`${adapter}: a job comes back as it was put in`, async (t) => {
    const { database, queue } = await open(t);
    const sound: Job = { id: 's', exportId: 'x', kind: 'sound', preset: null, chunk: null, priority: 7 };
    const assembly: Job = { id: 'j', exportId: 'x', kind: 'assembly', preset: 'preset_two', chunk: null, priority: 6 };
    await enqueue(queue, database, [sound, assembly]);
    assert.deepEqual(await queue.claim(), { job: sound, attempt: 1 });
    assert.deepEqual(await queue.claim(), { job: assembly, attempt: 1 });
    assert.equal(await queue.claim(), null);
  });

  test(`${adapter}: a known id is left as it is, whatever became of its job`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 1)]);
    await enqueue(queue, database, [chunk('a', 0, 9), chunk('a', 1, 2)]);
    assert.deepEqual(await drain(queue, database), ['a/1', 'a/0']);
    await enqueue(queue, database, [chunk('a', 0, 1)]);
    assert.equal(await queue.claim(), null, 'done once is done');
  });

  test(`${adapter}: records and jobs are kept or undone together`, async (t) => {
    const { database, queue } = await open(t);
    const undone = database.transaction(async (tx) => {
      await queue.enqueue([chunk('a', 0)], tx);
      throw new Error('no');
    });
    await assert.rejects(undone);
    assert.equal(await queue.claim(), null);

    await enqueue(queue, database, [chunk('a', 0)]);
    const attempt = await mustClaim(queue);
    await assert.rejects(
      database.transaction(async (tx) => {
        assert.equal(await queue.complete(attempt, tx), true);
        throw new Error('no');
      }),
    );
    assert.equal(await queue.heartbeat(attempt), true, 'still running');
  });

  test(`${adapter}: nobody gets a job that another has`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(
      queue,
      database,
      Array.from({ length: 20 }, (_, index) => chunk('a', index)),
    );
    const claims = await Promise.all(Array.from({ length: 25 }, () => queue.claim()));
    const ids = claims.flatMap((claim) => (claim === null ? [] : [claim.job.id]));
    assert.equal(ids.length, 20);
    assert.equal(new Set(ids).size, 20);
  });

  test(`${adapter}: [C35] a failed attempt is tried again after a pause, twice at the most`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0)]);
    for (const [index, pauseMs] of [1_000, 2_000].entries()) {
      const attempt = await mustClaim(queue);
      assert.equal(attempt.attempt, index + 1);
      assert.equal(await fail(queue, database, attempt), 'retried');
      await pass(pauseMs - 1);
      assert.equal(await queue.claim(), null, 'not before the pause is over');
      await pass(1);
    }
    const last = await mustClaim(queue);
    assert.equal(await fail(queue, database, last), 'failed');
    await pass(AGES_MS);
    assert.equal(await queue.claim(), null);
    assert.deepEqual(await queue.sweep(), [], 'told once, to the one who failed');
  });

  test(`${adapter}: a final failure is not tried again`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0)]);
    const attempt = await mustClaim(queue);
    assert.equal(await database.transaction((tx) => queue.fail(attempt, 'bad media', true, tx)), 'failed');
    await pass(AGES_MS);
    assert.equal(await queue.claim(), null);
  });

  test(`${adapter}: only the newest attempt can end a job`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0)]);
    const old = await mustClaim(queue);
    await fail(queue, database, old);
    const isLost = async (attempt: Attempt) => {
      assert.equal(await queue.heartbeat(attempt), false);
      assert.equal(await complete(queue, database, attempt), false);
      assert.equal(await fail(queue, database, attempt), 'lost');
      await queue.release(attempt);
    };
    await isLost(old);
    await pass(1_000);
    const newer = await mustClaim(queue);
    await isLost(old);
    assert.equal(await queue.heartbeat(newer), true);
    assert.equal(await complete(queue, database, newer), true);
    await isLost(newer);
  });

  test(`${adapter}: a silent attempt loses its job to the next; one that beats keeps it`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0), chunk('a', 1)]);
    const silent = await mustClaim(queue);
    const beating = await mustClaim(queue);
    await pass(LEASE_MS - 1);
    assert.equal(await queue.heartbeat(beating), true);
    await pass(1);
    assert.deepEqual(await queue.sweep(), []);
    assert.equal(await queue.heartbeat(silent), false);
    assert.equal(await queue.heartbeat(beating), true);
    const next = await mustClaim(queue);
    assert.deepEqual([next.job.id, next.attempt], ['a/0', 2]);
  });

  test(`${adapter}: [C35] a job whose workers die is given up after the third, and sweep tells which`, async (t) => {
    const { database, queue, pass } = await open(t);
    const job = chunk('a', 0);
    await enqueue(queue, database, [job]);
    for (const expected of [[], [], [job]]) {
      await mustClaim(queue);
      await pass(LEASE_MS);
      assert.deepEqual(await queue.sweep(), expected);
    }
    assert.equal(await queue.claim(), null);
    assert.deepEqual(await queue.sweep(), []);
  });

  test(`${adapter}: what follows from a sweep is kept or undone with it`, async (t) => {
    const { database, queue, pass } = await open(t);
    const job = chunk('a', 0);
    await enqueue(queue, database, [job]);
    for (let death = 0; death < 2; death += 1) {
      await mustClaim(queue);
      await pass(LEASE_MS);
      await queue.sweep();
    }
    await mustClaim(queue);
    await pass(LEASE_MS);
    await assert.rejects(
      database.transaction(async (tx) => {
        assert.deepEqual(await queue.sweep(tx), [job]);
        throw new Error('killed in between');
      }),
    );
    assert.deepEqual(await database.transaction((tx) => queue.sweep(tx)), [job], 'told again');
  });

  test(`${adapter}: an attempt that is given back does not count, yet cannot end the job any more`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0)]);
    for (let round = 0; round < 5; round += 1) {
      const attempt = await mustClaim(queue);
      await queue.release(attempt);
      const next = await mustClaim(queue);
      assert.equal(await complete(queue, database, attempt), false, 'an old attempt ended the job of a newer one');
      await queue.release(next);
    }
    for (const outcome of ['retried', 'retried', 'failed']) {
      assert.equal(await fail(queue, database, await mustClaim(queue)), outcome);
      await pass(AGES_MS);
    }
  });

  test(`${adapter}: cancelling drops an export's jobs, running ones too, and nobody else's`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 9), chunk('a', 1), chunk('b', 0)]);
    const running = await mustClaim(queue);
    await database.transaction((tx) => queue.cancel('a', tx));
    assert.equal(await queue.heartbeat(running), false);
    assert.equal(await complete(queue, database, running), false);
    assert.deepEqual(await drain(queue, database), ['b/0']);
  });

  test(`${adapter}: [C12] raising moves one output and the sound to the front, and nothing back`, async (t) => {
    const { database, queue } = await open(t);
    const of = (preset: string | null, id: string, priority: number): Job => ({
      ...chunk('a', 0, priority),
      id,
      preset,
      kind: preset === null ? 'sound' : 'chunk',
    });
    await enqueue(queue, database, [
      of('one', 'one', 1),
      of('two', 'two', 1),
      of(null, 'sound', 1),
      of('two', 'urgent', 9),
      { ...chunk('b', 0, 2), preset: 'two' },
    ]);
    await database.transaction((tx) => queue.raise('a', 'two', 5, tx));
    assert.deepEqual(await drain(queue, database), ['urgent', 'two', 'sound', 'b/0', 'one']);

    await enqueue(queue, database, [chunk('c', 0, 1), chunk('d', 0, 2), chunk('c', 1, 1)]);
    await database.transaction((tx) => queue.raise('c', null, 3, tx));
    assert.deepEqual(await drain(queue, database), ['c/0', 'c/1', 'd/0']);
  });

  test(`${adapter}: what is raised while it runs is urgent when it is tried again`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 1)]);
    const attempt = await mustClaim(queue);
    await database.transaction((tx) => queue.raise('a', null, 5, tx));
    await fail(queue, database, attempt);
    await enqueue(queue, database, [chunk('b', 0, 3)]);
    await pass(1_000);
    assert.deepEqual(await drain(queue, database), ['a/0', 'b/0']);
  });

  test(`${adapter}: a fan-out is joined exactly once`, async (t) => {
    const { database, queue } = await open(t);
    const jobs = Array.from({ length: 8 }, (_, index) => chunk('a', index));
    await enqueue(queue, database, jobs);
    await database.query('create table fan_in (jobs_left integer)');
    await database.query('insert into fan_in values ($1)', [jobs.length]);
    const work = async () => {
      const attempt = await mustClaim(queue);
      await database.transaction(async (tx) => {
        assert.equal(await queue.complete(attempt, tx), true);
        const [row] = await tx.query<{ jobs_left: number }>(
          'update fan_in set jobs_left = jobs_left - 1 returning jobs_left',
        );
        const assembly: Job = { id: 'join', exportId: 'a', kind: 'assembly', preset: 'p', chunk: null, priority: 0 };
        if (row?.jobs_left === 0) await queue.enqueue([assembly], tx);
      });
    };
    await Promise.all(jobs.map(work));
    assert.deepEqual(await drain(queue, database), ['join']);
  });

  test(`${adapter}: waiting ends with whatever may give work, before or after the wait began`, async (t) => {
    const { database, queue, pass } = await open(t);
    const { signal } = new AbortController();
    const events: Record<string, () => Promise<unknown>> = {
      enqueue: () => enqueue(queue, database, [chunk('a', 0)]),
      release: () => queue.release(running),
      retry: async () => {
        await fail(queue, database, running);
        await pass(1_000);
      },
      sweep: async () => {
        await pass(LEASE_MS);
        await queue.sweep();
      },
    };
    let running!: Attempt;
    for (const event of Object.values(events)) {
      assert.equal(await queue.claim(), null);
      const waiting = queue.changed(signal);
      await event();
      await waiting;
      running = await mustClaim(queue);
    }
    assert.equal(await queue.claim(), null);
    await queue.release(running);
    await queue.changed(signal);
    await mustClaim(queue);
  });

  test(`${adapter}: waiting for work is called off by its signal`, async (t) => {
    const { queue } = await open(t);
    assert.equal(await queue.claim(), null);
    const stop = new AbortController();
    const waiting = queue.changed(stop.signal);
    const reason = new Error('shutting down');
    stop.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    await assert.rejects(queue.changed(stop.signal), (error) => error === reason);
  });
}

/** A chunk whose id is its export and number. */
export function chunk(exportId: string, number: number, priority = 0): Job {
  return { id: `${exportId}/${number}`, exportId, kind: 'chunk', preset: 'p', chunk: number, priority };
}

function enqueue(queue: JobQueue, database: Database, jobs: readonly Job[]): Promise<void> {
  return database.transaction((tx) => queue.enqueue(jobs, tx));
}

function complete(queue: JobQueue, database: Database, attempt: Attempt): Promise<boolean> {
  return database.transaction((tx) => queue.complete(attempt, tx));
}

function fail(queue: JobQueue, database: Database, attempt: Attempt): Promise<string> {
  return database.transaction((tx) => queue.fail(attempt, 'it broke', false, tx));
}

async function mustClaim(queue: JobQueue): Promise<Attempt> {
  const attempt = await queue.claim();
  assert.ok(attempt, 'there is nothing to claim');
  return attempt;
}

/** Claims and completes all there is; the ids in that order. */
async function drain(queue: JobQueue, database: Database, preferExport?: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const attempt = await queue.claim(preferExport);
    if (attempt === null) return ids;
    ids.push(attempt.job.id);
    assert.equal(await complete(queue, database, attempt), true);
  }
}
