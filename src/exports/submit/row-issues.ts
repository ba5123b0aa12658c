import type { Issue } from '../../errors.ts';

/** Issues that one row keeps. */
const MAX_OF_ROW = 20;
/** Characters of the issues of a batch before later ones are short: enough for a wrong value in each of 10,000 rows. */
const MAX_CHARACTERS = 2_000_000;

const SHORT = 'The value is wrong. The batch has too many errors to describe each.';

/**
 * The issues of the rows of a batch: something of every wrong row, and in all a bounded length. A row of a few bytes may
 * have twenty errors that each name the fields of its template. (C85)
 */
export class RowIssues {
  readonly #rows = new Map<number, Issue[]>();
  #characters = 0;

  /** @param where the end of a message with the place of the value, which is line and column of a table. */
  add(row: number, issue: Issue, where: () => string): void {
    const known = this.#rows.get(row);
    const isFull = this.#characters > MAX_CHARACTERS;
    if (known === undefined) this.#rows.set(row, [isFull ? { ...issue, message: SHORT + where() } : issue]);
    else if (isFull || known.length === MAX_OF_ROW) return;
    else known.push(issue);
    this.#characters += issue.path.length + issue.code.length + issue.message.length;
  }

  /** In the order in which they were added. */
  of(row: number): readonly Issue[] {
    return this.#rows.get(row) ?? [];
  }
}
