/** Resolution of a waveform. */
export const PEAKS_PER_SECOND = 50;

/** The peak of each of `count` equal parts, from 0 to 255 as a square root, so that quiet speech is visible. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const peaks: number[] = [];
  for (let part = 0; part < count; part += 1) {
    const to = Math.floor(((part + 1) * samples.length) / count);
    let max = 0;
    for (let i = Math.floor((part * samples.length) / count); i < to; i += 1)
      max = Math.max(max, Math.abs(samples[i]!));
    peaks.push(Math.min(255, Math.round(Math.sqrt(max) * 255)));
  }
  return peaks;
}

/** The highest peak of a range, from 0 to 1. */
export function loudest(peaks: Uint8Array, from: number, to: number): number {
  let max = 0;
  const end = Math.min(peaks.length, Math.max(from + 1, to));
  for (let i = Math.max(0, from); i < end; i += 1) max = Math.max(max, peaks[i]!);
  return max / 255;
}
