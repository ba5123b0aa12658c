import type { IssueList } from '../issue-list.ts';
import type { TimelineLimits } from '../limits.ts';
import type { Presets } from '../presets.ts';
import type { Settings } from '../request/settings.ts';
import type { UnreadDocuments } from '../request-documents.ts';
import type { RequestSchemas } from '../schema.ts';
import type { KnownEntries } from './known-entries.ts';
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
