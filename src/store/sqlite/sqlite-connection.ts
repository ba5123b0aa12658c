import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlValue } from '../database.ts';
import { sqliteError } from './sqlite-error.ts';

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
