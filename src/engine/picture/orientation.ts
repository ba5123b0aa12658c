/** How a stored picture becomes upright: mirrored left to right first if `mirrored`, then turned clockwise. */
export interface Orientation {
  readonly quarterTurns: 0 | 1 | 2 | 3;
  readonly mirrored: boolean;
}

/** Stored as it is meant to be seen. */
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
