import type { PixelSize } from '../../image-header/image-header.ts';
import type { Rect } from '../../plan/model/canvas.ts';

/** How a stored picture becomes upright: mirrored left to right first if `mirrored`, then turned clockwise. */
export interface Orientation {
  readonly quarterTurns: 0 | 1 | 2 | 3;
  readonly mirrored: boolean;
}

/** Stored upright. */
export const UPRIGHT: Orientation = { quarterTurns: 0, mirrored: false };

/**
 * The orientation a display matrix asks for (libav's native-endian 3×3 of int32, 16.16 fixed point; EXIF comes as one
 * too). Turns by other than quarters are rounded to the nearest, as players do; a degenerate matrix is ignored.
 */
export function orientationOf(matrix: Uint8Array | null): Orientation {
  if (matrix === null || matrix.byteLength < 36) return UPRIGHT;
  const view = new DataView(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  const at = (index: number) => view.getInt32(index * 4, true);
  // A stored point (x, y), y downward, is shown at (a·x + c·y, b·x + d·y).
  const [a, b, c, d] = [at(0), at(1), at(3), at(4)];
  const determinant = a * d - b * c;
  if (determinant === 0) return UPRIGHT;
  const mirrored = determinant < 0;
  // Where the stored picture's right side (its left side, if mirrored first) ends up, clockwise from the right.
  const angle = Math.atan2(mirrored ? -b : b, mirrored ? -a : a);
  const quarterTurns = (((Math.round(angle / (Math.PI / 2)) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  return { quarterTurns, mirrored };
}

/** The display matrix of an orientation, in libav's format. */
export function displayMatrix({ quarterTurns, mirrored }: Orientation): Uint8Array {
  const [cos, sin] = [[1, 0, -1, 0][quarterTurns]!, [0, 1, 0, -1][quarterTurns]!];
  const flip = mirrored ? -1 : 1;
  const matrix = new DataView(new ArrayBuffer(36));
  for (const [index, value] of [cos * flip, sin * flip, 0, -sin, cos].entries()) {
    matrix.setInt32(index * 4, value * 0x1_0000, true);
  }
  matrix.setInt32(32, 1 << 30, true);
  return new Uint8Array(matrix.buffer);
}

/**
 * Where a crop of the upright, square-pixelled picture is in the stored picture, to the nearest pixel. `stored` is its
 * visible part, and may differ from the size of `upright`: a stream may change its size, never its aspect ratio.
 */
export function storedCrop(crop: Rect, upright: PixelSize, stored: Rect, orientation: Orientation): Rect {
  let across: Extent = [crop.x / upright.width, (crop.x + crop.width) / upright.width];
  let down: Extent = [crop.y / upright.height, (crop.y + crop.height) / upright.height];
  // A quarter turn clockwise takes the stored (u, v) to (1 − v, u); this goes back, turn by turn.
  for (let turn = 0; turn < orientation.quarterTurns; turn += 1) [across, down] = [down, mirrored(across)];
  if (orientation.mirrored) across = mirrored(across);
  const [x, width] = pixels(across, stored.width);
  const [y, height] = pixels(down, stored.height);
  return { x: stored.x + x, y: stored.y + y, width, height };
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
