import type { Transaction } from '../database.ts';
import { type Attempt, countTries } from '../job-queue.ts';
import type { WakeUp } from '../nodes/wake-up.ts';
import { NOW_MS, type TakenJob, takeFrom } from './boss-inside.ts';
import { JOB_COLUMNS, type JobRow, jobOf } from './boss-jobs.ts';
import type { PostgresDatabase } from './postgres-database.ts';

/** Read after the claim, not in the same statement: concurrent changes of a waiting job are committed by then. */
const JOBS = `
  select k.engine_id, ${JOB_COLUMNS}, ${NOW_MS} - k.added_at_ms as waited_ms from jobs k
  where k.engine_id = any (array(select jsonb_array_elements_text($1)::uuid))`;

interface Asking {
  readonly resolve: (attempt: Attempt | null) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Claims jobs from the engine so that tenants take turns among all workers of this process. Claims are sequential,
 * because two claims with the same last tenant would serve one tenant twice.
 */
export class BossTurns {
  readonly #database: PostgresDatabase;
  readonly #statement: string;
  readonly #wakeUp: WakeUp;
  readonly #maxAttempts: number;
  #asking: Asking[] = [];
  #serving: Promise<void> | null = null;
  /** The tenant of the last turn. */
  #last = '';
  /** The count of the wake-up when nothing was found. */
  #emptyAt = -1;

  /** @param table the table of the queue */
  constructor(database: PostgresDatabase, table: string, wakeUp: WakeUp, maxAttempts: number) {
    this.#database = database;
    this.#statement = takeFrom(table);
    this.#wakeUp = wakeUp;
    this.#maxAttempts = maxAttempts;
  }

  /** The count of the wake-up when nothing was found. */
  get emptyAt(): number {
    return this.#emptyAt;
  }

  /** null if nothing is due. */
  take(): Promise<Attempt | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Attempt | null>();
    this.#asking.push({ resolve, reject });
    this.#serving ??= this.#serve();
    return promise;
  }

  /** Resolves when all callers have a result. */
  async close(): Promise<void> {
    await this.#serving;
  }

  /**
   * If the queue was empty, the first caller gets the first job at once; if it has many jobs, all callers get theirs in
   * one transaction.
   */
  async #serve(): Promise<void> {
    let plenty = false;
    while (this.#asking.length > 0) {
      const asking: readonly Asking[] = this.#asking.splice(0, plenty ? this.#asking.length : 1);
      try {
        const taken = await this.#take(asking.length);
        plenty = taken.length === asking.length;
        for (const { resolve } of asking.slice(taken.length)) resolve(null);
        // The next claim does not wait for the rows of these jobs.
        void this.#handOver(taken, asking);
      } catch (cause) {
        // The result is unknown, so there may be jobs.
        this.#emptyAt = -1;
        for (const { reject } of asking) reject(cause);
      }
    }
    this.#serving = null;
  }

  /** Claims up to `max` jobs. */
  async #take(max: number): Promise<TakenJob[]> {
    // Read before the query, and before the transaction's own time: jobs enqueued in between ring.
    const { count } = this.#wakeUp;
    if (this.#emptyAt === count) return [];
    if (max === 1) return this.#several(1, count, this.#database);
    return this.#database.transaction((tx) => this.#several(max, count, tx));
  }

  async #several(max: number, count: number, tx: Transaction): Promise<TakenJob[]> {
    const taken: TakenJob[] = [];
    while (taken.length < max) {
      const next = await this.#next(count, tx);
      if (next === null) break;
      taken.push(next);
    }
    return taken;
  }

  async #next(count: number, tx: Transaction): Promise<TakenJob | null> {
    const [taken] = await tx.query<TakenJob>(this.#statement, [this.#last]);
    if (taken === undefined) this.#emptyAt = count;
    else this.#last = taken.group_id;
    return taken ?? null;
  }

  async #handOver(taken: readonly TakenJob[], asking: readonly Asking[]): Promise<void> {
    if (taken.length === 0) return;
    try {
      const ids = JSON.stringify(taken.map(({ id }) => id));
      const rows = await this.#database.query<JobRow & { engine_id: string }>(JOBS, [ids]);
      const known = new Map(rows.map((row) => [row.engine_id, row]));
      for (const [place, { id, priority, retry_count: retryCount }] of taken.entries()) {
        const { resolve, reject } = asking[place]!;
        const row = known.get(id);
        if (row === undefined) {
          // The job was dropped just now, so another is claimed instead.
          this.take().then(resolve, reject);
          continue;
        }
        const deaths = retryCount - row.released - row.failed;
        const tries = countTries({ failed: row.failed, deaths }, this.#maxAttempts);
        const waitedMs = Math.max(0, row.waited_ms);
        resolve({ job: jobOf(row, priority), token: retryCount + 1, waitedMs, ...tries });
      }
    } catch (cause) {
      for (const { reject } of asking) reject(cause);
    }
  }
}
