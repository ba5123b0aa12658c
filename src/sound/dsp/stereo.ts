/** Two channels of equal length at one rate, 32-bit float, full scale ±1. */
export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** `length` samples of silence, owned by the caller. */
export function silentStereo(length: number): Stereo {
  return { left: new Float32Array(length), right: new Float32Array(length) };
}

/** A view, not a copy, of the samples `from … to`. */
export function stereoView(sound: Stereo, from: number, to: number): Stereo {
  return { left: sound.left.subarray(from, to), right: sound.right.subarray(from, to) };
}
