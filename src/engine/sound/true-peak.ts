/**
 * The peaks between the samples, by fourfold oversampling: what a converter will make of the sound, and what ITU-R
 * BS.1770 calls true peak.
 */

/** Samples on each side of a gap that its interpolation looks at. */
export const TRUE_PEAK_REACH = 8;

const PHASES = [0.25, 0.5, 0.75];
const TAPS = PHASES.map(kernelAt);

/** No interpolated value is larger than this times the largest sample in reach. */
export const TRUE_PEAK_GAIN = Math.max(...TAPS.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)));

/**
 * The largest absolute value at sample `at` and in the gap behind it. `TRUE_PEAK_REACH` samples must be there on both
 * sides.
 */
export function truePeakAt(samples: Float32Array, at: number): number {
  let peak = Math.abs(samples[at]!);
  const first = at - TRUE_PEAK_REACH + 1;
  for (const taps of TAPS) {
    let value = 0;
    for (let k = 0; k < 2 * TRUE_PEAK_REACH; k++) value += taps[k]! * samples[first + k]!;
    const size = Math.abs(value);
    if (size > peak) peak = size;
  }
  return peak;
}

/** A sinc under a Kaiser window, scaled to pass a constant unchanged. */
function kernelAt(phase: number): Float64Array {
  const taps = new Float64Array(2 * TRUE_PEAK_REACH);
  for (let k = 0; k < taps.length; k++) {
    const x = k - (TRUE_PEAK_REACH - 1) - phase;
    const edge = x / TRUE_PEAK_REACH;
    taps[k] = (Math.sin(Math.PI * x) / (Math.PI * x)) * bessel(6 * Math.sqrt(Math.max(0, 1 - edge * edge)));
  }
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

/** The modified Bessel function I₀, by its series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
