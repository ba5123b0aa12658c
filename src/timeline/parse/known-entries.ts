import type * as z from 'zod';
import type { IssueList } from '../issue-list.ts';

/**
 * Remembers entries about which there was nothing to say, by what they are and by whose schema: of documents that are never changed but
 * replaced, an edit leaves thousands of them as they were, and checking takes most of the time of reading a long timeline.
 */
export class KnownEntries {
  readonly #bySchema = new WeakMap<z.ZodObject, WeakMap<object, unknown>>();

  /** What `check` says of an entry, without asking where it has said nothing but that before. */
  checked<T>(schema: z.ZodObject, entry: unknown, check: () => T, issues: IssueList): T {
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
