import { randomUUID } from 'node:crypto';
import type { Database, SqlValue, Transaction } from '../database.ts';
import {
  type Attempt,
  countTries,
  type FailureOutcome,
  type Job,
  type JobKind,
  type JobQueue,
  type Lane,
  laneOf,
  longestPauseMs,
  nextTryInMs,
  PATIENT_FROM,
  PRIORITY,
  RENDER,
  RETRIES,
  type Wanted,
} from '../job-queue.ts';
import { WakeUp } from '../nodes/wake-up.ts';

/** The times and limits of the queue, and its notices. */
interface JobQueueOptions {
  /** A try without a heartbeat for this long counts as dead. A raise lasts as long. */
  readonly leaseMs?: number;
  readonly retries?: typeof RETRIES;
  /** A job that has waited this long has at least this priority, so that nothing starves. (C12) */
  readonly patience?: { readonly ms: number; readonly priority: number };
  /** Called after the commit that dropped the jobs of an export. */
  readonly onCancelled?: (exportId: string) => void;
  /** Only differences count; it need not be the time of day. */
  readonly now?: () => number;
}

const DEFAULTS = {
  leaseMs: 30_000,
  retries: RETRIES,
  patience: { ms: 600_000, priority: PRIORITY.selected },
  onCancelled: (_exportId: string): void => {},
  // Monotonic, so that a change of the machine's clock does not expire a lease.
  now: (): number => Math.round(performance.timeOrigin + performance.now()),
};

/** The due time of a job without a pause. */
const DUE_NOW = 0;

/**
 * Jobs in the database of the records, for one process. Nothing here polls: events in this process wake the waiting
 * workers, and a timer covers the next retry or lease. The process owns the database, so any other holder of a lease is
 * dead, and its lease need not expire.
 * A claim first applies what follows from time alone, so that `urgency` can be read in order. Done and failed jobs stay
 * known, so that they are not enqueued again, until the jobs of their export are dropped.
 */
export class SqliteJobQueue implements JobQueue {
  readonly #database: Database;
  readonly #options: Required<JobQueueOptions>;
  readonly #holder = randomUUID();
  readonly #turns = new Map<Lane, TenantTurns>();
  readonly #wakeUp = new WakeUp();

  constructor(database: Database, options: JobQueueOptions = {}) {
    this.#database = database;
    this.#options = { ...DEFAULTS, ...options };
  }

  get heartbeatMs(): number {
    return this.#options.leaseMs / 3;
  }

