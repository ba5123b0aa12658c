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

/** A queue of samples: sound arrives in the blocks of its source and leaves in blocks of any size. */
export class StereoQueue {
  #room = silentStereo(8192);
  #begin = 0;
  #end = 0;

  /** How many samples wait. */
  get length(): number {
    return this.#end - this.#begin;
  }

  /** Copies `sound` to the end of the queue. */
  push(sound: Stereo): void {
    this.#makeRoom(sound.left.length);
    this.#room.left.set(sound.left, this.#end);
    this.#room.right.set(sound.right, this.#end);
    this.#end += sound.left.length;
  }

  /** Appends silence. */
  pushSilence(length: number): void {
    this.#makeRoom(length);
    this.#room.left.fill(0, this.#end, this.#end + length);
    this.#room.right.fill(0, this.#end, this.#end + length);
    this.#end += length;
  }

  /** The first `length` samples, still in the queue; the view holds until the next push. */
  peek(length: number): Stereo {
    return stereoView(this.#room, this.#begin, this.#begin + Math.min(length, this.length));
  }

  /** Throws away the first `length` samples. */
  drop(length: number): void {
    this.#begin += Math.max(0, Math.min(length, this.length));
  }

  clear(): void {
    this.#begin = 0;
    this.#end = 0;
  }

  #makeRoom(length: number): void {
    if (this.#end + length <= this.#room.left.length) return;
    const waiting = this.length;
    const size = this.#room.left.length;
    const target = waiting + length > size / 2 ? silentStereo(Math.max(size * 2, (waiting + length) * 2)) : this.#room;
    for (const side of ['left', 'right'] as const) {
      if (target === this.#room) target[side].copyWithin(0, this.#begin, this.#end);
      else target[side].set(this.#room[side].subarray(this.#begin, this.#end));
    }
    this.#room = target;
    this.#begin = 0;
    this.#end = waiting;
  }
}

// Four at a time, since V8 does not unroll loops: the overhead of an iteration is more than a comparison or a product.

/** The largest absolute value. */
export function peakOf(samples: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 4 <= samples.length; i += 4) {
    const one = Math.abs(samples[i]!);
    const two = Math.abs(samples[i + 1]!);
    const three = Math.abs(samples[i + 2]!);
    const four = Math.abs(samples[i + 3]!);
    if (one > a) a = one;
    if (two > b) b = two;
    if (three > c) c = three;
    if (four > d) d = four;
  }
  for (; i < samples.length; i++) a = Math.max(a, Math.abs(samples[i]!));
  return Math.max(a, b, c, d);
}

/** The sum of squares. */
export function energyOf(samples: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 4 <= samples.length; i += 4) {
    a += samples[i]! * samples[i]!;
    b += samples[i + 1]! * samples[i + 1]!;
    c += samples[i + 2]! * samples[i + 2]!;
    d += samples[i + 3]! * samples[i + 3]!;
  }
  for (; i < samples.length; i++) a += samples[i]! * samples[i]!;
  return a + b + c + d;
}
