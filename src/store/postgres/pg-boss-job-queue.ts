import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Transaction } from '../database.ts';
import { type Attempt, type FailureOutcome, type Job, type JobQueue, PRIORITY } from '../job-queue.ts';
import { WakeUp } from '../nodes/wake-up.ts';
import { copySlowest } from './boss-copies.ts';
import { bossEngine, engineId, within } from './boss-engine.ts';
import {
  countJobs,
  ENGINE_JOB,
  isOurs,
  QUEUE,
  queueTable,
  raiseJobs,
  readQueue,
  WITH_ENGINE_JOB,
} from './boss-inside.ts';
import { addJobs, divideJob, freshJob, setOutputApart } from './boss-jobs.ts';
import { tidyJobs } from './boss-tidying.ts';
import { BossTurns } from './boss-turns.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import type { PostgresNotices } from './postgres-notices.ts';

const DEFAULTS = {
  /** A try without a heartbeat for this long counts as dead. A raise lasts as long. */
  leaseSeconds: 30,
  /** Including the first one. (C35) */
  maxAttempts: 3,
  /** The pause before the second try; it doubles with each further one. */
  backoffMs: 1_000,
  /** A job that has waited this long has at least this priority, so that nothing starves. (C12) */
  patience: { ms: 600_000, priority: PRIORITY.selected as number },
  /** How often each process polls: expired leases are not announced, and notices can be lost. */
  lookEveryMs: 2_000,
  /** Called in every process. A fast hint only; the heartbeat is authoritative. */
  onCancelled: (_exportId: string): void => {},
  /** Another node has finished a copy of this job first. Also a hint. */
  onOvertaken: (_jobId: string): void => {},
};

/**
 * Jobs in pg-boss, in the database of the records. The engine hands them out and cleans up; its retry count fences off
 * workers that have lost their lease. The tries of a job are counted here: a limit of the engine would count releases,
 * and would end a job outside our transaction.
 */
