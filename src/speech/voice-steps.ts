import type { Voice } from './find-pauses.ts';
import { STEP_SAMPLES, VoiceModel, type VoiceWeights } from './voice-model.ts';

/** The likelihood and the level of speech in a sound, for each step of the model. The sound comes in pieces of any length. */
export class VoiceSteps {
  readonly #model: VoiceModel;
  readonly #step = new Float32Array(STEP_SAMPLES);
  readonly #likely: number[] = [];
  readonly #levels: number[] = [];
  #filled = 0;

  constructor(weights: VoiceWeights) {
    this.#model = new VoiceModel(weights);
  }

  /** @param sound at 16 kHz. */
  push(sound: Float32Array): void {
    for (const sample of sound) {
      this.#step[this.#filled++] = sample;
      if (this.#filled === STEP_SAMPLES) this.#listen();
    }
  }

  voice(): Voice {
    if (this.#filled > 0) this.#listen();
    return { likely: this.#likely, levels: this.#levels };
  }

  #listen(): void {
    const heard = this.#step.subarray(0, this.#filled);
    this.#likely.push(this.#model.step(heard));
    this.#levels.push(levelOf(heard));
    this.#filled = 0;
  }
}

/** The mean power in decibels; digital silence is not minus infinity. */
function levelOf(sound: Float32Array): number {
  let power = 0;
  for (const sample of sound) power += sample * sample;
  return 10 * Math.log10(power / sound.length + 1e-12);
}
