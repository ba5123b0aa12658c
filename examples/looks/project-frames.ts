import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Image, loadImage } from '@napi-rs/canvas';
import { frameCommand } from '../../src/cli/render/frame.ts';
import { drawPicture, type PictureKind } from './item-pictures.ts';

const SIZES = { landscape: [480, 270], portrait: [270, 480], square: [320, 320] } as const;
export type FramePreset = keyof typeof SIZES;

const SILENT = {
  out: () => {},
  err: () => {},
  status: { show: () => {}, end: () => {} },
  signal: new AbortController().signal,
};

/** A project whose media are pictures, and the seconds at which it is shown. */
export interface ShownProject {
  readonly tier_list: object;
  readonly timeline_data: object;
  readonly settings?: object;
  /** By field: what it is of, and which one. */
  readonly pictures: Readonly<Record<string, readonly [PictureKind, number]>>;
  readonly at: readonly number[];
}

/** What `tiercut frame` makes of projects. */
export async function* projectFrames(preset: FramePreset, projects: readonly ShownProject[]): AsyncGenerator<Image> {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-frames-'));
  try {
    const [width, height] = SIZES[preset];
    const [project, out] = [join(folder, 'project.json'), join(folder, 'frame.png')];
    for (const { pictures, at, settings, ...documents } of projects) {
      const media = Object.fromEntries(
        Object.entries(pictures).map(([field, picture]) => {
          writeFileSync(join(folder, `${field}.png`), drawPicture(...picture).bitmap.toBuffer('image/png'));
          return [field, `${field}.png`];
        }),
      );
      writeFileSync(project, JSON.stringify({ ...documents, settings: { preset, width, height, ...settings }, media }));
      for (const second of at) {
        await frameCommand([project, '--at', String(second), '-o', out], SILENT);
        yield await loadImage(out);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
