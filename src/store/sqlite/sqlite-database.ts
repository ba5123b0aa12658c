import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Database, SqlValue, Transaction } from '../database.ts';
import { requireFolder } from '../disk/require-folder.ts';
import { FolderLock } from './folder-lock.ts';
import { requireRecords } from './require-records.ts';
import { databaseCorrupt, sqliteError } from './sqlite-error.ts';
import { MIGRATIONS, migrate } from './sqlite-schema.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';

const DATABASE = 'tiercut.db';
/** How long to wait for an operator's own look into the file. */
const BUSY_TIMEOUT_MS = 5_000;
/** How long statements may follow each other before everything else in the process gets its turn. */
const AT_A_STRETCH_MS = 10;

/** A statement kept for the next time, and how many parameters it wants. */
interface Prepared {
  readonly statement: StatementSync;
  readonly parameters: number;
}

/**
 * Records and jobs in a file of their own, through one connection: whoever comes while a transaction is open waits for
 * its end. A statement blocks the process while it runs, so all of them are short.
 */
export class SqliteDatabase implements Database {
  readonly #connection: DatabaseSync;
  readonly #lock: FolderLock;
  readonly #prepared = new Map<string, Prepared>();
  readonly #within = new AsyncLocalStorage<SqliteTransaction>();
  #tail: Promise<unknown> = Promise.resolve();
  #stretchBeganMs = 0;
  #closing: Promise<void> | null = null;

  /**
   * Takes the folder (made where there is none) and brings its database up to the newest schema.
   *
   * @throws `store.locked` where another process has it; `store.corrupt`; `store.newer_schema`; `store.records_missing`.
   */
  static async open(folder: string, migrations: readonly string[] = MIGRATIONS): Promise<SqliteDatabase> {
    await requireFolder(folder);
    const lock = FolderLock.take(folder);
    try {
      await requireRecords(folder, DATABASE);
      return new SqliteDatabase(connect(join(folder, DATABASE), migrations), lock);
    } catch (cause) {
      lock[Symbol.dispose]();
      throw sqliteError(cause);
    }
  }

  private constructor(connection: DatabaseSync, lock: FolderLock) {
    this.#connection = connection;
    this.#lock = lock;
  }

  query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#inTurn(() => this.#run<Row>(sql, parameters));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#exec('begin immediate');
      const tx = new SqliteTransaction((sql, parameters) => this.#run(sql, parameters));
      try {
        const result = await this.#within.run(tx, () => work(tx));
        tx.open = false;
        this.#exec('commit');
        tx.tellAll();
        return result;
      } catch (cause) {
        tx.open = false;
        // Some failures, a full disk among them, have undone it already.
        if (this.#connection.isTransaction) this.#exec('rollback');
        throw cause;
      }
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#tail.then(() => {
      this.#connection.close();
      this.#lock[Symbol.dispose]();
    });
    return this.#closing;
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new Error('the database is closed'));
    // Waiting for one's own end would stop the whole service without a word.
    if (this.#within.getStore()?.open) return Promise.reject(new Error('inside a transaction, ask the transaction'));
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => {}).then(() => this.#breathe());
    return result;
  }

  /** Nothing here ever waits for the disk in the event loop's eyes: who asks again and again would starve sockets and files. */
  async #breathe(): Promise<void> {
    if (performance.now() - this.#stretchBeganMs < AT_A_STRETCH_MS) return;
    await setImmediate();
    this.#stretchBeganMs = performance.now();
  }

  #run<Row extends object>(sql: string, parameters: readonly SqlValue[]): Row[] {
    try {
      const { statement, parameters: wanted } = this.#prepare(sql);
      if (wanted !== parameters.length)
        throw new Error(`${wanted} parameters wanted, ${parameters.length} given: ${sql}`);
      const named = Object.fromEntries(parameters.map((value, index) => [`$${index + 1}`, value]));
      return statement.all(named).map((row) => ({ ...row }) as Row);
    } catch (cause) {
      throw sqliteError(cause);
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    // SQLite takes a parameter nobody gave for null.
    const parameters = Math.max(0, ...Array.from(sql.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
    const prepared = { statement: this.#connection.prepare(sql), parameters };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #exec(sql: string): void {
    try {
      this.#connection.exec(sql);
    } catch (cause) {
      throw sqliteError(cause);
    }
  }
}

function connect(file: string, migrations: readonly string[]): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    // FULL: with NORMAL, a power cut takes what was acknowledged last.
    connection.exec('pragma journal_mode = wal; pragma synchronous = full');
    const [health] = connection.prepare('pragma quick_check(1)').all();
    if (health?.quick_check !== 'ok') throw databaseCorrupt(new Error(String(health?.quick_check)));
    migrate(connection, migrations);
    return connection;
  } catch (cause) {
    connection.close();
    throw cause;
  }
}
