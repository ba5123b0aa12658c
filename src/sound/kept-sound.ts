import type { Stereo } from './dsp/stereo.ts';
import type { SoundSource } from './dsp/time-stretch.ts';

/** A sound that is all there, to be read like a file; silent beyond its ends. */
export class KeptSound implements SoundSource {
  readonly #sound: Stereo;

  constructor(sound: Stereo) {
    this.#sound = sound;
  }

  read(at: number, into: Stereo): void {
    const { left, right } = this.#sound;
    for (let i = 0; i < into.left.length; i++) {
      into.left[i] = left[at + i] ?? 0;
      into.right[i] = right[at + i] ?? 0;
    }
  }
}
