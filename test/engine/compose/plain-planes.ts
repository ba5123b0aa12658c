import {
  BLACK,
  FRACTION_BITS,
  GREY,
  UB,
  UG,
  UR,
  VB,
  VG,
  VR,
  YB,
  YG,
  YR,
} from '../../../src/engine/color/painted-color.ts';

const HALF = 2 ** (FRACTION_BITS - 1);
const BLACK_ROUNDED = BLACK * 2 ** FRACTION_BITS + HALF;
const GREY_ROUNDED = GREY * 2 ** FRACTION_BITS + HALF;

/** What `writePainted` does with vectors, sample by sample: luma, both differences and alpha, row by row. */
export function plainPlanes(rgba: Uint8Array, width: number): Record<'y' | 'u' | 'v' | 'a', number[]> {
  const planes = { y: [], u: [], v: [], a: [] } as Record<'y' | 'u' | 'v' | 'a', number[]>;
  const height = rgba.length / 4 / width;
  const straight = (sum: number, alpha: number, added: number) =>
    (sum * (alpha === 0 ? 0 : 255 / alpha) + added) >> FRACTION_BITS;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [r, g, b, a] = rgba.subarray((row * width + column) * 4) as unknown as [number, number, number, number];
      planes.y.push(straight(YR * r + YG * g + YB * b, a, BLACK_ROUNDED));
      planes.a.push(a);
      if (row % 2 === 1 || column % 2 === 1) continue;
      const four = [0, 1, width, width + 1].map((to) => (row * width + column + to) * 4);
      const [red, green, blue, alpha] = [0, 1, 2, 3].map((channel) =>
        four.reduce((sum, pixel) => sum + rgba[pixel + channel]!, 0),
      ) as [number, number, number, number];
      planes.u.push(straight(UR * red + UG * green + UB * blue, alpha, GREY_ROUNDED));
      planes.v.push(straight(VR * red + VG * green + VB * blue, alpha, GREY_ROUNDED));
    }
  }
  return planes;
}
