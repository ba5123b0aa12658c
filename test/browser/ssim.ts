import type { Picture } from '../paint/picture-difference.ts';

const WINDOW = 8;
const STEP = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Structural similarity of two pictures' brightness: the mean over windows of 8×8; 1 for equal ones. (Wang et al. 2004) */
export function ssim(a: Picture, b: Picture): number {
  const [first, second] = [lumaOf(a), lumaOf(b)];
  let sum = 0;
  let windows = 0;
  for (let y = 0; y + WINDOW <= a.height; y += STEP) {
    for (let x = 0; x + WINDOW <= a.width; x += STEP) {
      sum += windowSsim(first, second, y * a.width + x, a.width);
      windows += 1;
    }
  }
  return sum / windows;
}

function windowSsim(a: Float64Array, b: Float64Array, at: number, stride: number): number {
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  for (let row = 0; row < WINDOW; row += 1) {
    for (let i = at + row * stride; i < at + row * stride + WINDOW; i += 1) {
      const [p, q] = [a[i]!, b[i]!];
      sumA += p;
      sumB += q;
      sumAA += p * p;
      sumBB += q * q;
      sumAB += p * q;
    }
  }
  const count = WINDOW * WINDOW;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const varA = sumAA / count - meanA ** 2;
  const varB = sumBB / count - meanB ** 2;
  const covariance = sumAB / count - meanA * meanB;
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (varA + varB + C2));
}

function lumaOf({ rgba }: Picture): Float64Array {
  const luma = new Float64Array(rgba.length / 4);
  for (let i = 0; i < luma.length; i += 1) {
    luma[i] = 0.2126 * rgba[i * 4]! + 0.7152 * rgba[i * 4 + 1]! + 0.0722 * rgba[i * 4 + 2]!;
  }
  return luma;
}