export class PgBossJobQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #database: PostgresDatabase;
  readonly #notices: PostgresNotices;
  readonly #options: typeof DEFAULTS;
  readonly #wakeUp = new WakeUp();
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;
  readonly #turns: BossTurns;
  #tidying: Promise<void> = Promise.resolve();
  /** Jobs become slow only with time, so one check after each tidying is enough for all workers. */
  #looksForCopies = true;

  /** The tables must exist; `migratePostgres` creates them. */
  static async open(
    database: PostgresDatabase,
    notices: PostgresNotices,
    options: Partial<typeof DEFAULTS> = {},
  ): Promise<PgBossJobQueue> {
    const boss = bossEngine(database.pool, { migrate: false });
    await boss.start();
    await readQueue(boss);
    const table = await queueTable(database.pool);
    return new PgBossJobQueue(boss, { database, table, notices }, { ...DEFAULTS, ...options });
  }

  private constructor(
    boss: PgBoss,
    { database, table, notices }: { database: PostgresDatabase; table: string; notices: PostgresNotices },
    options: typeof DEFAULTS,
  ) {
    this.#boss = boss;
    this.#database = database;
    this.#notices = notices;
    this.#options = options;
    this.#turns = new BossTurns(database, table, this.#wakeUp, options.maxAttempts);
    notices.on('jobs', (pauseMs) => this.#ringAfter(Number(pauseMs ?? 0)));
    notices.on('cancelled', (exportId) => {
      if (exportId !== null) options.onCancelled(exportId);
    });
    notices.on('overtaken', (jobId) => {
      if (jobId !== null) options.onOvertaken(jobId);
    });
    this.#looking = this.#look();
  }

  get heartbeatMs(): number {
    return (this.#options.leaseSeconds * 1000) / 3;
  }

  async enqueue(jobs: readonly Job[], tx: Transaction): Promise<void> {
    if (jobs.length === 0) return;
    if (await addJobs(this.#boss, jobs.map(freshJob), this.#options.leaseSeconds, tx)) this.#announce(tx);
  }

  claim(): Promise<Attempt | null> {
    return this.#turns.take();
  }

  async claimCopy(running: ReadonlySet<string>): Promise<Attempt | null> {
    if (!this.#looksForCopies) return null;
    this.#looksForCopies = false;
    const copy = await copySlowest(running, this.#database);
    this.#looksForCopies = copy !== null;
    return copy;
  }

  async heartbeat(attempt: Attempt): Promise<boolean> {
    return isOurs(await this.#boss.touch(QUEUE, fence(attempt)));
  }

  async complete(attempt: Attempt, tx: Transaction): Promise<boolean> {
    const isDone = isOurs(await this.#boss.complete(QUEUE, fence(attempt), null, within(tx)));
    if (isDone && attempt.isCopy) tx.afterCommit(() => this.#notices.say('overtaken', attempt.job.id));
    return isDone;
  }

  async fail(attempt: Attempt, reason: string, final: boolean, tx: Transaction): Promise<FailureOutcome> {
    const { failures, isCopy } = attempt;
    if (isCopy) return 'lost';
    if (final || failures + 1 >= this.#options.maxAttempts) {
      return isOurs(await this.#boss.cancel(QUEUE, fence(attempt), within(tx))) ? 'failed' : 'lost';
    }
    return (await this.#putBack(attempt, reason, tx)) === null ? 'lost' : 'retried';
  }

  async release(attempt: Attempt): Promise<void> {
    await this.#database.transaction((tx) => this.#putBack(attempt, null, tx));
  }

  async divide(attempt: Attempt, reason: string | null, tx: Transaction): Promise<boolean> {
    const pauseMs = await this.#putBack(attempt, reason, tx);
    if (pauseMs === null) return false;
    await divideJob(this.#boss, attempt, { pauseMs, leaseSeconds: this.#options.leaseSeconds }, tx);
    return true;
  }

  async setApart(exportId: string, preset: string, restPriority: number, tx: Transaction): Promise<void> {
    const { patience, leaseSeconds } = this.#options;
    await setOutputApart(this.#boss, { exportId, preset }, { priority: restPriority, patience, leaseSeconds }, tx);
    // More jobs wait now, so idle workers wake up.
    this.#announce(tx);
  }

  async cancel(exportId: string, preset: string | null, tx: Transaction): Promise<void> {
    if (preset !== null) {
      await tx.query('update jobs set presets = presets - $2::text where export_id = $1 and presets ? $2', [
        exportId,
        preset,
      ]);
    }
    const which = preset === null ? '' : `and kind <> 'sound' and presets = '[]'`;
    const dropped = await tx.query<{ id: string }>(
      `delete from jobs where export_id = $1 ${which} returning engine_id as id`,
      [exportId],
    );
    if (dropped.length === 0) return;
    await this.#boss.deleteJob(
      QUEUE,
      dropped.map(({ id }) => id),
      within(tx),
    );
    if (preset !== null) return;
    tx.afterCommit(() => {
      this.#options.onCancelled(exportId);
      this.#notices.say('cancelled', exportId);
    });
  }

  async raise(exportId: string, preset: string | null, priority: number, tx: Transaction): Promise<void> {
    await raiseJobs({ exportId, preset }, { priority, lastsMs: this.#options.leaseSeconds * 1000 }, tx);
  }

  async isRunning(exportId: string, tx: Transaction): Promise<boolean> {
    const running = await tx.query(
      `select 1 from jobs k ${WITH_ENGINE_JOB} where k.export_id = $1 and ${ENGINE_JOB.isActive} limit 1`,
      [exportId],
    );
    return running.length > 0;
  }

  count(): Promise<{ waiting: number; running: number }> {
    return countJobs(this.#database.committed);
  }

  async changed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // A job may have been enqueued since the last claim that found nothing.
    if (this.#turns.emptyAt !== this.#wakeUp.count) return;
    await this.#wakeUp.wait(this.#turns.emptyAt, Number.POSITIVE_INFINITY, signal);
  }

  /** Applies what follows from time alone, unless another process is doing it. */
  tidy(): Promise<void> {
    const tidied = this.#tidying.then(() => this.#tidy());
    this.#tidying = tidied.catch(() => {});
    return tidied;
  }

  async #tidy(): Promise<void> {
    if (await tidyJobs(this.#boss, this.#database, this.#options)) this.#notices.say('jobs');
    this.#looksForCopies = true;
    this.#wakeUp.ring();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#looking;
    await this.#turns.close();
    this.#wakeUp.close();
    await this.#boss.stop({ graceful: false });
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(this.#options.lookEveryMs, undefined, { signal }).catch(() => {});
      // The database is unreachable: the next caller gets the error.
      if (!signal.aborted) await this.tidy().catch(() => this.#wakeUp.ring());
    }
  }

  /** Ends a try and releases its job, with a pause if it has failed. Returns the pause; null if the lease is lost. */
  async #putBack(attempt: Attempt, reason: string | null, tx: Transaction): Promise<number | null> {
    if (attempt.isCopy) return null;
    if (!isOurs(await this.#boss.fail(QUEUE, fence(attempt), { reason }, within(tx)))) return null;
    const pauseMs = reason === null ? 0 : this.#options.backoffMs * 2 ** attempt.failures;
    const counted = reason === null ? 'released' : 'failed';
    await tx.query(`update jobs set ${counted} = ${counted} + 1 where id = $1`, [attempt.job.id]);
    if (reason !== null) {
      const later = { id: engineId(attempt.job.id), startAfter: `${pauseMs} ms` };
      await this.#boss.update(QUEUE, undefined, { ...later, ...within(tx) });
    }
    this.#announce(tx, pauseMs);
    return pauseMs;
  }

  /** After the commit, tells all processes that there may be a job, after the pause. */
  #announce(tx: Transaction, pauseMs = 0): void {
    tx.afterCommit(() => {
      this.#ringAfter(pauseMs);
      this.#notices.say('jobs', `${pauseMs}`);
    });
  }

  #ringAfter(pauseMs: number): void {
    if (pauseMs === 0) this.#wakeUp.ring();
    else setTimeout(() => this.#wakeUp.ring(), pauseMs).unref();
  }
}

/** Identifies a try for the engine, which counts from zero. */
function fence({ job, token }: Attempt): { id: string; retryCount: number } {
  return { id: engineId(job.id), retryCount: token - 1 };
}
