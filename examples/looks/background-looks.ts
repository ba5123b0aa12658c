import type { ShownProject } from './project-frames.ts';

const SUNSET = { kind: 'gradient', colors: ['#241a52', '#a3336f', '#ff922b'], angle: 135 };
/** Each background, and the second at which it is shown. (C61) */
const BACKGROUNDS: readonly { readonly background: string | object; readonly at: number }[] = [
  { background: '#1e3a5f', at: 1 },
  { background: SUNSET, at: 1 },
  { background: { ...SUNSET, moving: true }, at: 1 },
  { background: { ...SUNSET, moving: true }, at: 17 },
  { background: { kind: 'image', file_field: 'wall' }, at: 1 },
  { background: { kind: 'image', file_field: 'wall', blur: 40 }, at: 1 },
  { background: { kind: 'blur', of: 'clip' }, at: 1 },
  { background: { kind: 'blur', of: 'clip' }, at: 4 },
];

/** Smaller than a board is by default: here it is the background that counts. */
const INSET = { x_percent: 22, y_percent: 20, width_percent: 56, height_percent: 60 };

/** Every background beside a board and, in the last frame, in the bars beside a clip. */
export const BACKGROUND_LOOKS: readonly ShownProject[] = BACKGROUNDS.map(({ background, at }) => ({
  tier_list: {
    title: 'Games of the decade',
    rows: ['S', 'A', 'B'].map((id, row) => ({ id, item_ids: [`i${row}`, `j${row}`] })),
    items: [0, 1, 2].flatMap((row) => [`i${row}`, `j${row}`].map((id) => ({ id, file_field: 'clip' }))),
  },
  timeline_data: {
    videos: [{ id: 'clip', file_field: 'clip', start: 3, duration: 2 }],
    tier_blocks: [3, 20].map((end, at) => ({ start: at * 5, duration: end - at * 5, ...INSET })),
  },
  settings: { background },
  pictures: { wall: ['wide', 3], clip: ['photo', 3] },
  at: [at],
}));
