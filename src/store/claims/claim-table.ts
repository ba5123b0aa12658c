import type { SqlValue, Transaction } from '../database.ts';

/** The terms of a claim. */
export interface ClaimTerms {
  readonly nowMs: number;
  readonly untilMs: number;
  /** Tenants whose work is not claimed. */
  readonly except: readonly string[];
}

/** How a claim is released. */
export interface ClaimRelease {
  readonly dueAtMs: number;
  /** False if the work was only interrupted. */
  readonly countsTry: boolean;
}

/**
 * Rows that represent work. A node claims a row for a limited time and renews its claim; other nodes can take an
 * expired claim.
 */
export class ClaimTable {
  readonly #table: string;
  readonly #key: string;
  readonly #waits: string;

  /** @param waits a condition that is true while there is work to do. */
  constructor(table: string, key: string, waits = '1 = 1') {
    this.#table = table;
    this.#key = key;
    this.#waits = waits;
  }

  /**
   * Claims a row that no node has; null if there is none.
   *
   * @param also a further condition; it refers to a value by what `bind` returns for it.
   */
  async claim<Row extends object>(
    holder: string,
    terms: ClaimTerms,
    tx: Transaction,
    also: (bind: (value: SqlValue) => string) => string = () => '1 = 1',
  ): Promise<Row | null> {
    const values: SqlValue[] = [holder, terms.nowMs, terms.untilMs];
    const bind = (value: SqlValue) => `$${values.push(value)}`;
    const others = terms.except.map(bind);
    const [row] = await tx.query<Row>(
      `update ${this.#table} set holder = $1, held_until_ms = $3, tries = tries + 1
       where held_until_ms <= $2 and ${this.#waits} and ${this.#key} = (
         select ${this.#key} from ${this.#table} where held_until_ms <= $2 and ${this.#waits}
         ${others.length === 0 ? '' : `and tenant not in (${others.join(', ')})`}
         and (${also(bind)})
         order by held_until_ms, ${this.#key} limit 1)
       returning *`,
      values,
    );
    return row ?? null;
  }

  /** Releases the claim; the next starts not before `dueAtMs`. No error if it no longer exists. */
  async release(id: string, holder: string, { dueAtMs, countsTry }: ClaimRelease, tx: Transaction): Promise<void> {
    const sql = `update ${this.#table} set holder = null, held_until_ms = $3, tries = tries - $4
       where ${this.#key} = $1 and holder = $2`;
    await tx.query(sql, [id, holder, dueAtMs, countsTry ? 0 : 1]);
  }

  /** Releases all claims, because their holders are dead. */
  async releaseAll(tx: Transaction): Promise<void> {
    await tx.query(`update ${this.#table} set holder = null, held_until_ms = 0 where ${this.#waits}`);
  }
}
