/** A buffer of samples, one channel after the other. */
export interface Planes {
  readonly planes: Float32Array<ArrayBuffer>;
  readonly channels: number;
  readonly length: number;
}

/** Cuts a part out of a buffer. */
export function cut({ planes, channels, length: whole }: Planes, skip: number, length: number): Planes {
  if (length === whole) return { planes, channels, length };
  const part = new Float32Array(length * channels);
  for (let channel = 0; channel < channels; channel += 1) {
    const from = channel * whole + skip;
    part.set(planes.subarray(from, from + length), channel * length);
  }
  return { planes: part, channels, length };
}
