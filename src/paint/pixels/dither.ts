/** Sides of the pattern, in pixels: a power of two. */
export const DITHER_SIDE = 8;

/**
 * What is added to a sample with 8 bits behind the point before these are cut off, by row and column of the pattern (Bayer's): levels
 * between two whole ones become a mixture of both. It depends on the pixel's place alone, so what rests stays the same. (R33)
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
