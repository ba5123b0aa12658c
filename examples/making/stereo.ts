import { SAMPLE_RATE } from '../../src/time.ts';

/** Two channels of the same length; 1 is full scale. */
export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** So much silence, to be played into. */
export function silence(seconds: number): Stereo {
  const length = Math.round(seconds * SAMPLE_RATE);
  return { left: new Float32Array(length), right: new Float32Array(length) };
}

/** Adds a sound of one channel at a time and a place (−1 is left, 1 is right); what reaches beyond the end is lost. */
export function play(into: Stereo, sound: Float32Array, atSeconds: number, gain = 1, pan = 0): void {
  const first = Math.round(atSeconds * SAMPLE_RATE);
  const angle = ((pan + 1) * Math.PI) / 4;
  const [left, right] = [Math.cos(angle) * gain, Math.sin(angle) * gain];
  const end = Math.min(sound.length, into.left.length - first);
  for (let n = Math.max(0, -first); n < end; n++) {
    into.left[first + n]! += sound[n]! * left;
    into.right[first + n]! += sound[n]! * right;
  }
}

/** Scales a sound so that its loudest sample is `peak`. */
export function toPeak({ left, right }: Stereo, peak: number): void {
  let loudest = 1e-9;
  for (let n = 0; n < left.length; n++) loudest = Math.max(loudest, Math.abs(left[n]!), Math.abs(right[n]!));
  const gain = peak / loudest;
  for (let n = 0; n < left.length; n++) {
    left[n]! *= gain;
    right[n]! *= gain;
  }
}

/** Rounds peaks off as tape does: `drive` 1 hardly, 2 well audibly. Full scale stays full scale. */
export function warm({ left, right }: Stereo, drive: number): void {
  const scale = 1 / Math.tanh(drive);
  for (let n = 0; n < left.length; n++) {
    left[n] = Math.tanh(left[n]! * drive) * scale;
    right[n] = Math.tanh(right[n]! * drive) * scale;
  }
}

/** The frequency of a note by its MIDI number: 69 is the A of 440 Hz. */
export function pitch(note: number): number {
  return 440 * 2 ** ((note - 69) / 12);
}
