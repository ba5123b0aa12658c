import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../src/store/database.ts';
import { type Attempt, type Job, type JobQueue, RETRIES, singleJob } from '../../src/store/job-queue.ts';

/**
 * An empty queue, its database, and a manual clock. Leases and raises last 30 s, pauses 1 s and 2 s, 3 attempts at
 * most; after 10 minutes of waiting a job has at least priority 200.
 */
export interface QueueHarness {
  readonly database: Database;
  readonly queue: JobQueue;
  /** The exports that `onCancelled` reported. */
  readonly cancelled: readonly string[];
  /** Lets time pass for the queue. */
  pass(ms: number): Promise<void>;
}

const LEASE_MS = 30_000;
const PATIENCE_MS = 600_000;
const AGES_MS = 3_600_000;

/** What every `JobQueue` must do. `open` closes what it opened after the test. */
export function jobQueueSuite(adapter: string, open: (t: TestContext) => Promise<QueueHarness>): void {
  test(`${adapter}: the most urgent job of a tenant comes first, among equals the oldest`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 1), chunk('a', 1, 5), chunk('b', 2, 3), chunk('a', 3, 5)]);
    assert.deepEqual(await drain(queue, database), ['a/1', 'a/3', 'b/2', 'a/0']);
  });

  test(`${adapter}: [C91] a thousand jobs of one tenant delay another by one turn, whatever their urgency`, async (t) => {
    const { database, queue } = await open(t);
    const many = Array.from({ length: 1000 }, (_, n) => ({ ...chunk('many', n, 300), tenant: 'a' }));
    await enqueue(queue, database, many);
    await mustClaim(queue);
    const few = [0, 1, 2].map((n) => ({ ...chunk('few', n, 100), tenant: 'b' }));
    await enqueue(queue, database, [...few, { ...chunk('late', 0, 400), tenant: 'c' }]);
    let turns = '';
    for (let turn = 0; turn < 9; turn += 1) turns += (await mustClaim(queue)).job.tenant;
    // The adapter decides which of the unserved tenants is first.
    assert.equal([...turns.slice(0, 2)].toSorted().join(''), 'bc');
    assert.equal(turns.slice(2), 'abab' + 'aaa');
  });

  test(`${adapter}: a tenant whose jobs are all paused is skipped, and has the first turn after the pause`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [
      { ...chunk('a', 0), tenant: 'a' },
      ...[0, 1, 2].map((n) => ({ ...chunk('b', n), tenant: 'b' })),
    ]);
    await fail(queue, database, await mustClaim(queue));
    assert.deepEqual([(await mustClaim(queue)).job.id, (await mustClaim(queue)).job.id], ['b/0', 'b/1']);
    await pass(1_000);
    assert.equal((await mustClaim(queue)).job.id, 'a/0');
  });

  test(`${adapter}: [C12] a job that waited long is as urgent as a requested one, and sorts by age`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 200), chunk('a', 1, 100), chunk('a', 2, 201)]);
    await pass(PATIENCE_MS - 1);
    await enqueue(queue, database, [chunk('b', 0, 200), chunk('b', 1, 100)]);
    assert.deepEqual([(await mustClaim(queue)).job.id, (await mustClaim(queue)).job.id], ['a/2', 'a/0']);
    await pass(1);
    const aged = await mustClaim(queue);
    assert.deepEqual([aged.job.id, aged.job.priority], ['a/1', 200]);
    assert.deepEqual(await drain(queue, database), ['b/0', 'b/1']);
  });

  test(`${adapter}: a job is returned as it was added`, async (t) => {
    const { database, queue, pass } = await open(t);
    const of = { tenant: 'someone', exportId: 'x' };
    const jobs: Job[] = [
      { ...of, id: 's', kind: 'sound', presets: [], chunks: null, priority: 7 },
      { ...of, id: 'j', kind: 'assembly', presets: ['preset_two'], chunks: null, priority: 6 },
      {
        ...of,
        id: 'c',
        kind: 'chunks',
        presets: ['preset_"1"', 'preset_two'],
        chunks: { first: 8, count: 4 },
        priority: 5,
      },
    ];
    await enqueue(queue, database, jobs);
    await pass(1_234);
    for (const job of jobs) {
      const { token, waitedMs, ...attempt } = await mustClaim(queue);
      assert.ok(Number.isSafeInteger(token));
      // Both ends are rounded to milliseconds.
      assert.ok(Math.abs(waitedMs - 1_234) <= 1, `${waitedMs} ms`);
      assert.deepEqual(attempt, { job, failures: 0, alone: false, exhausted: false, isCopy: false });
    }
    assert.equal(await queue.claim(), null);
  });

  test(`${adapter}: a known id is not added again, whatever happened to its job`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 1)]);
    await enqueue(queue, database, [chunk('a', 0, 9), chunk('a', 1, 2)]);
    assert.deepEqual(await drain(queue, database), ['a/1', 'a/0']);
    await enqueue(queue, database, [chunk('a', 0, 1)]);
    assert.equal(await queue.claim(), null, 'done once is done');
  });

  test(`${adapter}: records and jobs are committed or rolled back together`, async (t) => {
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

  test(`${adapter}: no worker gets a job that another holds`, async (t) => {
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

  test(`${adapter}: [C35] a failed try is retried after a pause, twice at most`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0)]);
    for (const [index, pauseMs] of [1_000, 2_000].entries()) {
      const attempt = await mustClaim(queue);
      assert.deepEqual([attempt.failures, attempt.exhausted], [index, false]);
      assert.equal(await fail(queue, database, attempt), 'retried');
      await pass(pauseMs - 1);
      assert.equal(await queue.claim(), null, 'not before the pause is over');
      await pass(1);
    }
    const last = await mustClaim(queue);
    assert.deepEqual([last.failures, last.exhausted], [2, false]);
    assert.equal(await fail(queue, database, last), 'failed');
    await pass(AGES_MS);
    assert.equal(await queue.claim(), null, 'reported once, to the worker that failed');
  });

  test(`${adapter}: a final failure is not retried`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0)]);
    const attempt = await mustClaim(queue);
    assert.equal(await database.transaction((tx) => queue.fail(attempt, 'bad media', true, tx)), 'failed');
    await pass(AGES_MS);
    assert.equal(await queue.claim(), null);
  });

  test(`${adapter}: only the newest try can end a job`, async (t) => {
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

  test(`${adapter}: a silent try loses its job to the next; one that sends heartbeats keeps it`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0), chunk('a', 1)]);
    const silent = await mustClaim(queue);
    const beating = await mustClaim(queue);
    await pass(LEASE_MS - 1);
    assert.equal(await queue.heartbeat(beating), true);
    await pass(1);
    const next = await mustClaim(queue);
    assert.deepEqual([next.job.id, next.failures, next.alone], ['a/0', 0, false]);
    assert.ok(next.token > silent.token);
    assert.equal(await queue.heartbeat(silent), false);
    assert.equal(await queue.heartbeat(beating), true);
    assert.equal(await queue.claim(), null);
  });

  test(`${adapter}: [C35] deaths of workers are counted separately: after two the job runs alone, after ten it can only be ended`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0)]);
    for (let deaths = 0; deaths < 10; deaths += 1) {
      const attempt = await mustClaim(queue);
      assert.deepEqual([attempt.failures, attempt.alone, attempt.exhausted], [0, deaths >= 2, false]);
      await pass(LEASE_MS);
    }
    const last = await mustClaim(queue);
    assert.deepEqual([last.failures, last.exhausted], [0, true]);
    assert.equal(await queue.claim(), null, 'nobody else has it meanwhile');
    await assert.rejects(
      database.transaction(async (tx) => {
        assert.equal(await queue.fail(last, 'it died again and again', true, tx), 'failed');
        throw new Error('killed in between');
      }),
    );
    await pass(LEASE_MS);
    const again = await mustClaim(queue);
    assert.equal(again.exhausted, true, 'reported again, since nothing was recorded');
    assert.equal(await fail(queue, database, last, true), 'lost');
    assert.equal(await fail(queue, database, again, true), 'failed');
    await pass(AGES_MS);
    assert.equal(await queue.claim(), null);
  });

  test(`${adapter}: a returned try does not count, and can no longer end the job`, async (t) => {
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

  test(`${adapter}: cancelling removes the jobs of one export, running ones too`, async (t) => {
    const { database, queue, cancelled } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 9), chunk('a', 1), chunk('b', 0)]);
    const running = await mustClaim(queue);
    await assert.rejects(
      database.transaction(async (tx) => {
        await queue.cancel('b', null, tx);
        throw new Error('no');
      }),
    );
    await database.transaction(async (tx) => {
      await queue.cancel('a', null, tx);
      assert.deepEqual(cancelled, [], 'it may still be undone');
    });
    assert.deepEqual(cancelled, ['a'], 'reported after the commit, and nothing that was rolled back');
    assert.equal(await queue.heartbeat(running), false);
    assert.equal(await complete(queue, database, running), false);
    assert.deepEqual(await drain(queue, database), ['b/0']);
  });

  test(`${adapter}: [C12] cancelling one output keeps the others, also if one job is for several`, async (t) => {
    const { database, queue, cancelled } = await open(t);
    const sound: Job = { ...chunk('a', 9), kind: 'sound', presets: [], chunks: null };
    const both = { ...chunk('a', 2), presets: ['p', 'q'] };
    await enqueue(queue, database, [
      chunk('a', 0, 9),
      chunk('a', 1),
      both,
      { ...chunk('a', 3), presets: ['q'] },
      sound,
    ]);
    await enqueue(queue, database, [chunk('b', 0)]);
    const running = await mustClaim(queue);
    await database.transaction((tx) => queue.cancel('a', 'p', tx));
    assert.equal(await queue.heartbeat(running), false);
    const left = [await mustClaim(queue), await mustClaim(queue), await mustClaim(queue), await mustClaim(queue)];
    assert.deepEqual(
      left.map(({ job }) => [job.id, job.presets]),
      [
        ['a/2', ['q']],
        ['a/3', ['q']],
        ['a/9', []],
        ['b/0', ['p']],
      ],
    );
    assert.deepEqual(cancelled, [], 'the export goes on');
  });

  test(`${adapter}: [C12] raising makes one output and the sound more urgent among the tenant's own jobs, and lowers none`, async (t) => {
    const { database, queue } = await open(t);
    const of = (id: string, presets: string[], priority: number): Job => ({
      ...chunk('a', 0, priority),
      id,
      presets,
      ...(presets.length === 0 ? { kind: 'sound', chunks: null } : {}),
    });
    await enqueue(queue, database, [
      of('one', ['one'], 1),
      of('two', ['two'], 1),
      of('sound', [], 1),
      of('urgent', ['two'], 9),
      of('both', ['one', 'two'], 1),
      { ...chunk('b', 0, 2), presets: ['two'] },
    ]);
    await database.transaction((tx) => queue.raise('a', 'two', 5, tx));
    assert.deepEqual(await drain(queue, database), ['urgent', 'two', 'sound', 'both', 'b/0', 'one']);

    await enqueue(queue, database, [chunk('c', 0, 1), chunk('d', 0, 2), chunk('c', 1, 1)]);
    await database.transaction((tx) => queue.raise('c', null, 3, tx));
    assert.deepEqual(await drain(queue, database), ['c/0', 'c/1', 'd/0']);
  });

  test(`${adapter}: [C12] jobs raised to the same rank sort by age`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 200), chunk('a', 1, 100), chunk('b', 0, 200), chunk('b', 1, 100)]);
    await database.transaction((tx) => queue.raise('b', null, 200, tx));
    assert.deepEqual(await drain(queue, database), ['a/0', 'b/0', 'b/1', 'a/1']);
  });

  test(`${adapter}: [C12] a raise lapses unless it is renewed, and the waiting time still counts`, async (t) => {
    const { database, queue, pass } = await open(t);
    const raise = (exportId: string) => database.transaction((tx) => queue.raise(exportId, null, 150, tx));
    await enqueue(queue, database, [chunk('a', 0, 120), chunk('b', 0, 100), chunk('c', 0, 110)]);
    await raise('b');
    await raise('c');
    await pass(LEASE_MS - 1);
    await raise('c');
    await pass(1);
    const raised = await mustClaim(queue);
    assert.deepEqual([raised.job.id, raised.job.priority], ['c/0', 150], 'someone still waits for it');
    await queue.release(raised);
    await pass(LEASE_MS);
    const first = await mustClaim(queue);
    assert.deepEqual(first.job.id, 'a/0', 'nobody waits any more');
    await complete(queue, database, first);

    await enqueue(queue, database, [chunk('d', 0, 120)]);
    await raise('b');
    await pass(PATIENCE_MS);
    const patient = await mustClaim(queue);
    assert.deepEqual([patient.job.id, patient.job.priority], ['b/0', 200]);
  });

  test(`${adapter}: a job that is raised while it runs is urgent when it is retried`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [chunk('a', 0, 1)]);
    const attempt = await mustClaim(queue);
    await database.transaction((tx) => queue.raise('a', null, 5, tx));
    await fail(queue, database, attempt);
    await enqueue(queue, database, [chunk('b', 0, 3)]);
    await pass(1_000);
    assert.deepEqual(await drain(queue, database), ['a/0', 'b/0']);
  });

  test(`${adapter}: [C34] a failed job for several outputs is divided: each continues alone, with its tries counted`, async (t) => {
    const { database, queue, pass } = await open(t);
    await enqueue(queue, database, [shared('a', 0, ['one', 'two', 'three'])]);
    const attempt = await mustClaim(queue);
    const divide = () => database.transaction((tx) => queue.divide(attempt, 'it broke', tx));
    assert.equal(await divide(), true);
    assert.equal(await divide(), false, 'no longer ours');
    assert.equal(await queue.heartbeat(attempt), false);
    assert.equal(await queue.claim(), null, 'after a pause');
    await pass(1_000);
    const own = [await mustClaim(queue), await mustClaim(queue), await mustClaim(queue)];
    assert.deepEqual(
      own.map(({ job, failures }) => [job.presets, job.chunks, job.priority, failures]),
      ['one', 'two', 'three'].map((preset) => [[preset], { first: 0, count: 2 }, 200, 1]),
    );
    assert.equal(new Set(own.map(({ job }) => job.id)).size, 3);
    await fail(queue, database, own[1]!);
    await pass(2_000);
    assert.deepEqual((await mustClaim(queue)).job.presets, ['two'], 'one fails, the others are at work');
  });

  test(`${adapter}: [C12] an output with a waiting client leaves its shared jobs, unless they have started`, async (t) => {
    const { database, queue } = await open(t);
    await enqueue(queue, database, [
      ...[0, 2, 4].map((first) => shared('a', first, ['one', 'two', 'three'])),
      chunk('b', 0, 200),
    ]);
    const begun = await mustClaim(queue);
    const setApart = () => database.transaction((tx) => queue.setApart('a', 'two', 100, tx));
    await setApart();
    await setApart();
    const order: unknown[] = [begun.job.presets];
    for (let next = await queue.claim(); next !== null; next = await queue.claim()) {
      const { presets, chunks, priority } = next.job;
      order.push([presets.join('+'), chunks?.first, priority]);
    }
    assert.deepEqual(order, [
      ['one', 'two', 'three'],
      ...[2, 4].map((first) => ['two', first, 200]),
      [chunk('b', 0).presets.join('+'), 0, 200],
      ...[2, 4].map((first) => ['one+three', first, 100]),
    ]);
  });

  test(`${adapter}: waiting and running jobs are counted, ended ones are not`, async (t) => {
    const { database, queue, pass } = await open(t);
    assert.deepEqual(await queue.count(), { waiting: 0, running: 0 });
    await enqueue(queue, database, [chunk('a', 0), chunk('a', 1), chunk('a', 2), chunk('a', 3)]);
    await complete(queue, database, await mustClaim(queue));
    await fail(queue, database, await mustClaim(queue));
    await mustClaim(queue);
    await pass(1);
    assert.deepEqual(await queue.count(), { waiting: 2, running: 1 });
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
        const assembly: Job = { ...chunk('a', 0), id: 'join', kind: 'assembly', chunks: null };
        if (row?.jobs_left === 0) await queue.enqueue([assembly], tx);
      });
    };
    await Promise.all(jobs.map(work));
    assert.deepEqual(await drain(queue, database), ['join']);
  });

  test(`${adapter}: waiting ends with anything that may give work, before or after the wait started`, async (t) => {
    const { database, queue, pass } = await open(t);
    const { signal } = new AbortController();
    const events: Record<string, () => Promise<unknown>> = {
      enqueue: () => enqueue(queue, database, [chunk('a', 0)]),
      release: () => queue.release(running),
      retry: async () => {
        await fail(queue, database, running);
        await pass(1_000);
      },
      'a lease runs out': () => pass(LEASE_MS),
    };
    let running!: Attempt;
    for (const event of Object.values(events)) {
      assert.equal(await queue.claim(), null);
      // A manual clock moves no timer: only notifications can end a wait.
      const waiting = event === events['a lease runs out'] ? null : queue.changed(signal);
      await event();
      await (waiting ?? queue.changed(signal));
      running = await mustClaim(queue);
    }
    assert.equal(await queue.claim(), null);
    await queue.release(running);
    await queue.changed(signal);
    await mustClaim(queue);
  });

  test(`${adapter}: [C91] each lane has its own jobs and its own turns`, async (t) => {
    const { database, queue } = await open(t);
    const fetches = ['a', 'b'].map((tenant) => singleJob('fetch', { id: `of ${tenant}`, tenant }));
    await enqueue(queue, database, [...fetches, chunk('x', 0), singleJob('webhook', { id: 'x', tenant: 'a' })]);
    assert.equal((await mustClaim(queue)).job.kind, 'chunks');
    assert.equal(await queue.claim(), null);
    const [one, other] = [await queue.claim({ lane: 'fetch' }), await queue.claim({ lane: 'fetch' })];
    assert.deepEqual([one?.job, other?.job].toSorted(byId), fetches);
    assert.equal(await queue.claim({ lane: 'fetch' }), null);
    assert.equal((await queue.claim({ lane: 'webhook' }))?.job.exportId, 'x');
    assert.equal(await queue.claim({ lane: 'destination' }), null);
  });

  test(`${adapter}: a tenant with enough in progress is left out, and a job waits for a node that has what it needs`, async (t) => {
    const { database, queue } = await open(t);
    const signal = AbortSignal.timeout(60_000);
    const job = singleJob('captions', { id: 'spoken', tenant: 'a' }, { needs: 'a model' });
    await enqueue(queue, database, [job]);
    const able = { lane: 'captions', has: ['another', 'a model'] } as const;
    for (const wanted of [
      { lane: 'captions' },
      { lane: 'captions', has: ['another'] },
      { ...able, except: ['a'] },
    ] as const)
      assert.equal(await queue.claim(wanted), null);
    const free = queue.changed(signal, { ...able, except: ['a'] });
    await queue.changed(signal, able);
    assert.deepEqual((await queue.claim(able))?.job, job);
    await enqueue(queue, database, [singleJob('captions', { id: 'other', tenant: 'b' })]);
    await free;
    assert.equal((await queue.claim({ lane: 'captions', except: ['a'] }))?.job.tenant, 'b');
  });

  test(`${adapter}: [C35] other work is tried as often as its lane says, deaths apart, and is forgotten at its end`, async (t) => {
    const { database, queue, pass } = await open(t);
    for (const lane of ['fetch', 'captions', 'destination', 'webhook'] as const) {
      const job = singleJob(lane, { id: 'x', tenant: 'a' });
      const { tries, pauseMs } = RETRIES[lane];
      await enqueue(queue, database, [job]);
      assert.notEqual(await queue.claim({ lane }), null);
      await pass(LEASE_MS + 1);
      for (let failures = 0; failures < tries; failures += 1) {
        const attempt = (await queue.claim({ lane }))!;
        assert.deepEqual([attempt.failures, attempt.exhausted], [failures, false], lane);
        await enqueue(queue, database, [job]);
        const outcome = await fail(queue, database, attempt);
        assert.equal(outcome, failures + 1 < tries ? 'retried' : 'failed');
        if (outcome === 'failed') break;
        await pass(pauseMs(failures + 1) - 10);
        assert.equal(await queue.claim({ lane }), null, `${lane} pauses`);
        await pass(20);
      }
      await enqueue(queue, database, [job]);
      const again = (await queue.claim({ lane }))!;
      assert.deepEqual([again.failures, await queue.heartbeat(again)], [0, true]);
      assert.equal(await complete(queue, database, again), true);
      assert.equal(await complete(queue, database, again), false);
      assert.equal(await queue.claim({ lane }), null);
    }
  });

  test(`${adapter}: jobs of other lanes are dropped by name, running ones too, and cancelling an export keeps them`, async (t) => {
    const { database, queue } = await open(t);
    const [sent, told] = [
      singleJob('destination', { id: 'x', tenant: 'a' }, { preset: 'one' }),
      singleJob('webhook', { id: 'x', tenant: 'a' }),
    ];
    await enqueue(queue, database, [sent, told, chunk('x', 0)]);
    const running = (await queue.claim({ lane: 'destination' }))!;
    await database.transaction((tx) => queue.cancel('x', null, tx));
    assert.equal(await queue.claim(), null);
    assert.equal(await queue.heartbeat(running), true);
    await database.transaction((tx) => queue.drop([sent, told, singleJob('fetch', { id: 'x', tenant: 'never' })], tx));
    assert.equal(await queue.heartbeat(running), false);
    assert.equal(await queue.claim({ lane: 'webhook' }), null);
  });

  test(`${adapter}: a signal cancels waiting for work`, async (t) => {
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

/** A chunk of the only tenant. Its id is its export and number. */
export function chunk(exportId: string, number: number, priority = 0): Job {
  const what = { kind: 'chunks', presets: ['p'], chunks: { first: number, count: 1 } } as const;
  return { id: `${exportId}/${number}`, tenant: 'default', exportId, ...what, priority };
}

/** Two chunks for several outputs. */
function shared(exportId: string, first: number, presets: readonly string[]): Job {
  const what = { kind: 'chunks', presets, chunks: { first, count: 2 } } as const;
  return { id: `${exportId}/shared/${first}`, tenant: chunk(exportId, 0).tenant, exportId, ...what, priority: 200 };
}

function enqueue(queue: JobQueue, database: Database, jobs: readonly Job[]): Promise<void> {
  return database.transaction((tx) => queue.enqueue(jobs, tx));
}

function complete(queue: JobQueue, database: Database, attempt: Attempt): Promise<boolean> {
  return database.transaction((tx) => queue.complete(attempt, tx));
}

function fail(queue: JobQueue, database: Database, attempt: Attempt, final = false): Promise<string> {
  return database.transaction((tx) => queue.fail(attempt, 'it broke', final, tx));
}

async function mustClaim(queue: JobQueue): Promise<Attempt> {
  const attempt = await queue.claim();
  assert.ok(attempt, 'there is nothing to claim');
  return attempt;
}

/** Claims and completes all there is; the ids in that order. */
async function drain(queue: JobQueue, database: Database): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const attempt = await queue.claim();
    if (attempt === null) return ids;
    ids.push(attempt.job.id);
    assert.equal(await complete(queue, database, attempt), true);
  }
}

function byId(one: Job | undefined, other: Job | undefined): number {
  return one!.id < other!.id ? -1 : 1;
}
