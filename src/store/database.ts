/** A value a column can hold. Times are whole milliseconds, documents are JSON texts. */
export type SqlValue = string | number | null;

/** Runs statements; `$1`, `$2` … stand for the parameters, so that one text serves every adapter. */
export interface Transaction {
  query<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** Calls `tell` once all of it is durable, and never where it is undone: the place for whatever is no statement. */
  afterCommit(tell: () => void): void;
}

/** What a transaction begins with. */
export interface TransactionOptions {
  /**
   * The export it changes. Its row is taken first, so that those who change an export do so one after the other, and never
   * wait for each other in a circle. No error where there is none.
   */
  readonly lockExport?: string;
  /** Whose limits it counts against: those who do, on whatever node, do so one after the other. */
  readonly lockTenant?: string;
  /** The same for the limits of all tenants together. Whoever has it keeps everybody else waiting: for when it matters. */
  readonly lockAllTenants?: boolean;
  /**
   * False: it is not waited until it would survive a power cut, so that the next in line has the export's row sooner. For what is
   * done again by itself where it was lost. What is committed after it is never kept without it.
   */
  readonly durable?: boolean;
}

/** Where records and jobs are kept. Every adapter passes test/store/database-suite.ts. */
export interface Database extends Transaction {
  /**
   * For reading alone, and at once: sees what is committed, and waits for nobody who is just writing. A client that asks how
   * its export is must not stand behind all those who bring new ones.
   */
  readonly committed: Transaction;
  /**
   * All of it or nothing: commits when `work` resolves, undoes everything when it rejects. Once it has resolved, it
   * survives a power cut, unless it need not (`durable`). Await nothing but `tx` inside: others wait meanwhile. Do nothing but `tx` inside, either: where it
   * got in the way of another one, `work` is run again.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}
