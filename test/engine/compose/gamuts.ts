import type { Rgb } from './patch-clip.ts';

/** Chromaticities of red, green and blue; white is D65 in all of them. */
type Gamut = readonly [red: Chromaticity, green: Chromaticity, blue: Chromaticity];
type Chromaticity = readonly [x: number, y: number];
type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

const BT709: Gamut = [
  [0.64, 0.33],
  [0.3, 0.6],
  [0.15, 0.06],
];
export const DISPLAY_P3: Gamut = [
  [0.68, 0.32],
  [0.265, 0.69],
  [0.15, 0.06],
];
export const BT2020: Gamut = [
  [0.708, 0.292],
  [0.17, 0.797],
  [0.131, 0.046],
];
const D65: Chromaticity = [0.3127, 0.329];

/** From light to the numbers in a file, and back. */
interface Transfer {
  readonly toSignal: (light: number) => number;
  readonly toLight: (signal: number) => number;
}

export const BT709_TRANSFER: Transfer = {
  toSignal: (light) => (light < 0.018 ? 4.5 * light : 1.099 * light ** 0.45 - 0.099),
  toLight: (signal) => (signal < 0.081 ? signal / 4.5 : ((signal + 0.099) / 1.099) ** (1 / 0.45)),
};
export const SRGB_TRANSFER: Transfer = {
  toSignal: (light) => (light < 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055),
  toLight: (signal) => (signal < 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4),
};

/** A colour of BT.709's gamut (0 … 255) in another gamut's numbers, computed by the standard. */
export function inGamut(gamut: Gamut, { toSignal, toLight }: Transfer, color: Rgb): Rgb {
  const light = times(toXyz(BT709), color.map((value) => toLight(value / 255)) as unknown as Vector);
  return times(inverse(toXyz(gamut)), light).map((value) => 255 * toSignal(value)) as unknown as Rgb;
}

function toXyz(gamut: Gamut): Matrix {
  const [red, green, blue] = gamut.map(xyzOf) as unknown as Matrix;
  const columns = transposed([red, green, blue]);
  const strength = times(inverse(columns), xyzOf(D65));
  return columns.map((row) => row.map((value, n) => value * strength[n]!)) as unknown as Matrix;
}

/** At a luminance of 1. */
function xyzOf([x, y]: Chromaticity): Vector {
  return [x / y, 1, (1 - x - y) / y];
}

function times(matrix: Matrix, vector: Vector): Vector {
  return matrix.map((row) => row.reduce((sum, value, n) => sum + value * vector[n]!, 0)) as unknown as Vector;
}

function transposed(matrix: Matrix): Matrix {
  return [0, 1, 2].map((column) => matrix.map((row) => row[column]!)) as unknown as Matrix;
}

function inverse(matrix: Matrix): Matrix {
  const cofactor = (row: number, column: number) => {
    const [a, b] = [0, 1, 2].filter((n) => n !== row) as [number, number];
    const [c, d] = [0, 1, 2].filter((n) => n !== column) as [number, number];
    const minor = matrix[a]![c]! * matrix[b]![d]! - matrix[a]![d]! * matrix[b]![c]!;
    return (row + column) % 2 === 0 ? minor : -minor;
  };
  const determinant = [0, 1, 2].reduce((sum, n) => sum + matrix[0][n]! * cofactor(0, n), 0);
  return [0, 1, 2].map((row) => [0, 1, 2].map((column) => cofactor(column, row) / determinant)) as unknown as Matrix;
}