  async enqueue(jobs: readonly Job[], tx: Transaction): Promise<void> {
    if (jobs.length === 0) return;
    // In one statement, because it blocks the process and a long export has a thousand jobs.
    await tx.query(
      `insert into jobs (id, tenant, export_id, kind, lane, presets, first_chunk, chunk_count, needs, priority, urgency,
         added_at_ms, state, due_at_ms)
       select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
         value ->> 8, value ->> 9, value ->> 9, $2, 'waiting', $3
       from json_each($1) where true on conflict (id) do nothing`,
      [JSON.stringify(rowsOf(jobs)), this.#options.now(), DUE_NOW],
    );
    // Before the end of the caller's transaction: a worker that wakes up waits for that end anyway.
    this.#wakeUp.ring();
  }

  claim(wanted: Wanted = RENDER): Promise<Attempt | null> {
    return this.#database.transaction(async (tx) => {
      const now = this.#options.now();
      await this.#failExpired(now, tx);
      await this.#letRaisesLapse(now, tx);
      await this.#raisePatient(now, tx);
      const next = this.#turnsOf(wanted.lane).next(await this.#firstOfEach(wanted, now, tx));
      if (next === null) return null;
      const [row] = await tx.query<JobRow>(
        `update jobs set state = 'running', attempt = attempt + 1, lease_until_ms = $2, holder = $3
         where seq = $1 returning ${JOB_COLUMNS}`,
        [next.seq, now + this.#options.leaseMs, this.#holder],
      );
      const { attempt: token, failures: failed, deaths, added_at_ms } = row!;
      // Never negative, even if the clock was set back.
      const waitedMs = Math.max(0, now - added_at_ms);
      const tries = countTries({ failed, deaths }, this.#options.retries[wanted.lane]);
      return { job: jobOf(row!), token, waitedMs, ...tries };
    });
  }

  /** All jobs run in this process: a copy would only compete with them. */
  async claimCopy(): Promise<null> {
    return null;
  }

  async heartbeat({ job, token }: Attempt): Promise<boolean> {
    const rows = await this.#database.query(
      `update jobs set lease_until_ms = $3 where id = $1 and attempt = $2 and state = 'running' returning id`,
      [job.id, token, this.#options.now() + this.#options.leaseMs],
    );
    return rows.length === 1;
  }

  async complete({ job, token }: Attempt, tx: Transaction): Promise<boolean> {
    const change =
      laneOf(job) === 'render' ? `update jobs set state = 'done', lease_until_ms = null` : 'delete from jobs';
    const sql = `${change} where id = $1 and attempt = $2 and state = 'running' returning id`;
    return (await tx.query(sql, [job.id, token])).length === 1;
  }

  async fail(attempt: Attempt, reason: string, final: boolean, tx: Transaction): Promise<FailureOutcome> {
    const { job, token, failures } = attempt;
    const { retries, now } = this.#options;
    const lane = laneOf(job);
    const pauseMs = final ? null : nextTryInMs(failures + 1, retries[lane]);
    // Its record keeps the failure of other work.
    if (pauseMs === null && lane !== 'render') return (await this.complete(attempt, tx)) ? 'failed' : 'lost';
    const failed = await tx.query(
      `update jobs set state = $3, failures = failures + 1, due_at_ms = $4, reason = $5, lease_until_ms = null
       where id = $1 and attempt = $2 and state = 'running' returning id`,
      [job.id, token, pauseMs === null ? 'failed' : 'waiting', now() + (pauseMs ?? 0), reason],
    );
    if (failed.length === 0) return 'lost';
    if (pauseMs === null) return 'failed';
    this.#wakeUp.ring();
    return 'retried';
  }

  async release({ job, token }: Attempt): Promise<void> {
    await this.#database.query(
      `update jobs set state = 'waiting', lease_until_ms = null, due_at_ms = $3
       where id = $1 and attempt = $2 and state = 'running'`,
      [job.id, token, DUE_NOW],
    );
    this.#wakeUp.ring();
  }

  async divide({ job, token, failures }: Attempt, reason: string | null, tx: Transaction): Promise<boolean> {
    const { retries, now } = this.#options;
    const [row] = await tx.query<{ seq: number; failures: number }>(
      `select seq, failures from jobs where id = $1 and attempt = $2 and state = 'running'`,
      [job.id, token],
    );
    if (row === undefined) return false;
    const failed = reason !== null;
    const dueAtMs = failed ? now() + retries.render.pauseMs(failures + 1) : DUE_NOW;
    await tx.query(
      `update jobs set state = 'waiting', failures = $2, due_at_ms = $3, reason = coalesce($4, reason), lease_until_ms = null
       where seq = $1`,
      [row.seq, row.failures + (failed ? 1 : 0), dueAtMs, reason],
    );
    await divideJob(row.seq, tx);
    this.#wakeUp.ring();
    return true;
  }

