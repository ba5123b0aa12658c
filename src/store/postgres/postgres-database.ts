import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Database, SqlValue, Transaction, TransactionOptions } from '../database.ts';
import type { Schema } from '../migration/schema-state.ts';
import { isConflict, isConnectionFault, postgresError } from './postgres-error.ts';
import { requireSchema } from './postgres-migration.ts';
import { openPool } from './postgres-pool.ts';
import { POSTGRES_SCHEMA } from './postgres-schema.ts';
import { PostgresTransaction, queryPool, storable } from './postgres-transaction.ts';

/** How often a transaction may conflict before the caller gets the error. */
const MAX_TRIES = 6;

/** The lock spaces: one for tenants by number, one for all tenants. */
const [TENANTS, ALL_TENANTS] = [7_404, 7_405];
const CONNECTIONS = 8;
const READERS = 4;
const ENGINE_CONNECTIONS = 3;
/** The default maximum of all pools. */
export const POOLED_CONNECTIONS = CONNECTIONS + READERS + ENGINE_CONNECTIONS;

/** How many connections a process keeps. */
export interface PostgresOptions {
  /** For statements and transactions that write. */
  readonly connections?: number;
  /** For reads, so that they never wait behind writers. */
  readonly readers?: number;
  /** For the job engine. */
  readonly engineConnections?: number;
  /** How long to wait for the response to a statement. */
  readonly answerTimeoutMs?: number;
}

/**
 * Records and jobs in PostgreSQL, for any number of processes. Transactions run concurrently; those that change an
 * export lock its row first, and so take turns.
 */
export class PostgresDatabase implements Database {
  readonly pool: pg.Pool;
  /**
   * For the job engine. It makes some statements outside of the caller's transaction, which would wait for each other
   * if all connections of the pool were in use.
   */
  readonly enginePool: pg.Pool;
  readonly #readers: pg.Pool;
  readonly #within = new AsyncLocalStorage<PostgresTransaction>();
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;
  readonly committed: Transaction = {
    query: (sql, parameters = []) => this.#ask(this.#readers, sql, parameters),
    afterCommit: (callback) => callback(),
  };

  /**
   * Changes nothing in the database; `migratePostgres` creates the tables as a separate step.
   *
   * @throws `store.unreachable`, `store.schema_mismatch`
   */
  static async open(
    url: string,
    {
      connections = CONNECTIONS,
      readers = READERS,
      engineConnections = ENGINE_CONNECTIONS,
      ...options
    }: PostgresOptions = {},
    schema: Schema = POSTGRES_SCHEMA,
  ): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(
      openPool(url, { connections, schema, ...options }),
      openPool(url, { connections: readers, readOnly: true, schema, ...options }),
      openPool(url, { connections: engineConnections, schema, ...options }),
    );
    try {
      await requireSchema(database, schema);
    } catch (cause) {
      await database.close();
      throw cause;
    }
    return database;
  }

  private constructor(pool: pg.Pool, readers: pg.Pool, enginePool: pg.Pool) {
    this.pool = pool;
    this.enginePool = enginePool;
    this.#readers = readers;
  }

  query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#ask<Row>(this.pool, sql, parameters);
  }

  /** A single statement is committed when it has run. */
  afterCommit(callback: () => void): void {
    callback();
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#do(() => this.#transaction(work, options));
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { result, tx } = await this.#try(work, options);
        tx.runAfterCommit();
        return result;
      } catch (cause) {
        if (tries >= MAX_TRIES || !isConflict(cause)) throw postgresError(cause);
      }
    }
  }

  /** Waits for statements in progress. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await Promise.all([this.pool.end(), this.#readers.end(), this.enginePool.end()]);
  }

  async #try<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions) {
    const connection = await this.pool.connect();
    const faults: Error[] = []; // a connection with a fault is not reused
    const onError = (error: Error): void => void faults.push(error);
    connection.on('error', onError);
    const tx = new PostgresTransaction(connection);
    // Not awaited: the first statement of `work` is pipelined after it, and gets its response once the rows are locked.
    const begun = connection.query(beginning(options));
    begun.catch(() => {}); // reported below
    try {
      const result = await this.#within.run(tx, () => work(tx));
      tx.open = false;
      await begun;
      // A failed statement has rolled back everything, even if `work` ignored the error.
      const { command } = await connection.query('commit');
      if (command !== 'COMMIT') throw new Error('a transaction went on after one of its statements had failed');
      return { result, tx };
    } catch (failure) {
      tx.open = false;
      // If the transaction did not begin, the later statements failed because of that.
      const cause = await begun.then(
        () => failure,
        (first: unknown) => first,
      );
      // Over a broken connection no rollback can be sent; the server rolls back by itself.
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
    // Another connection would not see the changes of this transaction, and might wait for its end.
    if (this.#within.getStore()?.open) throw new Error('inside a transaction, ask the transaction');
  }
}

/** In one round trip, because the next writer waits for the row meanwhile. */
function beginning({ lockExport, lockTenant, lockAllTenants, durable = true }: TransactionOptions): string {
  const statements = ['begin'];
  if (!durable) statements.push('set local synchronous_commit = off');
  // Before the lock of a tenant, whose holder never waits for this one.
  if (lockAllTenants === true) statements.push(`select pg_advisory_xact_lock(${ALL_TENANTS}, 0)`);
  if (lockTenant !== undefined)
    statements.push(`select pg_advisory_xact_lock(${TENANTS}, hashtext(${pg.escapeLiteral(storable(lockTenant))}))`);
  if (lockExport !== undefined)
    statements.push(`select 1 from exports where id = ${pg.escapeLiteral(storable(lockExport))} for no key update`);
  return statements.join('; ');
}
