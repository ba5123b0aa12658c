import type pg from 'pg';
import type { SqlValue, Transaction } from '../database.ts';
import { postgresError } from './postgres-error.ts';
import { OF_THE_ENGINE, preparedStatement } from './prepared-statement.ts';

/** An open transaction on its own connection; using it after its end is a bug. */
export class PostgresTransaction implements Transaction {
  readonly #connection: pg.ClientBase;
  readonly #afterCommit: (() => void)[] = [];
  open = true;

  constructor(connection: pg.ClientBase) {
    this.#connection = connection;
  }

  async query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.#query(preparedStatement(sql, parameters.map(storable)))).rows as Row[];
  }

  /** The same for the job engine, with values of any type. */
  async executeSql(sql: string, values: readonly unknown[] = []): Promise<{ rows: object[] }> {
    return this.#query(preparedStatement(sql, values.map(storable), OF_THE_ENGINE));
  }

  async #query(statement: pg.QueryConfig<unknown[]>): Promise<pg.QueryResult> {
    if (!this.open) throw new Error('the transaction has ended');
    return this.#connection.query(statement);
  }

  afterCommit(run: () => void): void {
    this.#afterCommit.push(run);
  }

  /** Called after the commit. */
  runAfterCommit(): void {
    for (const run of this.#afterCommit) run();
  }
}

/** Runs single statements on any connection of a pool. */
export async function queryPool<Row extends object>(
  pool: pg.Pool,
  sql: string,
  parameters: readonly SqlValue[],
): Promise<Row[]> {
  try {
    return (await pool.query(preparedStatement(sql, parameters.map(storable)))).rows as Row[];
  } catch (cause) {
    throw postgresError(cause);
  }
}

/** PostgreSQL cannot store a NUL, which users may write into a title; the replacement character is stored instead. */
export function storable<T>(value: T): T | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}