  async setApart(exportId: string, preset: string, restPriority: number, tx: Transaction): Promise<void> {
    const rest = { priority: restPriority, aged: this.#options.patience.priority };
    await setOutputApart(exportId, preset, rest, tx);
    // More jobs wait now, so idle workers wake up.
    this.#wakeUp.ring();
  }

  async cancel(exportId: string, preset: string | null, tx: Transaction): Promise<void> {
    if (preset !== null) return this.#cancelOutput(exportId, preset, tx);
    const dropped = await tx.query(`delete from jobs where export_id = $1 and lane = 'render' returning seq`, [
      exportId,
    ]);
    if (dropped.length === 0) return;
    tx.afterCommit(() => this.#options.onCancelled(exportId));
  }

  async #cancelOutput(exportId: string, preset: string, tx: Transaction): Promise<void> {
    await tx.query(
      `update jobs set presets = (select json_group_array(value) from json_each(jobs.presets) where value <> $2)
       where export_id = $1 and lane = 'render' and exists (select 1 from json_each(jobs.presets) where value = $2)`,
      [exportId, preset],
    );
    await tx.query(`delete from jobs where export_id = $1 and lane = 'render' and kind <> 'sound' and presets = '[]'`, [
      exportId,
    ]);
  }

  async drop(jobs: readonly Pick<Job, 'id'>[], tx: Transaction): Promise<void> {
    for (const { id } of jobs) await tx.query('delete from jobs where id = $1', [id]);
  }

  async raise(exportId: string, preset: string | null, priority: number, tx: Transaction): Promise<void> {
    await tx.query(
      `update jobs set urgency = max(urgency, $3), raised_until_ms = $4
       where export_id = $1 and lane = 'render' and state in ('waiting', 'running') and priority < $3
         and (cast($2 as text) is null or presets = '[]' or exists (select 1 from json_each(jobs.presets) where value = $2))`,
      [exportId, preset, priority, this.#options.now() + this.#options.leaseMs],
    );
  }

  async isRunning(exportId: string, tx: Transaction): Promise<boolean> {
    const running = await tx.query(
      `select 1 as found from jobs where export_id = $1 and lane = 'render' and state = 'running'
         and holder = $2 and lease_until_ms > $3`,
      [exportId, this.#holder, this.#options.now()],
    );
    return running.length > 0;
  }

  async count(): Promise<{ waiting: number; running: number }> {
    const [row] = await this.#database.query<{ waiting: number; running: number }>(
      `select (select count(*) from jobs where lane = 'render' and state = 'waiting') as waiting,
         (select count(*) from jobs where lane = 'render' and state = 'running') as running`,
    );
    return row!;
  }

  async changed(signal: AbortSignal, wanted: Wanted = RENDER): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // Read before the query: a job in between is found, or has rung, or both.
      const count = this.#wakeUp.count;
      const waitMs = (await this.#nextDueAtMs(wanted)) - this.#options.now();
      if (waitMs <= 0 || (await this.#wakeUp.wait(count, waitMs, signal))) return;
    }
  }

  async close(): Promise<void> {
    this.#wakeUp.close();
  }

  /**
   * Fails tries of other processes and tries with expired leases. After the last allowed death, the job can be claimed
   * only to be ended.
   */
  async #failExpired(now: number, tx: Transaction): Promise<void> {
    await tx.query(
      `update jobs indexed by jobs_lease set state = 'waiting', deaths = deaths + 1, due_at_ms = $3,
         lease_until_ms = null, reason = 'the worker went silent'
       where state = 'running' and (lease_until_ms <= $1 or holder <> $2)`,
      [now, this.#holder, DUE_NOW],
    );
  }

  /** A raise that would last longer than allowed is from before the clock was set back. */
  async #letRaisesLapse(now: number, tx: Transaction): Promise<void> {
    const { leaseMs, patience } = this.#options;
    await tx.query(
      `update jobs indexed by jobs_raised set urgency = max(priority, ${AGED} * $3), raised_until_ms = null
       where raised_until_ms is not null and (raised_until_ms <= $1 or raised_until_ms > $2)`,
      [now, now + leaseMs, patience.priority],
    );
  }

  /**
   * A job that was enqueued in the future has waited since before the clock was set back. Two statements, because an
   * `or` would scan all rows.
   */
  async #raisePatient(now: number, tx: Transaction): Promise<void> {
    const { patience } = this.#options;
    const fresh = `select seq from jobs indexed by jobs_fresh where state = 'waiting' and aged = 0`;
    await tx.query(
      `update jobs set aged = 1, urgency = max(urgency, (priority >= ${PATIENT_FROM}) * $3)
       where seq in (${fresh} and added_at_ms <= $1 union all ${fresh} and added_at_ms > $2)`,
      [now - patience.ms, now, patience.priority],
    );
  }

  #turnsOf(lane: Lane): TenantTurns {
    const turns = this.#turns.get(lane) ?? new TenantTurns();
    this.#turns.set(lane, turns);
    return turns;
  }

