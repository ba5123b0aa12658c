import { jsonSchemaOf } from '../../timeline/json-schema.ts';
import type { LaneName } from '../../timeline/lanes.ts';
import { type RequestSchemas, requestSchemas } from '../../timeline/schema.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { type JsonSchema, reference } from './replies.ts';

/** The schemas of the three documents: those the parser checks with, printed. */
export function documentSchemas({
  limits,
  presets,
}: Pick<HttpConfig, 'limits' | 'presets'>): Record<string, JsonSchema> {
  const schemas = requestSchemas(limits);
  const print = (name: keyof RequestSchemas): JsonSchema => ({ ...jsonSchemaOf(schemas, name) });
  const list = (name: string, description: string, maxItems = limits.maxEntriesPerLane): JsonSchema => {
    return { type: 'array', items: reference(name), maxItems, description };
  };
  const printedSettings = print('settings');
  const names = presets.flatMap(({ name, aliases }) => [name, ...aliases]);
  return {
    TierList: {
      type: 'object',
      description: 'What is ranked. Unknown fields are ignored with a warning, here and everywhere.',
      properties: {
        title: print('title'),
        rows: list('TierRow', 'From the top.', limits.maxRows),
        items: list('TierItem', 'Items in no row stand in a strip below.', limits.maxItems),
      },
    },
    TierRow: print('row'),
    TierItem: print('item'),
    TimelineData: {
      type: 'object',
      description: 'What happens when. The video lasts until the latest end of any entry.',
      properties: {
        videos: list('VideoClip', 'Clips (or still images) that draw and sound. Later entries lie above earlier ones.'),
        audios: list('AudioClip', 'Video files of which only the sound is used.'),
        soundtracks: list('Soundtrack', 'Audio files.'),
        tier_blocks: list('TierBlock', 'When and where the board is seen.'),
        tier_block: {
          description: 'Another name of tier_blocks; may be a single object.',
          anyOf: [reference('TierBlock'), list('TierBlock', 'As tier_blocks.')],
        },
        tier_tiles: list('TierTile', 'When items are revealed. An item without one is there from the start.'),
        subtitles: list('Subtitle', 'Texts above everything.'),
        subtitle_files: list('SubtitleFile', 'Files of subtitles; each of their cues becomes one.'),
      } satisfies Readonly<Record<LaneName | 'tier_block', JsonSchema>>,
    },
    VideoClip: print('video'),
    AudioClip: print('audio'),
    Soundtrack: print('soundtrack'),
    TierBlock: print('block'),
    TierTile: print('tile'),
    Subtitle: print('subtitle'),
    SubtitleFile: print('subtitleFile'),
    Settings: {
      ...printedSettings,
      properties: {
        ...(printedSettings.properties as object),
        // Without `default`: generators take a field that has one for a field that is always there.
        preset: {
          type: 'string',
          enum: names,
          description: `A preset, or an alias of one; ${presets[0].name} if absent.`,
        },
      },
    },
  };
}
