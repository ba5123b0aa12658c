import type { PixelSize } from '../../image-header/image-header.ts';
import type { Rect } from '../../plan/render-plan.ts';
import type { Orientation } from '../picture/orientation.ts';

/**
 * Where a cut of the upright, square-pixelled picture lies in the picture as stored, to the nearest pixel.
 *
 * `stored` may differ from the size `upright` was found with: a stream may change its size, never its shape.
 */
export function storedCrop(crop: Rect, upright: PixelSize, stored: PixelSize, orientation: Orientation): Rect {
  let across: Extent = [crop.x / upright.width, (crop.x + crop.width) / upright.width];
  let down: Extent = [crop.y / upright.height, (crop.y + crop.height) / upright.height];
  // A quarter turn clockwise takes the stored (u, v) to (1 − v, u); this goes back, turn by turn.
  for (let turn = 0; turn < orientation.quarterTurns; turn += 1) [across, down] = [down, mirrored(across)];
  if (orientation.mirrored) across = mirrored(across);
  const [x, width] = pixels(across, stored.width);
  const [y, height] = pixels(down, stored.height);
  return { x, y, width, height };
}

/** From and to, as fractions of a side. */
type Extent = readonly [start: number, end: number];

function mirrored([start, end]: Extent): Extent {
  return [1 - end, 1 - start];
}

function pixels([start, end]: Extent, side: number): [offset: number, size: number] {
  const first = Math.min(side - 1, Math.max(0, Math.round(start * side)));
  const last = Math.min(side, Math.max(first + 1, Math.round(end * side)));
  return [first, last - first];
}