  /**
   * The first due job of each tenant. The index is named because SQLite would otherwise sort all waiting jobs for every
   * claim.
   */
  async #firstOfEach(
    { lane, ...wanted }: Wanted,
    now: number,
    tx: Transaction,
  ): Promise<{ tenant: string; seq: number }[]> {
    // A longer pause than allowed is from before the clock was set back.
    const values: SqlValue[] = [lane, now, now + longestPauseMs(this.#options.retries[lane])];
    const { exceptTenants, suits } = conditionsOf(wanted, values);
    const rows = await tx.query<{ tenant: string; seq: number | null }>(
      `with recursive tenants (tenant) as (
         select (select tenant from jobs indexed by jobs_turn where state = 'waiting' and lane = $1 order by tenant limit 1)
         union all
         select (select tenant from jobs indexed by jobs_turn
           where state = 'waiting' and lane = $1 and tenant > tenants.tenant order by tenant limit 1)
         from tenants where tenant is not null)
       select tenant, (select seq from jobs indexed by jobs_turn
         where state = 'waiting' and lane = $1 and tenant = tenants.tenant and (due_at_ms <= $2 or due_at_ms > $3)
           ${suits} order by urgency desc, seq limit 1) as seq
       from tenants where tenant is not null ${exceptTenants}`,
      values,
    );
    return rows.filter((row): row is { tenant: string; seq: number } => row.seq !== null);
  }

  /** When the next pause or lease ends; Infinity if there is none. */
  async #nextDueAtMs({ lane, ...wanted }: Wanted): Promise<number> {
    const values: SqlValue[] = [lane];
    const { exceptTenants, suits } = conditionsOf(wanted, values);
    const [row] = await this.#database.query<{ at: number | null }>(
      `select min(at) as at from (
         select min(due_at_ms) as at from jobs indexed by jobs_due
         where state = 'waiting' and lane = $1 ${suits} ${exceptTenants}
         union all select min(lease_until_ms) from jobs indexed by jobs_lease where state = 'running') as due`,
      values,
    );
    return row?.at ?? Number.POSITIVE_INFINITY;
  }
}

/** The conditions of a wish, whose values are added to the others. */
function conditionsOf({ except = [], has = [] }: Omit<Wanted, 'lane'>, values: SqlValue[]) {
  const bind = (value: string) => `$${values.push(value)}`;
  return {
    exceptTenants: except.length === 0 ? '' : `and tenant not in (${except.map(bind).join(', ')})`,
    suits: has.length === 0 ? 'and needs is null' : `and (needs is null or needs in (${has.map(bind).join(', ')}))`,
  };
}

/** Chooses the next tenant: of those with waiting jobs, the one served longest ago. Kept in memory only. */
class TenantTurns {
  readonly #servedAt = new Map<string, number>();
  #turn = 0;

