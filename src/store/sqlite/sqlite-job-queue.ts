import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database.ts';
import type { Attempt, FailureOutcome, Job, JobKind, JobQueue } from '../job-queue.ts';
import { WakeUp } from './wake-up.ts';

/** How patient the queue is. */
export interface JobQueueOptions {
  /** An attempt that is silent for longer counts as dead. */
  readonly leaseMs?: number;
  /** The first one included. (C35) */
  readonly maxAttempts?: number;
  /** The pause before the second attempt; it doubles with each further one. */
  readonly backoffMs?: number;
  /** Need not tell the time of day, only how it passes. */
  readonly now?: () => number;
}

/** Passes evenly, whatever is done to the machine's clock: a lease must not run out because somebody has set it. */
const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

/** Of a job that waits for nothing but its turn. */
const DUE_AT_ONCE = 0;

interface JobRow {
  readonly id: string;
  readonly export_id: string;
  readonly kind: JobKind;
  readonly preset: string | null;
  readonly chunk: number | null;
  readonly priority: number;
  readonly attempt: number;
}

const JOB_COLUMNS = 'id, export_id, kind, preset, chunk, priority, attempt';

/**
 * Jobs in the database that holds the records, for one process. Nothing here polls: what happens in this process wakes the
 * waiting, and a timer stands for the next retry or lease. Since the process owns the database, whoever else holds a lease
 * is dead, and `sweep` does not wait for it to run out.
 *
 * Jobs that are done or failed stay known, so that nobody adds them again, until their export's are dropped.
 */
export class SqliteJobQueue implements JobQueue {
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #maxAttempts: number;
  readonly #backoffMs: number;
  readonly #now: () => number;
  readonly #holder = randomUUID();
  readonly #wakeUp = new WakeUp();
  /** Leases that ran out up to then have been told of: who does not sweep is not woken for them again and again. */
  #toldUntilMs = 0;

  constructor(database: Database, options: JobQueueOptions = {}) {
    this.#database = database;
    this.#leaseMs = options.leaseMs ?? 30_000;
    this.#maxAttempts = options.maxAttempts ?? 3;
    this.#backoffMs = options.backoffMs ?? 1_000;
    this.#now = options.now ?? steadyNow;
  }

  async enqueue(jobs: readonly Job[], tx: Transaction): Promise<void> {
    for (const { id, exportId, kind, preset, chunk, priority } of jobs) {
      await tx.query(
        `insert into jobs (id, export_id, kind, preset, chunk, priority, state, due_at_ms)
         values ($1, $2, $3, $4, $5, $6, 'waiting', $7) on conflict (id) do nothing`,
        [id, exportId, kind, preset, chunk, priority, DUE_AT_ONCE],
      );
    }
    // Before the caller's transaction ends: whoever wakes up and claims has to wait for that end anyway.
    this.#wakeUp.ring();
  }

  async claim(preferExport?: string): Promise<Attempt | null> {
    const now = this.#now();
    // The indexes are named: by its own lights, SQLite sorts all that is due anew for every claim.
    const [row] = await this.#database.query<JobRow>(
      `update jobs set state = 'running', attempt = attempt + 1, lease_until_ms = $2, holder = $4
       where seq = coalesce(
         (select seq from jobs indexed by jobs_export
          where state = 'waiting' and due_at_ms <= $1 and export_id = $3 and priority =
            (select priority from jobs indexed by jobs_ready
             where state = 'waiting' and due_at_ms <= $1 order by priority desc, seq limit 1)
          order by seq limit 1),
         (select seq from jobs indexed by jobs_ready
          where state = 'waiting' and due_at_ms <= $1 order by priority desc, seq limit 1))
       returning ${JOB_COLUMNS}`,
      [now, now + this.#leaseMs, preferExport ?? null, this.#holder],
    );
    return row === undefined ? null : { job: jobOf(row), attempt: row.attempt };
  }

  async claimLike({ exportId, kind, preset }: Job): Promise<Attempt | null> {
    const now = this.#now();
    const [row] = await this.#database.query<JobRow>(
      `update jobs set state = 'running', attempt = attempt + 1, lease_until_ms = $2, holder = $3
       where seq =
         (select seq from jobs indexed by jobs_export
          where state = 'waiting' and due_at_ms <= $1 and export_id = $4 and kind = $5 and preset is $6 and priority =
            (select priority from jobs indexed by jobs_ready
             where state = 'waiting' and due_at_ms <= $1 order by priority desc, seq limit 1)
          order by seq limit 1)
       returning ${JOB_COLUMNS}`,
      [now, now + this.#leaseMs, this.#holder, exportId, kind, preset],
    );
    return row === undefined ? null : { job: jobOf(row), attempt: row.attempt };
  }

