import { clipLevel, type SoundEnvelope, steadyPart } from '../plan/frame/sound-envelope.ts';
import { type Stereo, stereoView } from './dsp/stereo.ts';

/** Adds sound to a bus at one gain. The engine has one with vector instructions; `plainAdder` runs anywhere. */
export interface Adder extends Disposable {
  /** Both of one length. */
  add(sound: Stereo, bus: Stereo): void;
}

/** Puts a clip at its level over its length, quickly where that does not change. */
export class ClipEnvelope implements Disposable {
  readonly #heard: number;
  readonly #clip: SoundEnvelope;
  readonly #part: ReturnType<typeof steadyPart>;
  readonly #steady: Adder;

  /**
   * @param heard in samples, as `clipLevel` takes it.
   * @param steady adds at the clip's gain; the envelope owns it.
   */
  constructor(heard: number, clip: SoundEnvelope, steady: Adder) {
    this.#heard = heard;
    this.#clip = clip;
    this.#part = steadyPart(clip, heard);
    this.#steady = steady;
  }

  /** Adds `sound`, whose first sample is the clip's sample `at`, at its level to `bus` from sample `busFrom` on. */
  mix(sound: Stereo, at: number, bus: Stereo, busFrom: number): void {
    const count = sound.left.length;
    const from = Math.min(count, Math.max(0, this.#part.start - at));
    const to = Math.max(from, Math.min(count, this.#part.end - at));
    this.#mixFading(sound, at, bus, busFrom, 0, from);
    this.#steady.add(stereoView(sound, from, to), stereoView(bus, busFrom + from, busFrom + to));
    this.#mixFading(sound, at, bus, busFrom, to, count);
  }

  /** The level at one sample of the clip. */
  levelAt(place: number): number {
    return clipLevel(this.#clip, this.#heard, place);
  }

  [Symbol.dispose](): void {
    this.#steady[Symbol.dispose]();
  }

  #mixFading(sound: Stereo, at: number, bus: Stereo, busFrom: number, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const level = this.levelAt(at + i);
      bus.left[busFrom + i]! += level * sound.left[i]!;
      bus.right[busFrom + i]! += level * sound.right[i]!;
    }
  }
}

/** A loop over the samples. */
export function plainAdder(gain: number): Adder {
  return {
    add: (sound, bus) => {
      for (let i = 0; i < sound.left.length; i++) {
        bus.left[i]! += gain * sound.left[i]!;
        bus.right[i]! += gain * sound.right[i]!;
      }
    },
    [Symbol.dispose]: () => {},
  };
}
