import type { Rect } from '../../plan/render-plan.ts';
import type { Surface } from '../canvas-2d.ts';

/** Straight RGBA of a part of a surface, row by row. */
export function readPixels({ context }: Surface, { x, y, width, height }: Rect): Uint8Array {
  const { data } = context.getImageData(x, y, width, height);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
