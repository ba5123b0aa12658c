import type { BatchRow, BatchRows, TiercutClient } from '../../../../packages/client/src/client.ts';

type Rows = Pick<TiercutClient['batches'], 'page'>;

const ROWS_OF_PAGE = 100;
const ENDED: ReadonlySet<BatchRow['state']> = new Set(['completed', 'failed', 'cancelled', 'invalid']);

type Pages = readonly BatchRows[];

/**
 * The rows of a running batch. Rows are made in their order, so a look fetches only the pages with rows that are under way: a table of
 * 10,000 rows has a hundred pages.
 */
export class RowPages {
  readonly #rows: Rows;
  readonly #id: string;
  #pages: Pages = [];

  constructor(rows: Rows, id: string) {
    this.#rows = rows;
    this.#id = id;
  }

  /** All rows as they are now. */
  async look(signal: AbortSignal): Promise<readonly BatchRow[]> {
    const before = this.#pages;
    const pages: BatchRows[] = [];
    let cursor: string | null = null;
    do {
      const known = before[pages.length];
      const isSame = known !== undefined && hasOnly(known, (state) => ENDED.has(state));
      const page: BatchRows = isSame ? known : await this.#fetch(cursor, signal);
      pages.push(page);
      // Behind rows that still wait, all wait.
      if (known !== undefined && !isSame && hasOnly(page, (state) => state === 'waiting' || state === 'invalid')) {
        pages.push(...before.slice(pages.length));
        break;
      }
      cursor = page.next;
    } while (cursor !== null);
    this.#pages = pages;
    return pages.flatMap(({ rows }) => rows);
  }

  #fetch(cursor: string | null, signal: AbortSignal): Promise<BatchRows> {
    return this.#rows.page(this.#id, { limit: ROWS_OF_PAGE, ...(cursor !== null && { cursor }), signal });
  }
}

function hasOnly({ rows }: BatchRows, is: (state: BatchRow['state']) => boolean): boolean {
  return rows.every(({ state }) => is(state));
}