  async heartbeat({ job, attempt }: Attempt): Promise<boolean> {
    const rows = await this.#database.query(
      `update jobs set lease_until_ms = $3 where id = $1 and attempt = $2 and state = 'running' returning id`,
      [job.id, attempt, this.#now() + this.#leaseMs],
    );
    return rows.length === 1;
  }

  async complete({ job, attempt }: Attempt, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `update jobs set state = 'done', lease_until_ms = null
       where id = $1 and attempt = $2 and state = 'running' returning id`,
      [job.id, attempt],
    );
    return rows.length === 1;
  }

  async fail({ job, attempt }: Attempt, reason: string, final: boolean, tx: Transaction): Promise<FailureOutcome> {
    const [row] = await tx.query<{ failures: number }>(
      `select failures from jobs where id = $1 and attempt = $2 and state = 'running'`,
      [job.id, attempt],
    );
    if (row === undefined) return 'lost';
    const pauseMs = this.#backoffMs * 2 ** row.failures;
    return this.#endBadly(job.id, reason, final ? this.#maxAttempts : row.failures + 1, pauseMs, tx);
  }

  async release({ job, attempt }: Attempt): Promise<void> {
    await this.#database.query(
      `update jobs set state = 'waiting', lease_until_ms = null, due_at_ms = $3
       where id = $1 and attempt = $2 and state = 'running'`,
      [job.id, attempt, DUE_AT_ONCE],
    );
    this.#wakeUp.ring();
  }

  async cancel(exportId: string, tx: Transaction): Promise<void> {
    await tx.query('delete from jobs where export_id = $1', [exportId]);
  }

  async raise(exportId: string, preset: string | null, priority: number, tx: Transaction): Promise<void> {
    await tx.query(
      `update jobs set priority = $3
       where export_id = $1 and state in ('waiting', 'running') and priority < $3
         and (cast($2 as text) is null or preset is null or preset = $2)`,
      [exportId, preset, priority],
    );
  }

  async sweep(tx?: Transaction): Promise<readonly Job[]> {
    if (tx === undefined) return this.#database.transaction((own) => this.sweep(own));
    await this.#endEndlessPauses(tx);
    const dead = await tx.query<JobRow & { readonly failures: number }>(
      `select ${JOB_COLUMNS}, failures from jobs indexed by jobs_lease
       where state = 'running' and (lease_until_ms <= $1 or holder <> $2) order by seq`,
      [this.#now(), this.#holder],
    );
    const failed: Job[] = [];
    for (const row of dead) {
      const outcome = await this.#endBadly(row.id, 'the worker went silent', row.failures + 1, 0, tx);
      if (outcome === 'failed') failed.push(jobOf(row));
    }
    return failed;
  }

  async changed(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // Counted before looking: what comes in between is there to be seen, or has rung, or both.
      const count = this.#wakeUp.count;
      const dueAtMs = await this.#nextDueAtMs();
      const now = this.#now();
      if (dueAtMs <= now) {
        this.#toldUntilMs = now;
        return;
      }
      if (await this.#wakeUp.wait(count, dueAtMs - now, signal)) return;
    }
  }

  async close(): Promise<void> {
    this.#wakeUp.close();
  }

  async #endBadly(
    id: string,
    reason: string,
    failures: number,
    pauseMs: number,
    tx: Transaction,
  ): Promise<'retried' | 'failed'> {
    const outcome = failures < this.#maxAttempts ? 'retried' : 'failed';
    await tx.query(
      `update jobs set state = $2, failures = $3, due_at_ms = $4, reason = $5, lease_until_ms = null where id = $1`,
      [id, outcome === 'retried' ? 'waiting' : 'failed', failures, this.#now() + pauseMs, reason],
    );
    if (outcome === 'retried') this.#wakeUp.ring();
    return outcome;
  }

  /** A pause longer than any was begun by a process whose clock has been put back since. */
  async #endEndlessPauses(tx: Transaction): Promise<void> {
    await tx.query(`update jobs indexed by jobs_due set due_at_ms = $2 where state = 'waiting' and due_at_ms > $1`, [
      this.#now() + this.#backoffMs * 2 ** this.#maxAttempts,
      DUE_AT_ONCE,
    ]);
  }

  /** When the next pause or lease ends; never (infinite) where there is none. */
  async #nextDueAtMs(): Promise<number> {
    const [row] = await this.#database.query<{ at: number | null }>(
      `select min(at) as at from (
         select min(due_at_ms) as at from jobs indexed by jobs_due where state = 'waiting'
         union all select min(lease_until_ms) from jobs indexed by jobs_lease where state = 'running' and lease_until_ms > $1) as due`,
      [this.#toldUntilMs],
    );
    return row?.at ?? Number.POSITIVE_INFINITY;
  }
}

function jobOf({ id, export_id: exportId, kind, preset, chunk, priority }: JobRow): Job {
  return { id, exportId, kind, preset, chunk, priority };
}
