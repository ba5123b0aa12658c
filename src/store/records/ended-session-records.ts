import type { Database } from '../database.ts';

/** Sessions that were ended early, until they expire. (C51) */
export class EndedSessionRecords {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** Also deletes expired ones, so that the table never holds more than those of one lifetime. */
  async add(id: string, expiresAtMs: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.query('delete from ended_sessions where expires_at_ms <= $1', [this.#now()]);
      await tx.query('insert into ended_sessions (id, expires_at_ms) values ($1, $2) on conflict do nothing', [
        id,
        expiresAtMs,
      ]);
    });
  }

  async has(id: string): Promise<boolean> {
    return (await this.#database.query('select 1 as found from ended_sessions where id = $1', [id])).length > 0;
  }
}
