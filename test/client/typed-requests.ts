import type { Documents, Export, TiercutClient, VideoClip } from '../../packages/client/src/client.ts';

// Never run: `npm run check` compiles it. Lines that must not compile are marked; if one does, the mark itself is the
// error.

export const everything: Documents = {
  tier_list: {
    title: 'Two',
    rows: [{ id: 's', label: 'S', color: '#ff7f7f', item_ids: ['a'] }],
    items: [{ id: 'a', name: 'A', file_field: 'picture', score: '9/10', note: 'Salty' }],
  },
  timeline_data: {
    videos: [
      { file_field: 'clip', shape: 'circle', enter: 'fade', presets: { square: { hidden: true, fit: 'cover' } } },
    ],
    tier_tiles: [{ tier_item_id: 'a', position: 1, to_row: 's', index: 0, reveal: 'slam', sound_field: 'pop' }],
    subtitles: [{ text: 'Hi', start: 0, duration: 1, words: [{ text: 'Hi', start: 0.2 }] }],
    subtitle_files: [{ file_field: 'captions', offset: -1 }],
  },
  settings: { counter: true, shorts: true, progress_bar: true, theme: { base: 'neon', glass: true } },
};

// @ts-expect-error a misspelt field
export const slow: VideoClip = { file_field: 'clip', sped: 2 };
// @ts-expect-error a misspelt lane
export const mute: Documents = { tier_list: {}, timeline_data: { soundtrack: [] } };
// @ts-expect-error a misspelt setting
export const plain: Documents = { tier_list: {}, timeline_data: {}, settings: { counters: true } };
// @ts-expect-error there is no such style
export const loud: Documents = { tier_list: {}, timeline_data: {}, settings: { reveal: 'explode' } };
// @ts-expect-error a tile names its item
export const bare: Documents = { tier_list: {}, timeline_data: { tier_tiles: [{ position: 1 }] } };

export async function answers(client: TiercutClient, made: Export): Promise<number | null> {
  // @ts-expect-error a field that no answer has
  made.progres;
  // @ts-expect-error what has expired is not listed
  await client.list({ state: 'expired' });
  return made.duration;
}
