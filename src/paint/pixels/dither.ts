/** Sides of the pattern, in pixels: a power of two. */
export const DITHER_SIDE = 8;

/**
 * Added to a sample with 8 fractional bits before these are cut off, by row and column of the pattern (Bayer's): levels
 * between two whole ones become a mixture of both. It depends only on the pixel's place, so a still picture stays the
 * same. (R33)
 */
export const DITHER: Uint8Array = bayer();

function bayer(): Uint8Array {
  const bits = Math.log2(DITHER_SIDE);
  return Uint8Array.from({ length: DITHER_SIDE * DITHER_SIDE }, (_, at) => {
    const [x, y] = [at % DITHER_SIDE, Math.floor(at / DITHER_SIDE)];
    let rank = 0;
    for (let bit = 0; bit < bits; bit += 1) {
      const shift = 2 * (bits - 1 - bit);
      rank |= ((((x ^ y) >> bit) & 1) << (shift + 1)) | (((y >> bit) & 1) << shift);
    }
    return (rank * 256 + 128) / (DITHER_SIDE * DITHER_SIDE);
  });
}
