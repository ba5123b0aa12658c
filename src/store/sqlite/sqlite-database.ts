import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as loopTurned } from 'node:timers/promises';
import { ExportError } from '../../errors.ts';
import type { Database, SqlValue, Transaction } from '../database.ts';
import { FolderLock } from '../disk/folder-lock.ts';
import { requireFolder, unusableFolder } from '../disk/require-folder.ts';
import type { Schema } from '../migration/schema-state.ts';
import { RESERVE_BYTES, type RoomReserve } from '../nodes/node-store.ts';
import { storeDiskFull } from '../store-error.ts';
import { DATABASE, ReserveFile } from './reserve-file.ts';
import { databaseCorrupt, isSqliteUnopenable, SqliteConnection, sqliteError } from './sqlite-connection.ts';
import { migrateSqlite, type SqliteMigration } from './sqlite-migration.ts';
import { SQLITE_SCHEMA } from './sqlite-schema.ts';

/** How long statements may follow each other before the event loop gets a turn. */
const YIELD_AFTER_MS = 10;
/** The same before a commit, which takes long after many statements: it writes all of their pages. */
const YIELD_BEFORE_COMMIT_MS = 2;
/** A statement that writes nothing. */
const READS = /^\s*select\b/;

/**
 * Records and jobs in a local file. One connection writes: a caller waits while a transaction is open. Another one
 * reads committed data. A statement blocks the process while it runs, so all of them are short.
 */
export class SqliteDatabase implements Database {
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #lock: FolderLock;
  readonly #reserve: ReserveFile;
  /** What was done to the tables when it was opened. */
  readonly migration: SqliteMigration;
  readonly committed: Transaction = {
    query: (sql, parameters = []) => this.#read(sql, parameters),
    afterCommit: (callback) => callback(),
  };
  readonly #within = new AsyncLocalStorage<SqliteTransaction>();
  #tail: Promise<unknown> = Promise.resolve();
  /** When the first statement ran since the last turn of the event loop; null if none did. */
  #stretchBeganMs: number | null = null;
  #closing: Promise<void> | null = null;

  /**
   * Locks the folder (creates it if needed), creates the tables in a new one and migrates those of an older release.
   *
   * @throws `store.unusable_folder`; `store.locked` if another process has it; `store.corrupt`;
   * `store.schema_mismatch`; `store.records_missing`.
   */
  static async open(folder: string, schema: Schema = SQLITE_SCHEMA): Promise<SqliteDatabase> {
    await requireFolder(folder);
    using held = new DisposableStack();
    const lock = held.use(FolderLock.take(folder));
    try {
      await requireRecords(folder, DATABASE);
      const file = join(folder, DATABASE);
      const reserve = await ReserveFile.open(folder);
      const writer = held.use(new SqliteConnection(file));
      const migration = await prepare(writer, file, schema);
      const reader = held.use(new SqliteConnection(file, { readOnly: true }));
      const database = new SqliteDatabase(writer, reader, lock, reserve, migration);
      held.move();
      return database;
    } catch (error) {
      // Already converted if a statement failed.
      const cause = error instanceof ExportError ? error.cause : error;
      if (!isSqliteUnopenable(cause)) throw sqliteError(error);
      throw unusableFolder(folder, `its file "${DATABASE}" cannot be opened`, undefined, cause);
    }
  }

  private constructor(
    writer: SqliteConnection,
    reader: SqliteConnection,
    lock: FolderLock,
    reserve: ReserveFile,
    migration: SqliteMigration,
  ) {
    this.migration = migration;
    this.#writer = writer;
    this.#reader = reader;
    this.#lock = lock;
    this.#reserve = reserve;
  }

  get reserve(): RoomReserve {
    return this.#reserve;
  }

