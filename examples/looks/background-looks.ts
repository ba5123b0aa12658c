import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Image, loadImage } from '@napi-rs/canvas';
import { frameCommand } from '../../src/cli/frame.ts';
import { drawPicture } from './item-pictures.ts';

const SIZES = { landscape: [480, 270], portrait: [270, 480], square: [320, 320] } as const;
export type BackgroundPreset = keyof typeof SIZES;

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

/** Every background beside a board and, in the last frame, in the bars beside a clip: what `tiercut frame` makes of it. */
export async function* drawBackgrounds(preset: BackgroundPreset): AsyncGenerator<Image> {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-backgrounds-'));
  try {
    for (const [name, kind] of Object.entries({ wall: 'wide', clip: 'photo' } as const)) {
      writeFileSync(join(folder, `${name}.png`), drawPicture(kind, 3).bitmap.toBuffer('image/png'));
    }
    const [width, height] = SIZES[preset];
    const [project, out] = [join(folder, 'project.json'), join(folder, 'frame.png')];
    for (const { background, at } of BACKGROUNDS) {
      const documents = {
        tier_list: {
          title: 'Games of the decade',
          rows: ['S', 'A', 'B'].map((id, row) => ({ id, item_ids: [`i${row}`, `j${row}`] })),
          items: [0, 1, 2].flatMap((row) => [`i${row}`, `j${row}`].map((id) => ({ id, file_field: 'clip' }))),
        },
        timeline_data: {
          videos: [{ id: 'clip', file_field: 'clip', start: 3, duration: 2 }],
          tier_blocks: [3, 20].map((end, at) => ({ start: at * 5, duration: end - at * 5, ...INSET })),
        },
        settings: { preset, width, height, background },
        media: { wall: 'wall.png', clip: 'clip.png' },
      };
      writeFileSync(project, JSON.stringify(documents));
      await frameCommand([project, '--at', String(at), '-o', out], SILENT);
      yield await loadImage(out);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Smaller than a board is by default: here it is the background that counts. */
const INSET = { x_percent: 22, y_percent: 20, width_percent: 56, height_percent: 60 };
const SILENT = {
  out: () => {},
  err: () => {},
  status: { show: () => {}, end: () => {} },
  signal: new AbortController().signal,
};
