import type { Surface } from '../canvas-2d.ts';
import { premultiplied } from '../pixels/straight-alpha.ts';

/** A surface's pixels row by row, colours multiplied by their alpha. */
export function readPixels({ context, bitmap, pixels }: Surface): Uint8Array {
  if (pixels !== undefined) return pixels();
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  return premultiplied(data);
}
