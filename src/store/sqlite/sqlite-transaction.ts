import type { SqlValue, Transaction } from '../database.ts';

type Run = <Row extends object>(sql: string, parameters: readonly SqlValue[]) => Promise<Row[]>;

/** An open transaction; using it after its end is a bug. */
export class SqliteTransaction implements Transaction {
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
