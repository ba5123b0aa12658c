/** Samples on each side of a place that decide its value. */
export const REACH = 16;

/** The filter is computed at this many places between two samples, and interpolated linearly between those. */
const PHASES = 512;
/** Of the Kaiser window: unwanted frequencies are 90 dB lower. */
const BETA = 9;

let filters: Float64Array | null = null;

/**
 * The wave through `samples` at a place between them, up to a phase of `place`: a windowed sinc of 32 taps. On a sample it
 * is that sample, exactly. Outside of `samples` there is silence.
 */
export function waveAt(samples: Float32Array, place: number): number {
  const before = Math.floor(place);
  const phase = (place - before) * PHASES;
  if (phase === 0) return samples[before] ?? 0;
  filters ??= makeFilters();
  const row = Math.floor(phase);
  const part = phase - row;
  const first = before - REACH + 1;
  const [low, high] = [Math.max(0, -first), Math.min(2 * REACH, samples.length - first)];
  const near = row * 2 * REACH;
  const next = near + 2 * REACH;
  let sum = 0;
  for (let tap = low; tap < high; tap++) {
    const weight = filters[near + tap]!;
    sum += samples[first + tap]! * (weight + (filters[next + tap]! - weight) * part);
  }
  return sum;
}

/** A row for each phase, and one more so that the last has a neighbour. */
function makeFilters(): Float64Array {
  const made = new Float64Array((PHASES + 1) * 2 * REACH);
  for (let phase = 0; phase <= PHASES; phase++) {
    const row = made.subarray(phase * 2 * REACH, (phase + 1) * 2 * REACH);
    for (let tap = 0; tap < row.length; tap++) {
      const distance = tap - REACH + 1 - phase / PHASES;
      row[tap] = sinc(distance) * kaiser(distance / REACH);
    }
  }
  return made;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA);
}

/** I₀, by its series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (x / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}
