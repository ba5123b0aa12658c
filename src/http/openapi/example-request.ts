/** A request that works as it is, for the first page and the API description. */
export const EXAMPLE_REQUEST = {
  tier_list: {
    title: 'Snacks, ranked',
    rows: [
      { id: 's', label: 'S', color: '#ff7f7f', item_ids: ['chips', 'fruit'] },
      { id: 'a', label: 'A', color: '#ffbf7f', item_ids: ['nuts', 'popcorn'] },
      { id: 'b', label: 'B', color: '#ffff7f', item_ids: ['crackers'] },
    ],
    items: [
      { id: 'chips', name: 'Chips', file_field: 'chips_picture' },
      { id: 'fruit', name: 'Fruit', file_field: 'fruit_picture' },
      { id: 'nuts', name: 'Nuts', file_field: 'nuts_picture' },
      { id: 'popcorn', name: 'Popcorn', file_field: 'popcorn_picture' },
      { id: 'crackers', name: 'Crackers', file_field: 'crackers_picture' },
    ],
  },
  timeline_data: {
    videos: [],
    audios: [],
    soundtracks: [],
    tier_blocks: [{ id: 'board', start: 0, duration: 10 }],
    tier_tiles: [
      { id: 'reveal-1', tier_item_id: 'crackers', position: 1.5 },
      { id: 'reveal-2', tier_item_id: 'popcorn', position: 3 },
      { id: 'reveal-3', tier_item_id: 'nuts', position: 4.5 },
      { id: 'reveal-4', tier_item_id: 'fruit', position: 6 },
      { id: 'reveal-5', tier_item_id: 'chips', position: 7.5 },
    ],
    subtitles: [
      {
        id: 'opening',
        text: 'Five snacks, three rows',
        start: 0,
        duration: 2.5,
        align: 'center',
        background_alpha: 60,
      },
      { id: 'verdict', text: 'And the winner is …', start: 6.5, duration: 2.5, size: 56 },
    ],
  },
  settings: { preset: 'preset_one', fps: 30, quality: 'balanced' },
} as const;