  query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#inTurn(() => this.#run<Row>(sql, parameters));
  }

  /** A single statement is committed when it has run. */
  afterCommit(callback: () => void): void {
    callback();
  }

  /** Transactions run one at a time here, so none has to lock an export. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#writer.exec('begin immediate');
      const before = this.#writer.totalChanges;
      const tx = new SqliteTransaction(async (sql, parameters) => {
        this.#beginStretch();
        const rows = this.#writer.run<never>(sql, parameters);
        // Others wait for the end of the transaction, but sockets and files do not.
        if (this.#mustYield()) await loopTurned();
        return rows;
      });
      try {
        const result = await this.#within.run(tx, () => work(tx));
        tx.open = false;
        if (this.#writer.totalChanges !== before && !this.#reserve.hasRoom()) {
          throw storeDiskFull(new Error('the rest is reserved for deletes'));
        }
        if (this.#mustYield(YIELD_BEFORE_COMMIT_MS)) await loopTurned();
        this.#beginStretch();
        this.#writer.exec('commit');
        tx.runAfterCommit();
        return result;
      } catch (cause) {
        tx.open = false;
        // Some failures, such as a full disk, have already rolled back.
        if (this.#writer.isTransaction) this.#writer.exec('rollback');
        throw cause;
      }
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#tail.then(async () => {
      await this.#reserve.keep();
      this.#reader[Symbol.dispose]();
      this.#writer[Symbol.dispose]();
      this.#lock[Symbol.dispose]();
    });
    return this.#closing;
  }

  /** A statement by itself. On a full disk it may not write, unless it is part of work that frees space. */
  #run<Row extends object>(sql: string, parameters: readonly SqlValue[]): Row[] {
    if (READS.test(sql) || this.#reserve.hasRoom()) return this.#writer.run<Row>(sql, parameters);
    this.#writer.exec('begin immediate');
    try {
      const before = this.#writer.totalChanges;
      const rows = this.#writer.run<Row>(sql, parameters);
      if (this.#writer.totalChanges !== before) throw storeDiskFull(new Error('the rest is reserved for deletes'));
      this.#writer.exec('commit');
      return rows;
    } catch (cause) {
      if (this.#writer.isTransaction) this.#writer.exec('rollback');
      throw cause;
    }
  }

  async #read<Row extends object>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    this.#requireOpen();
    if (this.#mustYield()) {
      await loopTurned();
      this.#requireOpen();
    }
    return this.#reader.run<Row>(sql, parameters);
  }

  async #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    this.#requireOpen();
    const result = this.#tail.then(() => {
      this.#beginStretch();
      return work();
    });
    this.#tail = result.catch(() => {}).then(() => (this.#mustYield() ? loopTurned() : undefined));
    return result;
  }

  #requireOpen(): void {
    if (this.#closing !== null) throw new Error('the database is closed');
    // Waiting for its own end would block the whole service silently.
    if (this.#within.getStore()?.open) throw new Error('inside a transaction, ask the transaction');
  }

  /**
   * Whether statements have followed each other for long. They never yield to the event loop, so a caller in a loop
   * would starve sockets and files.
   */
  #mustYield(afterMs = YIELD_AFTER_MS): boolean {
    return performance.now() - this.#beginStretch() >= afterMs;
  }

  /** When the first statement ran since the last turn of the event loop: now, unless one did. */
  #beginStretch(): number {
    if (this.#stretchBeganMs !== null) return this.#stretchBeganMs;
    setImmediate(() => {
      this.#stretchBeganMs = null;
    });
    this.#stretchBeganMs = performance.now();
    return this.#stretchBeganMs;
  }
}

/** @throws `store.corrupt`, `store.schema_mismatch`, `store.disk_full` */
function prepare(connection: SqliteConnection, file: string, schema: Schema): Promise<SqliteMigration> {
  // FULL: with NORMAL, a power cut loses the last acknowledged commits.
  // The log keeps the size of the reserve when it starts over. Temporary data would need space on a disk.
  const log = `pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = ${RESERVE_BYTES}`;
  connection.exec(`${log}; pragma temp_store = memory`);
  const [health] = connection.run<{ quick_check: string }>('pragma quick_check(1)', []);
  if (health?.quick_check !== 'ok') throw databaseCorrupt(new Error(String(health?.quick_check)));
  return migrateSqlite(connection, file, schema);
}

/**
 * Creates a new database only in a folder without files. Beside the files of an old database, every one of them would
 * count as an orphan and be removed, although only a mount or a step of a restore may be missing.
 *
 * @throws `store.records_missing`
 */
async function requireRecords(folder: string, database: string): Promise<void> {
  // The last writes may still be in the log beside it.
  for (const name of [database, `${database}-wal`]) if ((await sizeOf(join(folder, name))) > 0) return;
  const files = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []);
  if (!files.some((entry) => entry.isFile())) return;
  const message =
    'The data folder holds files, but the database that knows what they are is missing or empty. Restore it, or start with an empty folder.';
  throw new ExportError('internal', 'store.records_missing', message);
}

async function sizeOf(file: string): Promise<number> {
  const stats = await stat(file).catch(() => null);
  return stats?.size ?? 0;
}

type Run = <Row extends object>(sql: string, parameters: readonly SqlValue[]) => Promise<Row[]>;

/** An open transaction; using it after its end is a bug. */
class SqliteTransaction implements Transaction {
  readonly #run: Run;
  readonly #afterCommit: (() => void)[] = [];
  open = true;

  constructor(run: Run) {
    this.#run = run;
  }

  async query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    if (!this.open) throw new Error('the transaction has ended');
    return this.#run<Row>(sql, parameters);
  }

  afterCommit(run: () => void): void {
    this.#afterCommit.push(run);
  }

  /** Called after the commit. */
  runAfterCommit(): void {
    for (const run of this.#afterCommit) run();
  }
}
