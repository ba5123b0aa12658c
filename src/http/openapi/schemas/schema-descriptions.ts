import type { JsonSchema } from '../replies.ts';

/** The descriptions of schemas that have none of their own. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  DestinationTarget: 'The address of a destination, and the headers that it requires.',
  TierRow: 'A row of the board.',
  TierItem: 'An item: a card on the board.',
  VideoClip: 'A clip or a still image.',
  AudioClip: 'The sound of a video file.',
  Soundtrack: 'An audio file: music, voice or any other sound.',
  SubtitleFile: 'A file of subtitles.',
  TierBlock: 'A time at which the board is shown, and its place.',
  TierTile: 'The reveal or the move of an item.',
  Title: 'An opening card, a lower third or a label.',
  Subtitle: 'A subtitle.',
  Settings: 'The settings of the whole video. All are optional.',
  Output: 'The video of one preset.',
  ResolvedSettings: 'The settings of an export, with every default filled in.',
  Export: 'An export: its state, its settings and the addresses of its files.',
  ExportList: 'A page of your exports.',
  Validation: 'The result of a check: what a render would do.',
  Deliveries: 'The deliveries of a webhook.',
  Delivery: 'A try to deliver an event.',
  SessionRequest: 'A key to exchange for a cookie.',
  Session: 'An open session.',
  Usage: 'Your usage by day.',
  UsageDay: 'Your usage of one day.',
  Fonts: 'The fonts that ship.',
  Health: 'The process is alive.',
  Readiness: 'Whether the service can work.',
  Media: 'A stored file.',
  MediaAddress: 'A file to fetch.',
  Captions: 'Captions from speech.',
  CaptionLanguages: 'The languages of captions from speech.',
  Pauses: 'Pauses and speech of a file, each in order.',
  UnfinishedMedia: 'A file of which a part is stored.',
  ProjectMetadata: 'A stored project without its documents.',
  ProjectList: 'A page of your projects.',
  RevisionList: 'The stored revisions of a project.',
  NewLink: 'A new link to a project.',
  LinkList: 'The links of a project.',
  Draft: 'The progress of a draft.',
};

/** Adds the descriptions; a legacy entry has that of its successor. */
export function withDescriptions(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const described = Object.entries(schemas).map(([name, schema]): [string, JsonSchema] => {
    const description = DESCRIPTIONS[name.replace(/^Legacy/, '')];
    return [name, description === undefined || 'description' in schema ? schema : { description, ...schema }];
  });
  return Object.fromEntries(described);
}
