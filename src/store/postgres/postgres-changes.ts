import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../database.ts';
import { ChangeHub } from '../nodes/change-hub.ts';
import type { Changes } from '../nodes/changes.ts';
import type { PostgresNotices } from './postgres-notices.ts';

/** A lost notice (a process died, or a connection was down) is detected after this time. */
const LOOK_EVERY_MS = 5_000;

/**
 * Wakes the followers of an export when any process has changed it: by notices, and by polling the revisions of all
 * followed exports in one statement.
 */
export class PostgresChanges implements Changes, AsyncDisposable {
  readonly #hub = new ChangeHub();
  readonly #notices: PostgresNotices;
  readonly #committed: Transaction;
  /** As of the last poll. */
  #revisions = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;

  constructor(notices: PostgresNotices, committed: Transaction, lookEveryMs = LOOK_EVERY_MS) {
    this.#notices = notices;
    this.#committed = committed;
    notices.on('changes', (id) => {
      if (id !== null) this.#hub.notify(id);
      else for (const each of this.#hub.followed) this.#hub.notify(each);
    });
    this.#looking = this.#lookEvery(lookEveryMs);
  }

  notify(id: string): void {
    this.#hub.notify(id);
    this.#notices.say('changes', id);
  }

  listen(id: string): { readonly next: Promise<void>; stop(): void } {
    return this.#hub.listen(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#looking;
  }

  async #lookEvery(ms: number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(ms, undefined, { signal }).catch(() => {});
      // The database is unreachable; the next poll may succeed.
      if (!signal.aborted) await this.#look().catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const { followed } = this.#hub;
    if (followed.length === 0) return this.#revisions.clear();
    const rows = await this.#committed.query<{ id: string; revision: number }>(
      'select id, revision from exports where id in (select jsonb_array_elements_text($1))',
      [JSON.stringify(followed)],
    );
    const now = new Map(rows.map(({ id, revision }) => [id, revision]));
    const before = this.#revisions;
    this.#revisions = now;
    // An export that is polled for the first time may have changed since its follower read it.
    for (const id of followed) if (!now.has(id) || now.get(id) !== before.get(id)) this.#hub.notify(id);
  }
}
