const BLOCK = 8192;

/** The share of a signal's energy between two frequencies, in hertz. */
export function bandShare(signal: Float32Array, rate: number, [from, to]: readonly [number, number]): number {
  let all = 0;
  let within = 0;
  for (let start = 0; start < signal.length; start += BLOCK) {
    const real = new Float64Array(BLOCK);
    real.set(signal.subarray(start, start + BLOCK));
    const imaginary = new Float64Array(BLOCK);
    transform(real, imaginary);
    for (let bin = 1; bin < BLOCK / 2; bin += 1) {
      const energy = real[bin]! ** 2 + imaginary[bin]! ** 2;
      const hertz = (bin * rate) / BLOCK;
      all += energy;
      if (hertz >= from && hertz <= to) within += energy;
    }
  }
  return within / all;
}

/** A fast Fourier transform in place; the length is a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const { length } = real;
  if (length === 1) return;
  const half = length / 2;
  const even = [new Float64Array(half), new Float64Array(half)] as const;
  const odd = [new Float64Array(half), new Float64Array(half)] as const;
  for (let i = 0; i < half; i += 1) {
    even[0][i] = real[2 * i]!;
    even[1][i] = imaginary[2 * i]!;
    odd[0][i] = real[2 * i + 1]!;
    odd[1][i] = imaginary[2 * i + 1]!;
  }
  transform(...even);
  transform(...odd);
  for (let i = 0; i < half; i += 1) {
    const [cos, sin] = [Math.cos((2 * Math.PI * i) / length), -Math.sin((2 * Math.PI * i) / length)];
    const turned = [odd[0][i]! * cos - odd[1][i]! * sin, odd[0][i]! * sin + odd[1][i]! * cos] as const;
    real[i] = even[0][i]! + turned[0];
    imaginary[i] = even[1][i]! + turned[1];
    real[i + half] = even[0][i]! - turned[0];
    imaginary[i + half] = even[1][i]! - turned[1];
  }
}
