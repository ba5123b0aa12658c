/** The tags of operations, in the order in which a reader meets them. */
export const TAGS = {
  Exports: 'Create, list, follow and delete exports.',
  Outputs: 'The output of an export: the MP4 in three presets, poster, chapters, captions.',
  Callbacks: 'The webhooks of an export.',
  Media: 'Files that are sent once and used by many requests.',
  Projects: 'Projects with revisions, links and drafts.',
  Sessions: 'Sessions for browsers.',
  Service: 'Limits, health and metrics.',
  Pages: 'Pages for people.',
} as const;

export type Tag = keyof typeof TAGS;
