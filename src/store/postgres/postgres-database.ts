import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Database, SqlValue, Transaction, TransactionOptions } from '../database.ts';
import type { Schema } from '../schema.ts';
import { isConflict, isConnectionFault, postgresError } from './postgres-error.ts';
import { openPool } from './postgres-pool.ts';
import { POSTGRES_SCHEMA, requireSchema } from './postgres-schema.ts';
import { PostgresTransaction, queryPool, storable } from './postgres-transaction.ts';

/** How often one may get in another's way before it is the caller's to know. */
const MOST_TRIES = 6;

/** Tenants are made into numbers of one space, ours; what they have in common is a number of another. */
const [TENANTS, ALL_TENANTS] = [7_404, 7_405];
const CONNECTIONS = 8;
const READERS = 4;
/** The default maximum of both. */
export const POOLED_CONNECTIONS = CONNECTIONS + READERS;

/** How many connections a process keeps. */
export interface PostgresOptions {
  /** For statements and transactions that change something. */
  readonly connections?: number;
  /** For those who only read, so that they never stand behind the others. */
  readonly readers?: number;
  /** How long to wait for the answer to a statement. */
  readonly answerTimeoutMs?: number;
}

/**
 * Records and jobs in PostgreSQL, for any number of processes. Transactions run beside each other; those that change an
 * export take its row first, and so take turns.
 */
export class PostgresDatabase implements Database {
  /** For the job engine, which brings its own statements. */
  readonly pool: pg.Pool;
  readonly #readers: pg.Pool;
  readonly #within = new AsyncLocalStorage<PostgresTransaction>();
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;
  readonly committed: Transaction = {
    query: (sql, parameters = []) => this.#ask(this.#readers, sql, parameters),
    afterCommit: (tell) => tell(),
  };

  /**
   * Changes nothing there: tables are made by `migratePostgres`, as a step of its own.
   *
   * @throws `store.unreachable`, `store.schema_mismatch`
   */
  static async open(
    url: string,
    { connections = CONNECTIONS, readers = READERS, ...options }: PostgresOptions = {},
    schema: Schema = POSTGRES_SCHEMA,
  ): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(
      openPool(url, { connections, ...options }),
      openPool(url, { connections: readers, readOnly: true, ...options }),
    );
    try {
      await requireSchema(database, schema);
    } catch (cause) {
      await database.close();
      throw cause;
    }
    return database;
  }

  private constructor(pool: pg.Pool, readers: pg.Pool) {
    this.pool = pool;
    this.#readers = readers;
  }

  query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#ask<Row>(this.pool, sql, parameters);
  }

  /** A statement by itself is committed when it has run. */
  afterCommit(tell: () => void): void {
    tell();
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#do(() => this.#transaction(work, options));
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { result, tx } = await this.#try(work, options);
        tx.tellAll();
        return result;
      } catch (cause) {
        if (tries >= MOST_TRIES || !isConflict(cause)) throw postgresError(cause);
      }
    }
  }

  /** What is under way is brought to its end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await Promise.all([this.pool.end(), this.#readers.end()]);
  }

  async #try<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions) {
    const connection = await this.pool.connect();
    const faults: Error[] = []; // a connection that has had any is not used again
    const onError = (error: Error): void => void faults.push(error);
    connection.on('error', onError);
    const tx = new PostgresTransaction(connection);
    // Not waited for: what `work` asks first is sent behind it, and is answered once the rows are ours.
    const begun = connection.query(beginning(options));
    begun.catch(() => {}); // reported below
    try {
      const result = await this.#within.run(tx, () => work(tx));
      tx.open = false;
      await begun;
      // What has failed inside, whether or not `work` made anything of it, has undone all of it.
      const { command } = await connection.query('commit');
      if (command !== 'COMMIT') throw new Error('a transaction went on after one of its statements had failed');
      return { result, tx };
    } catch (failure) {
      tx.open = false;
      // Where it did not begin, what came behind has failed for that.
      const cause = await begun.then(
        () => failure,
        (first: unknown) => first,
      );
      // Over a network that is cut nothing can be said any more; the server undoes it by itself.
      if (isConnectionFault(cause)) onError(cause as Error);
      else await connection.query('rollback').catch(onError);
      throw cause;
    } finally {
      connection.off('error', onError);
      connection.release(faults[0]);
    }
  }

  #ask<Row extends object>(pool: pg.Pool, sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    return this.#do(() => queryPool<Row>(pool, sql, parameters));
  }

  async #do<T>(work: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    const done = work();
    this.#underWay.add(done);
    try {
      return await done;
    } finally {
      this.#underWay.delete(done);
    }
  }

  #requireOpen(): void {
    if (this.#closing !== null) throw new Error('the database is closed');
    // Another connection would not see what this transaction has done, and may have to wait for its end.
    if (this.#within.getStore()?.open) throw new Error('inside a transaction, ask the transaction');
  }
}

/** In one go: each way to the server and back is time that the next in line waits for the row. */
function beginning({ lockExport, lockTenant, lockAllTenants, durable = true }: TransactionOptions): string {
  const statements = ['begin'];
  if (!durable) statements.push('set local synchronous_commit = off');
  // Before a tenant's lock, whose holder never waits for this one.
  if (lockAllTenants === true) statements.push(`select pg_advisory_xact_lock(${ALL_TENANTS}, 0)`);
  if (lockTenant !== undefined)
    statements.push(`select pg_advisory_xact_lock(${TENANTS}, hashtext(${pg.escapeLiteral(storable(lockTenant))}))`);
  if (lockExport !== undefined)
    statements.push(`select 1 from exports where id = ${pg.escapeLiteral(storable(lockExport))} for no key update`);
  return statements.join('; ');
}
