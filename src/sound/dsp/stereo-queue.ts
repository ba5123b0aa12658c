import { type Stereo, silentStereo, stereoView } from './stereo.ts';

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