  /**
   * Gives the turn to one of them; among those never served, to the one that has waited longest. null if none waits.
   */
  next<Waiting extends { readonly tenant: string; readonly seq: number }>(waiting: readonly Waiting[]): Waiting | null {
    let first: Waiting | null = null;
    for (const candidate of waiting) if (first === null || this.#isBefore(candidate, first)) first = candidate;
    if (first !== null) {
      this.#turn += 1;
      this.#servedAt.set(first.tenant, this.#turn);
    }
    return first;
  }

  #isBefore(one: { tenant: string; seq: number }, other: { tenant: string; seq: number }): boolean {
    const [at, otherAt] = [this.#servedAt.get(one.tenant) ?? 0, this.#servedAt.get(other.tenant) ?? 0];
    return at === otherAt ? one.seq < other.seq : at < otherAt;
  }
}

/** A row of a job and its newest try. */
interface JobRow {
  readonly id: string;
  readonly tenant: string;
  readonly export_id: string;
  readonly kind: JobKind;
  readonly presets: string;
  readonly first_chunk: number | null;
  readonly chunk_count: number | null;
  readonly needs: string | null;
  readonly urgency: number;
  readonly attempt: number;
  readonly failures: number;
  readonly deaths: number;
  readonly added_at_ms: number;
}

const JOB_COLUMNS =
  'id, tenant, export_id, kind, presets, first_chunk, chunk_count, needs, urgency, attempt, failures, deaths, added_at_ms';

/** Jobs as arrays for `enqueue`, because property names would be most of the text. */
function rowsOf(jobs: readonly Job[]): unknown[][] {
  return jobs.map((job) => {
    const { id, tenant, exportId, kind, presets, chunks, priority, needs = null } = job;
    const [first, count] = [chunks?.first ?? null, chunks?.count ?? null];
    return [id, tenant, exportId, kind, laneOf(job), JSON.stringify(presets), first, count, needs, priority];
  });
}

/** 1 for a job that has waited long and may go before others because of it. */
const AGED = `(aged and priority >= ${PATIENT_FROM})`;

/** The job of a row, with its current priority. */
function jobOf(row: JobRow): Job {
  const { id, tenant, export_id: exportId, kind, first_chunk: first, chunk_count: count, needs } = row;
  const chunks = first === null || count === null ? null : { first, count };
  const of = { id, tenant, exportId, kind, presets: JSON.parse(row.presets), chunks, priority: row.urgency };
  return { ...of, ...(needs === null ? {} : { needs }) };
}

/** The columns that a derived job copies. Its place is at the end of the queue. */
const TAKEN_OVER =
  'tenant, export_id, kind, lane, first_chunk, chunk_count, aged, added_at_ms, state, failures, deaths, due_at_ms, reason';

/** Gives each output of a job a job of its own; the first output keeps the job and its place. */
async function divideJob(seq: number, tx: Transaction): Promise<void> {
  await tx.query(
    `insert into jobs (id, presets, priority, urgency, raised_until_ms, ${TAKEN_OVER})
     with outputs (place, preset) as (select key, value from json_each((select presets from jobs where seq = $1)))
     select id || '/' || preset, json_array(preset), priority, urgency, raised_until_ms, ${TAKEN_OVER}
     from jobs, outputs where seq = $1 and place > 0 order by place`,
    [seq],
  );
  await tx.query('update jobs set presets = json_array(presets ->> 0) where seq = $1', [seq]);
}

/**
 * Takes an output out of the waiting jobs that it shares with others. It keeps their places. The rest of them is
 * enqueued again with `rest.priority` at most, or with `rest.aged` if it has aged. Uses two statements for any number
 * of jobs, because they block the process.
 */
async function setOutputApart(
  exportId: string,
  preset: string,
  rest: { readonly priority: number; readonly aged: number },
  tx: Transaction,
): Promise<void> {
  const shared = `export_id = $1 and state = 'waiting' and json_array_length(presets) > 1
    and exists (select 1 from json_each(jobs.presets) where value = $2)`;
  await tx.query(
    `insert into jobs (id, presets, priority, urgency, ${TAKEN_OVER})
     select id || '/rest', (select json_group_array(value) from json_each(jobs.presets) where value <> $2),
       min(priority, $3), max(min(priority, $3), ${AGED} * $4), ${TAKEN_OVER}
     from jobs where ${shared} order by seq`,
    [exportId, preset, rest.priority, rest.aged],
  );
  await tx.query(`update jobs set presets = json_array($2) where ${shared}`, [exportId, preset]);
}
