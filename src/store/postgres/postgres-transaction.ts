import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { QueryConfig } from 'pg';
import type { SqlValue, Transaction } from '../database.ts';
import { postgresError } from './postgres-error.ts';

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

/**
 * More than the statements in the code. Further ones are not prepared, because a connection keeps its prepared
 * statements.
 */
const MAX_STATEMENTS = 500;
/** The names of prepared statements, by their texts. */
interface Known {
  readonly names: Map<string, string>;
  readonly max: number;
}
const OURS: Known = { names: new Map(), max: MAX_STATEMENTS };
/** Statements of the job engine contain the name of a queue, so there may be many. They must not use up ours. */
export const OF_THE_ENGINE: Known = { names: new Map(), max: 200 };
/** The server refuses the cached plan of such a statement after a column is added. */
const ALL_COLUMNS = /(?:select\s|\.)\*/i;

/**
 * A prepared statement: the server parses and plans it once for a connection, which is most of the cost of a short
 * statement. Only for constant texts with values as parameters.
 */
export function preparedStatement(
  text: string,
  values: readonly unknown[],
  { names, max } = OURS,
): QueryConfig<unknown[]> {
  const statement = { text, values: [...values] };
  let name = names.get(text);
  if (name === undefined) {
    // A text with several statements cannot be prepared.
    if (names.size >= max || text.includes(';')) return statement;
    if (ALL_COLUMNS.test(text)) return statement;
    name = `tiercut_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return { ...statement, name };
}
