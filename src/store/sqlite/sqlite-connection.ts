import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ExportError } from '../../errors.ts';
import type { SqlValue } from '../database.ts';
import { busy, failed, storeDiskFull } from '../store-error.ts';

/** How long to wait for a lock of an operator's own connection. */
const BUSY_TIMEOUT_MS = 5_000;

/** A cached statement, its number of parameters, and its columns. */
interface Prepared {
  readonly statement: StatementSync;
  readonly parameters: number;
  readonly columns: readonly string[];
}

/** One connection to a database file, with its cached statements. Converts errors to ExportErrors. */
export class SqliteConnection implements Disposable {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(file: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.#connection = new DatabaseSync(file, {
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
      readOnly,
    });
  }

  get isTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  /** How many rows this connection has written. */
  get totalChanges(): number {
    return this.run<{ n: number }>('select total_changes() as n', [])[0]!.n;
  }

  run<Row extends object>(sql: string, parameters: readonly SqlValue[]): Row[] {
    try {
      const { statement, parameters: wanted, columns } = this.#prepare(sql);
      if (wanted !== parameters.length)
        throw new Error(`${wanted} parameters wanted, ${parameters.length} given: ${sql}`);
      const named = Object.fromEntries(parameters.map((value, index) => [`$${index + 1}`, value]));
      return (statement.all(named) as unknown as SqlValue[][]).map((values) => rowOf<Row>(columns, values));
    } catch (cause) {
      throw sqliteError(cause);
    }
  }

  exec(sql: string): void {
    try {
      this.#connection.exec(sql);
    } catch (cause) {
      throw sqliteError(cause);
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    // SQLite treats a missing parameter as null.
    const parameters = Math.max(0, ...Array.from(sql.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
    const statement = this.#connection.prepare(sql);
    // Converted to plain objects here: those of SQLite have no prototype, and copying them takes three times as long.
    statement.setReturnArrays(true);
    const prepared = { statement, parameters, columns: statement.columns().map(({ name }) => name) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function rowOf<Row extends object>(columns: readonly string[], values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue> = {};
  for (const [place, column] of columns.entries()) row[column] = values[place]!;
  return row as Row;
}

/** Result codes of SQLite, by their low byte. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOT_A_DATABASE = 26;
/**
 * Memory, files and permissions: faults of the machine. Any other code is a bug in a statement and is not converted.
 */
const SQLITE_MACHINE = new Set([3, 7, 8, 10, 14, 15, 22, 23]);

/** PERM, READONLY, CANTOPEN. */
const SQLITE_UNOPENABLE = new Set([3, 8, 14]);

/** Converts a failed call to SQLite; returns other errors unchanged. */
export function sqliteError(cause: unknown): unknown {
  const code = sqliteCode(cause);
  if (code === null) return cause;
  if (code === SQLITE_FULL) return storeDiskFull(cause);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE) return databaseCorrupt(cause);
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED) return busy(cause);
  return SQLITE_MACHINE.has(code) ? failed(cause) : cause;
}

/** Whether SQLite may not open or write a file, or the path is not a file. */
export function isSqliteUnopenable(cause: unknown): boolean {
  const code = sqliteCode(cause);
  return code !== null && SQLITE_UNOPENABLE.has(code);
}

/** The structure of the database is damaged. */
export function databaseCorrupt(cause: unknown): ExportError {
  const message =
    'The database of this service is damaged and cannot be used. Restore it, or start with an empty folder.';
  return new ExportError('internal', 'store.corrupt', message, { cause });
}

function sqliteCode(cause: unknown): number | null {
  const known = cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number';
  return known ? (cause.errcode as number) & 0xff : null;
}
