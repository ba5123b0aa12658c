import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { straight } from '../../src/paint/pixels/straight-alpha.ts';
import { createSkiaSurface } from '../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import type { Rect } from '../../src/plan/model/canvas.ts';
import type { PaintedPicture } from '../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { type Frames, frames } from '../../src/time.ts';

/** A picture that is shown for a while: drawn in advance for a filter graph written by hand. */
export interface Still {
  readonly file: string;
  readonly rect: Rect;
  /** The first frame it is seen in. */
  readonly start: Frames;
  /** The first it is not. */
  readonly end: Frames;
}

/** The board in each of its states, without the movement between them, and every subtitle, as PNG files. */
export async function paintStills(plan: RenderPlan, folder: string): Promise<Still[]> {
  const painter = await SkiaPainter.create({ plan, files: new Map() });
  const stills: Still[] = [];
  const add = async (picture: PaintedPicture | null, start: Frames, end: Frames): Promise<void> => {
    if (picture === null) return;
    const file = join(folder, `still-${stills.length}.png`);
    await writeFile(file, await png(picture.rect, straight(picture.rgba)));
    stills.push({ file, rect: picture.rect, start, end });
  };
  for (const window of plan.painted.board) {
    const { start, end } = window.shows;
    const reveals = (plan.board?.events ?? []).map(({ at }) => at).filter((at) => start < at && at < end);
    const cuts = [start, ...new Set(reveals), end];
    for (const [i, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[i + 1]!;
      await add(painter.paint('board', window, frames(to - 1))?.still ?? null, from, to);
    }
  }
  for (const subtitle of plan.painted.subtitle) {
    const { start, end } = subtitle.shows;
    await add(painter.paint('subtitle', subtitle, start)?.still ?? null, start, end);
  }
  return stills;
}

/** Pixels as a PNG file. */
export function png(
  { width, height }: { width: number; height: number },
  rgba: Uint8Array | Uint8ClampedArray,
): Promise<Buffer> {
  const { bitmap } = createSkiaSurface(width, height);
  const context = bitmap.getContext('2d');
  const pixels = context.createImageData(width, height);
  pixels.data.set(rgba);
  context.putImageData(pixels, 0, 0);
  return bitmap.encode('png');
}
