import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { preparedStatement } from './prepared-statement.ts';

/** What processes tell each other. */
type Channel = 'changes' | 'jobs' | 'cancelled' | 'overtaken' | 'webhooks' | 'drafts';

/** Told what another process has said; null where something may have been missed. */
type OnNotice = (payload: string | null) => void;

const CHANNEL = 'tiercut';
const RECONNECT_MS = 500;
/** A connection that does not answer for so long is as good as gone. */
const SIGN_OF_LIFE_MS = 5_000;
/** The server takes 8,000 bytes at a time. */
const MOST_BYTES = 7_000;

/**
 * Lets processes tell each other what has just happened, by LISTEN and NOTIFY. A hint and no more: what is said while the
 * connection is down is lost, so listeners also poll at intervals. Nothing is said inside the
 * transactions it is about: those would then have to commit one after the other.
 */
export class PostgresNotices implements AsyncDisposable {
  readonly #url: string;
  readonly #pool: pg.Pool;
  /** Who says it: nobody listens to himself. */
  readonly #self = randomUUID().slice(0, 8);
  readonly #listeners = new Map<Channel, Set<OnNotice>>();
  readonly #stop = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  readonly #listening: Promise<void>;
  #said = new Set<string>();
  #sending: Promise<void> | null = null;

  /**
   * Listens from then on, or as soon as the server is there.
   *
   * @param url of connections that stay with this process: a pooler that lends them out would lose what is said.
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

  /** Hears what other processes say, until the end. */
  on(channel: Channel, listener: OnNotice): void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
  }

  /** Tells all other processes, soon. Said twice at once is said once. */
  say(channel: Channel, payload = ''): void {
    if (this.#stop.signal.aborted) return;
    this.#said.add(`${channel} ${payload}`);
    this.#sending ??= this.#send();
  }

  /** What was said last still goes out. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sending;
    this.#stop.abort();
    await this.#listening;
  }

  /** At once; whatever is said meanwhile goes out together, after it. */
  async #send(): Promise<void> {
    while (this.#said.size > 0) {
      const notices = batches([...this.#said]).map((batch) => JSON.stringify([this.#self, ...batch]));
      this.#said = new Set();
      // Nothing of it has to be on the disk before it goes out.
      const sql = `select pg_notify('${CHANNEL}', notice), set_config('synchronous_commit', 'off', true)
                   from jsonb_array_elements_text($1) as notice`;
      // The database is away: others look by themselves until it is back.
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
        application_name: 'tiercut listen',
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

  /** Resolves once the server has stopped to answer. */
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
    if (all.length === 0 || bytes + size > MOST_BYTES) {
      all.push([]);
      bytes = 0;
    }
    all.at(-1)!.push(text);
    bytes += size;
  }
  return all;
}
