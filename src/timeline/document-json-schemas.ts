import { type RequestSchemas, requestSchemas } from './document-schemas.ts';
import { jsonSchemaOf } from './json-schema.ts';
import type { LaneName } from './lanes.ts';
import type { TimelineLimits } from './limits.ts';
import { type Presets, presetNames } from './presets.ts';

/** A JSON Schema 2020-12. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** A printed schema of an object. */
interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The settings that the schemas depend on. */
interface Deployment {
  readonly limits: TimelineLimits;
  /** null: any. */
  readonly presets: Presets | null;
}

/** The schemas of the three documents, printed from those that the parser uses. @param reference to one of them */
export function documentJsonSchemas(
  { limits, presets }: Deployment,
  reference: (name: string) => JsonSchema,
): Record<string, JsonSchema> {
  const schemas = requestSchemas(limits);
  const print = (name: keyof RequestSchemas, description?: string): ObjectSchema => ({
    ...(description !== undefined && { description }),
    ...(jsonSchemaOf(schemas, name) as ObjectSchema),
  });
  const list = (name: string, description: string, maxItems = limits.maxEntriesPerLane): JsonSchema => {
    return { type: 'array', items: reference(name), maxItems, description };
  };
  const tierList = (itemName: string): Record<string, JsonSchema> => ({
    title: { ...print('title'), description: 'The title above the rows, and of the video.' },
    rows: list('TierRow', 'From the top.', limits.maxRows),
    items: list(itemName, 'Items in no row are in the pool below the rows.', limits.maxItems),
  });
  /** @param prefix of the entries that name a file. */
  const lanes = (prefix: '' | 'Legacy'): Readonly<Record<LaneName | 'tier_block' | 'auto', JsonSchema>> => ({
    auto: reference('AutoTimeline'),
    videos: list(`${prefix}VideoClip`, 'Clips and still images. Later entries are above earlier ones.'),
    audios: list(`${prefix}AudioClip`, 'Video or sound files of which only the sound is used.'),
    soundtracks: list(`${prefix}Soundtrack`, 'Audio files.'),
    tier_blocks: list('TierBlock', 'When and where the board is visible.'),
    tier_block: {
      description: 'An alias of `tier_blocks`; may be a single object.',
      anyOf: [reference('TierBlock'), list('TierBlock', 'As tier_blocks.')],
    },
    tier_tiles: list('TierTile', 'When items are revealed. An item without a tile is visible from the start.'),
    titles: list('Title', 'Opening cards, lower thirds and labels.'),
    subtitles: list('Subtitle', 'Texts in front of everything else.'),
    subtitle_files: list(`${prefix}SubtitleFile`, 'SRT and WebVTT files. Each cue becomes a subtitle.'),
  });
  const withFiles = {
    TierItem: print('item', 'An item: a card on the board.'),
    VideoClip: print('video', 'A clip or a still image.'),
    AudioClip: print('audio', 'The sound of a video file.'),
    Soundtrack: print('soundtrack', 'An audio file: music, voice or any other sound.'),
    SubtitleFile: print('subtitleFile', 'A file of subtitles.'),
  };
  const printedSettings = print('settings', 'The settings of the whole video. All are optional.');
  return {
    TierList: {
      type: 'object',
      description: 'The tier list. Unknown fields are ignored with a warning, here and everywhere.',
      properties: tierList('TierItem'),
    },
    TimelineData: {
      type: 'object',
      description: 'The timeline. The video lasts until the latest end of any entry.',
      properties: lanes(''),
    },
    AutoTimeline: {
      ...print('auto'),
      description:
        'Adds entries to the timeline: an opening, a board and a reveal for each ranked item that has no tile.',
    },
    TierRow: print('row', 'A row of the board.'),
    ...withFiles,
    TierBlock: print('block', 'A time at which the board is shown, and its place.'),
    TierTile: print('tile', 'The reveal or the move of an item.'),
    Title: print('titleEntry', 'An opening card, a lower third or a label.'),
    Subtitle: print('subtitle', 'A subtitle.'),
    LegacyTierList: {
      type: 'object',
      description: 'As `TierList`; items name their pictures by `media_id`.',
      properties: tierList('LegacyTierItem'),
    },
    LegacyTimeline: {
      type: 'object',
      description: 'As `TimelineData`; entries name their files by `media_id`.',
      properties: { ...lanes('Legacy'), tier_list: reference('LegacyTierList'), settings: reference('Settings') },
    },
    ...Object.fromEntries(Object.entries(withFiles).map(([name, entry]) => [`Legacy${name}`, withMediaId(entry)])),
    Settings: {
      ...printedSettings,
      properties: {
        ...printedSettings.properties,
        // Without `default`, because generators treat a field with a default as always present.
        preset: {
          type: 'string',
          ...(presets !== null && { enum: presetNames(presets) }),
          description: `A preset, or an alias of one; ${presets?.[0].name ?? 'the first of `/presets`'} if absent.`,
        },
      },
    },
  };
}

/** An entry of older clients. (C25) */
function withMediaId({ properties, required = [], ...entry }: ObjectSchema): JsonSchema {
  const media_id = { type: 'string', description: 'An id of `media_manifest`; replaces `file_field`.' };
  return { ...entry, properties: { media_id, ...properties }, required: required.filter((n) => n !== 'file_field') };
}
