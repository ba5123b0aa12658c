/** The value of a column. Times are integer milliseconds, documents are JSON texts. */
export type SqlValue = string | number | null;

/** Runs statements. `$1`, `$2` … are the parameters, so that every adapter uses the same text. */
export interface Transaction {
  query<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** Calls `callback` after the commit, and never after a rollback. Use it for effects outside the database. */
  afterCommit(callback: () => void): void;
}

/** The options of a transaction. */
export interface TransactionOptions {
  /**
   * Locks the row of this export first. Changes to an export are thus sequential and cannot deadlock. No error if there
   * is none.
   */
  readonly lockExport?: string;
  /** Locks the limits of this tenant, across nodes. */
  readonly lockTenant?: string;
  /** Locks the limits of all tenants. All other writers wait, so use it only when needed. */
  readonly lockAllTenants?: boolean;
  /**
   * False: the commit does not wait for the disk, so that the next writer gets the export's row sooner. Use it for work
   * that is repeated if lost. A later commit is never kept without it.
   */
  readonly durable?: boolean;
}

/** Records and jobs. Every adapter passes test/store/database-suite.ts. */
export interface Database extends Transaction {
  /**
   * Read-only, without waiting: sees committed data and does not wait for writers. A client that reads its export must
   * not wait behind new exports.
   */
  readonly committed: Transaction;
  /**
   * Atomic: commits when `work` resolves, rolls back when it rejects. Once it resolves, it survives a power cut, unless
   * `durable` is false. Await nothing but `tx` inside, because other writers wait. Have no other effects inside,
   * because `work` runs again after a conflict.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

/** How many values one statement has at most. */
export const MAX_IN_LIST = 200;

/** `$1, $2 …` and their values. Their number is constant, so the database prepares one statement. */
export function inList(values: readonly string[]): { readonly places: string; readonly parameters: string[] } {
  if (values.length === 0 || values.length > MAX_IN_LIST)
    throw new Error(`a list has 1 to ${MAX_IN_LIST} values, not ${values.length}`);
  return { places: PLACES, parameters: Array.from({ length: MAX_IN_LIST }, (_, n) => values[n] ?? values[0]!) };
}

const PLACES = Array.from({ length: MAX_IN_LIST }, (_, n) => `$${n + 1}`).join(', ');
