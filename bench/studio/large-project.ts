/**
 * Two hours: two thousand subtitles and boards, hundreds of items, four hundred of them revealed one after the other.
 */
export function largeProject(itemCount: number): object {
  const items = Array.from({ length: itemCount }, (_, i) => ({ id: `item_${i}`, name: `Item ${i}` }));
  const rows = ['S', 'A', 'B', 'C', 'D'].map((label, row) => ({
    id: `row_${row}`,
    label,
    item_ids: items.slice(row * 80, row * 80 + 80).map(({ id }) => id),
  }));
  const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  return {
    tier_list: { title: 'Two hours', rows, items },
    timeline_data: {
      tier_blocks: many(2000, (i) => ({ id: `b${i}`, start: i * 3.6, duration: 3 })),
      tier_tiles: many(400, (i) => ({ id: `t${i}`, tier_item_id: `item_${i}`, position: 1 + i * 18 })),
      subtitles: many(2000, (i) => ({ id: `s${i}`, text: `Line ${i} of many`, start: i * 3.6, duration: 3 })),
    },
    settings: { preset: 'landscape' },
    media: {},
  };
}

/** One hour, as a long video has it: 500 subtitles on one board, 200 items, each revealed. */
export function hourProject(): object {
  const items = Array.from({ length: 200 }, (_, i) => ({ id: `item_${i}`, name: `Item ${i}` }));
  const rows = ['S', 'A', 'B', 'C', 'D'].map((label, row) => ({
    id: `row_${row}`,
    label,
    item_ids: items.slice(row * 40, row * 40 + 40).map(({ id }) => id),
  }));
  return {
    tier_list: { title: 'One hour', rows, items },
    timeline_data: {
      tier_blocks: [{ id: 'board', start: 0, duration: 3600 }],
      tier_tiles: items.map(({ id }, i) => ({ id: `t${i}`, tier_item_id: id, position: 5 + i * 17.9 })),
      subtitles: Array.from({ length: 500 }, (_, i) => ({
        id: `s${i}`,
        text: `Line ${i} of many words`,
        start: i * 7.2,
        duration: 5,
      })),
    },
    settings: { preset: 'landscape', reveal: 'spotlight' },
    media: {},
  };
}
