import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Leader } from '../nodes/node-store.ts';
import { connectionName } from './postgres-schema.ts';

/** The server disconnects a leader that is silent for this long, and the next one takes over. */
const SILENCE_SECONDS = 15;
const SIGN_OF_LIFE_MS = 4_000;
const AGAIN_AFTER_MS = 1_000;
/** The lock space of names, which are converted to numbers. */
const SPACE = 7_403;

/**
 * The holder of an advisory lock leads. The others wait for it, each on its own connection, so that the next one takes
 * over as soon as the server knows that the first is gone: at once when it ends, and soon when it is silent.
 */
export class PostgresLeader implements Leader {
  readonly #url: string;
  readonly #onFault: (error: unknown) => void;

  constructor(url: string, onFault: (error: unknown) => void = () => {}) {
    this.#url = url;
    this.#onFault = onFault;
  }

  async run(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#lead(name, work, signal);
      } catch (error) {
        if (!signal.aborted) this.#onFault(error);
      }
      await sleep(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #lead(name: string, work: (signal: AbortSignal) => Promise<void>, outer: AbortSignal): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      application_name: connectionName(name),
      options: `-c idle_session_timeout=${SILENCE_SECONDS}s -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3`,
    });
    const lost = new AbortController();
    const lose = (): void => lost.abort();
    client.on('error', lose);
    client.on('end', lose);
    outer.addEventListener('abort', lose, { once: true });
    try {
      await client.connect();
      const ended = lost.signal.aborted ? Promise.resolve() : once(lost.signal, 'abort');
      const taken = client.query('select pg_advisory_lock($1, hashtext($2))', [SPACE, name]).then(() => true);
      taken.catch(() => {}); // an abandoned wait is disconnected below
      const isLeader = await Promise.race([taken, ended.then(() => false)]);
      if (!isLeader) return;
      const alive = this.#signsOfLife(client, lost.signal, lose);
      await work(lost.signal).finally(lose);
      await alive;
    } finally {
      outer.removeEventListener('abort', lose);
      lose();
      // A client that still waits for the lock is disconnected, which ends its request.
      await Promise.race([client.end().catch(() => {}), sleep(AGAIN_AFTER_MS, undefined, { ref: false })]);
    }
  }

  /** A connection that does not respond in time counts as lost. */
  async #signsOfLife(client: pg.Client, signal: AbortSignal, lose: () => void): Promise<void> {
    while (!signal.aborted) {
      await sleep(SIGN_OF_LIFE_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const answered = client.query('select 1').then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([answered, sleep(SIGN_OF_LIFE_MS, false, { ref: false })]))) lose();
    }
  }
}
