import type { Transaction } from '../database.ts';

const ASK_EVERY_MS = 60_000;
/** An answer is taken for the middle of its round trip, and may be wrong by half of it. */
const SLOW_ANSWER_MS = 1_000;

/**
 * The time of the database's server. All nodes go by it: what one of them writes down by a clock that somebody has set would expire
 * early, or look old, to the others. Between two looks it passes as this process's own time does, evenly. (H30)
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
    // While the server is away, time passes as before.
    this.#asking = setInterval(() => void this.ask().catch(() => {}), ASK_EVERY_MS).unref();
  }

  now(): number {
    return Math.round((this.#aheadMs ?? 0) + performance.now());
  }

  /** Looks what time it is. A slow answer counts only where there is no other. */
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
