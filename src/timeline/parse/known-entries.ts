import type * as z from 'zod/mini';
import type { IssueList } from '../issue-list.ts';

/**
 * Remembers entries without issues, by object and schema. Documents are replaced, never changed, so an edit keeps
 * thousands of entries as they were, and checking takes most of the time of parsing a long timeline.
 */
export class KnownEntries {
  readonly #bySchema = new WeakMap<z.core.$ZodObject, WeakMap<object, unknown>>();

  /** Returns the result of `check` for an entry; skips the check if an earlier one found no issues. */
  checked<T>(schema: z.core.$ZodObject, entry: unknown, check: () => T, issues: IssueList): T {
    if (typeof entry !== 'object' || entry === null) return check();
    let known = this.#bySchema.get(schema);
    if (known === undefined) {
      known = new WeakMap();
      this.#bySchema.set(schema, known);
    }
    if (known.has(entry)) return known.get(entry) as T;
    const said = issues.count;
    const found = check();
    if (issues.count === said) known.set(entry, found);
    return found;
  }
}
