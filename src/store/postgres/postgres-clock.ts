import type { Transaction } from '../database.ts';

const ASK_EVERY_MS = 60_000;
/** The time of a response counts as the middle of its round trip; the error is up to half of it. */
const SLOW_ANSWER_MS = 1_000;

/**
 * The time of the database server, which all nodes use: times written with a wrong local clock would expire early or
 * look old on other nodes. Between two queries it advances with this process's monotonic clock. (H30)
 */
export class PostgresClock implements Disposable {
  readonly #database: Transaction;
  readonly #asking: NodeJS.Timeout;
  /** How far it is ahead of `performance.now()`. */
  #aheadMs: number | null = null;

  static async open(database: Transaction): Promise<PostgresClock> {
    const clock = new PostgresClock(database);
    try {
      await clock.ask();
    } catch (cause) {
      clock[Symbol.dispose]();
      throw cause;
    }
    return clock;
  }

  private constructor(database: Transaction) {
    this.#database = database;
    // While the server is unreachable, time continues as before.
    this.#asking = setInterval(() => void this.ask().catch(() => {}), ASK_EVERY_MS).unref();
  }

  now(): number {
    return Math.round((this.#aheadMs ?? 0) + performance.now());
  }

  /** Queries the time. A slow response counts only if there is no other. */
  async ask(): Promise<void> {
    const askedMs = performance.now();
    const [row] = await this.#database.query<{ now_ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms',
    );
    const answeredMs = performance.now();
    if (this.#aheadMs !== null && answeredMs - askedMs > SLOW_ANSWER_MS) return;
    this.#aheadMs = row!.now_ms - (askedMs + answeredMs) / 2;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#asking);
  }
}
