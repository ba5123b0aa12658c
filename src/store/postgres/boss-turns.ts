import type { Attempt } from '../job-queue.ts';
import type { WakeUp } from '../nodes/wake-up.ts';
import { NOW_MS, QUEUE } from './boss-engine.ts';
import { JOB_COLUMNS, type JobRow, jobOf } from './boss-jobs.ts';
import type { PostgresDatabase } from './postgres-database.ts';

/** Of those jobs that are due, the oldest among the most urgent that nobody is just taking: as the engine's own index has them. */
function firstDue(round: number, whose: string): string {
  return `select id, ${round} as round from (
      select j.id from pgboss.job j
      where j.name = '${QUEUE}' and j.state < 'active' and not j.blocked and j.start_after <= pgboss.job_now() and ${whose}
      order by j.priority desc, j.created_on limit 1 for update of j skip locked) as first`;
}

/**
 * What the engine's own fetch does, for the tenant whose turn it is. The engine knows no turns: asking it once for each round is
 * up to three ways to the server where this is one. A round is looked at only where those before it have found nothing.
 */
const TAKE = `
  with next as (
    select id, round from (
      ${firstDue(1, '$1::boolean and j.group_id <> all (array(select jsonb_array_elements_text($2)))')}
      union all
      ${firstDue(2, '$1::boolean and j.group_id <> $3::text')}
      union all
      ${firstDue(3, 'true')}
    ) as rounds limit 1)
  update pgboss.job j
  set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
    retry_count = case when j.started_on is null then j.retry_count else j.retry_count + 1 end
  from next where j.name = '${QUEUE}' and j.id = next.id
  returning j.id, next.round, j.group_id, j.priority, j.retry_count`;

/** Asked once the job is ours, and not together with it: whoever changes one that waits is done with it by then. */
const JOB = `select ${JOB_COLUMNS}, ${NOW_MS} - k.added_at_ms as waited_ms from jobs k where k.engine_id = $1`;

interface Taken {
  readonly id: string;
  readonly round: 1 | 2 | 3;
  readonly group_id: string;
  readonly priority: number;
  readonly retry_count: number;
}

/** Takes jobs from the engine so that tenants take turns, among all workers of this process. */
export class BossTurns {
  readonly #database: PostgresDatabase;
  readonly #wakeUp: WakeUp;
  readonly #maxAttempts: number;
  /** Tenants that have had their turn in this round, the last of them last. */
  #served: readonly string[] = [];
  #taking: Promise<unknown> = Promise.resolve();
  /** How often it had rung when nothing was found, and when nobody but the last served was. */
  #emptyAt = -1;
  #aloneAt = -1;

  constructor(database: PostgresDatabase, wakeUp: WakeUp, maxAttempts: number) {
    this.#database = database;
    this.#wakeUp = wakeUp;
    this.#maxAttempts = maxAttempts;
  }

  /** How often it had rung when nothing was found. */
  get emptyAt(): number {
    return this.#emptyAt;
  }

  /** null where nothing is due. */
  async take(): Promise<Attempt | null> {
    for (;;) {
      // One at a time: two with the same idea of whose turn it is would serve one tenant twice.
      const next = this.#taking.then(() => this.#next());
      this.#taking = next.catch(() => {});
      const taken = await next;
      if (taken === null) return null;
      const [row] = await this.#database.query<JobRow>(JOB, [taken.id]);
      // Dropped at this very moment.
      if (row === undefined) continue;
      const failures = taken.retry_count - row.released;
      const exhausted = failures >= this.#maxAttempts;
      const job = jobOf(row, taken.priority);
      return { job, token: taken.retry_count + 1, failures, waitedMs: Math.max(0, row.waited_ms), exhausted };
    }
  }

  /** Nothing is taken any more. */
  async close(): Promise<void> {
    await this.#taking;
  }

  /** First whoever was not served in this round; else a new round, and not by whoever was last where others wait. */
  async #next(): Promise<Taken | null> {
    // Counted before looking: what comes in between rings.
    const { count } = this.#wakeUp;
    if (this.#emptyAt === count) return null;
    const served = this.#served;
    const othersFirst = served.length > 0 && this.#aloneAt !== count;
    const [taken] = await this.#database.query<Taken>(TAKE, [
      othersFirst ? 'yes' : 'no',
      JSON.stringify(served),
      served.at(-1) ?? '',
    ]);
    if (taken === undefined) {
      this.#emptyAt = count;
      return null;
    }
    this.#served = taken.round === 1 ? [...served, taken.group_id] : [taken.group_id];
    if (taken.round === 3 && othersFirst) this.#aloneAt = count;
    return taken;
  }
}
