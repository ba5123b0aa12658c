import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Transaction } from '../database.ts';
import { ChangeHub } from '../nodes/change-hub.ts';
import type { Changes } from '../nodes/node-store.ts';
import { connectionName } from './postgres-schema.ts';
import { preparedStatement } from './postgres-transaction.ts';

/** The kinds of notices. */
type Channel = 'changes' | 'jobs' | 'cancelled' | 'overtaken' | 'drafts';

/** Receives a notice of another process; null if notices may have been lost. */
type OnNotice = (payload: string | null) => void;

const CHANNEL = 'tiercut';
const RECONNECT_MS = 500;
/** A connection that does not respond for this long counts as lost. */
const SIGN_OF_LIFE_MS = 5_000;
/** The server accepts 8,000 bytes at a time. */
const MAX_BYTES = 7_000;

/**
 * Sends notices between processes, by LISTEN and NOTIFY. They are only hints: notices are lost while the connection is
 * down, so listeners also poll. They are sent outside of the transactions that they are about, because NOTIFY would
 * make those commit one after the other.
 */
export class PostgresNotices implements AsyncDisposable {
  readonly #url: string;
  readonly #pool: pg.Pool;
  /** The sender id; a process ignores its own notices. */
  readonly #self = randomUUID().slice(0, 8);
  readonly #listeners = new Map<Channel, Set<OnNotice>>();
  readonly #stop = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  readonly #listening: Promise<void>;
  #said = new Set<string>();
  #sending: Promise<void> | null = null;

  /**
   * Listens from then on, or as soon as the server is reachable.
   *
   * @param url of dedicated connections: a pooler that shares them would lose notices.
   */
  static async open(url: string, pool: pg.Pool): Promise<PostgresNotices> {
    const notices = new PostgresNotices(url, pool);
    await notices.#begun.promise;
    return notices;
  }

  private constructor(url: string, pool: pg.Pool) {
    this.#url = url;
    this.#pool = pool;
    this.#listening = this.#listen();
  }

  /** Receives the notices of other processes until disposed. */
  on(channel: Channel, listener: OnNotice): void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
  }

  /** Sends a notice to all other processes, soon. Duplicates are merged. */
  say(channel: Channel, payload = ''): void {
    if (this.#stop.signal.aborted) return;
    this.#said.add(`${channel} ${payload}`);
    this.#sending ??= this.#send();
  }

  /** Sends pending notices first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sending;
    this.#stop.abort();
    await this.#listening;
  }

  /** Sends at once; notices that arrive meanwhile are sent together afterwards. */
  async #send(): Promise<void> {
    while (this.#said.size > 0) {
      const notices = batches([...this.#said]).map((batch) => JSON.stringify([this.#self, ...batch]));
      this.#said = new Set();
      // Notices do not have to be durable.
      const sql = `select pg_notify('${CHANNEL}', notice), set_config('synchronous_commit', 'off', true)
                   from jsonb_array_elements_text($1) as notice`;
      // The database is unreachable; other processes poll until it is back.
      await this.#pool.query(preparedStatement(sql, [JSON.stringify(notices)])).catch(() => {});
    }
    this.#sending = null;
  }

  /** One loop, one connection: reconnecting from event handlers multiplies connections while the server is down. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop;
    const stopped = once(signal, 'abort');
    while (!signal.aborted) {
      const client = new pg.Client({
        connectionString: this.#url,
        keepAlive: true,
        application_name: connectionName('listen'),
      });
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      client.on('error', () => end());
      client.on('end', () => end());
      client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
      try {
        await client.connect();
        await client.query(`listen ${CHANNEL}`);
        for (const listener of [...this.#listeners.values()].flatMap((all) => [...all])) listener(null);
        this.#begun.resolve();
        if (!signal.aborted) await Promise.race([ended, stopped, this.#silenceOf(client, signal)]);
      } catch {} // not connected yet, or no longer: listeners poll meanwhile
      this.#begun.resolve();
      await client.end().catch(() => {});
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Resolves once the server no longer responds. */
  async #silenceOf(client: pg.Client, signal: AbortSignal): Promise<void> {
    for (let answers = true; answers && !signal.aborted; ) {
      await sleep(SIGN_OF_LIFE_MS, undefined, { signal }).catch(() => {});
      const asked = client.query('select 1').then(
        () => true,
        () => false,
      );
      answers = await Promise.race([asked, sleep(SIGN_OF_LIFE_MS, false, { ref: false })]);
    }
  }

  #hear(payload: string): void {
    const [speaker, ...said] = JSON.parse(payload) as string[];
    if (speaker === this.#self) return;
    for (const text of said) {
      const end = text.indexOf(' ');
      for (const listener of this.#listeners.get(text.slice(0, end) as Channel) ?? []) listener(text.slice(end + 1));
    }
  }
}

function batches(said: readonly string[]): string[][] {
  const all: string[][] = [];
  let bytes = 0;
  for (const text of said) {
    const size = Buffer.byteLength(JSON.stringify(text)) + 1;
    if (all.length === 0 || bytes + size > MAX_BYTES) {
      all.push([]);
      bytes = 0;
    }
    all.at(-1)!.push(text);
    bytes += size;
  }
  return all;
}

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
