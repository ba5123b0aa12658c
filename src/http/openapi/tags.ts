/** What the operations are about, in the order in which somebody meets them. */
export const TAGS = {
  Exports: 'Making videos: create one, see how it stands, follow it, end it.',
  Outputs: 'What comes of an export: the MP4 in three shapes, its poster, its chapters, its captions.',
  Callbacks: 'How sending the events of an export went.',
  Media: 'Files that are sent once and used by many requests.',
  Projects: 'What is edited: stored with its revisions, shared by links, and rendered in advance.',
  Sessions: 'Keys in a browser.',
  Service: 'What the service says of itself: limits, health, figures.',
  Pages: 'For people.',
} as const;

export type Tag = keyof typeof TAGS;
