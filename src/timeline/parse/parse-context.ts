import type * as z from 'zod/mini';
import type { RequestSchemas } from '../document-schemas.ts';
import type { Settings } from '../export-request.ts';
import type { IssueList } from '../issue-list.ts';
import type { TimelineLimits } from '../limits.ts';
import type { Presets } from '../presets.ts';
import type { UnreadDocuments } from '../request-documents.ts';
import type { MediaNames } from './media-names.ts';

/** The inputs of every part of the parser. */
export interface ParseContext {
  readonly schemas: RequestSchemas;
  readonly limits: TimelineLimits;
  readonly presets: Presets;
  readonly settings: Settings;
  readonly media: MediaNames;
  /** The texts of subtitle files, by form field; absent ones are not read yet. */
  readonly subtitleTexts: ReadonlyMap<string, string>;
  /** Documents that were sent and could not be read: their content is unknown. */
  readonly unread: UnreadDocuments;
  /** Entries that an earlier call found valid; null if requests have no entries in common. */
  readonly known: KnownEntries | null;
  readonly issues: IssueList;
}

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
