/** How finely a sound's loudness is kept. */
export const PEAKS_A_SECOND = 50;

/** The loudest sample of each of `count` equal parts, from 0 to 255 by its root: quiet speech is still to be seen. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const peaks: number[] = [];
  for (let part = 0; part < count; part += 1) {
    const to = Math.floor(((part + 1) * samples.length) / count);
    let most = 0;
    for (let i = Math.floor((part * samples.length) / count); i < to; i += 1)
      most = Math.max(most, Math.abs(samples[i]!));
    peaks.push(Math.min(255, Math.round(Math.sqrt(most) * 255)));
  }
  return peaks;
}

/** The loudest of the peaks from one place to another, from 0 to 1. */
export function loudest(peaks: Uint8Array, from: number, to: number): number {
  let most = 0;
  const end = Math.min(peaks.length, Math.max(from + 1, to));
  for (let i = Math.max(0, from); i < end; i += 1) most = Math.max(most, peaks[i]!);
  return most / 255;
}
