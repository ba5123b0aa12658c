import { setImmediate } from 'node:timers/promises';
import type { Voice } from '../../speech/find-pauses.ts';
import { STEP_SAMPLES, VoiceModel } from '../../speech/voice-model.ts';
import type { Seconds } from '../../time.ts';
import { SPEECH_RATE } from './speech-engine.ts';
import { speechSound } from './speech-sound.ts';
import type { SpeechReader } from './speech-source.ts';

/** The length of one step of the voice model. */
export const VOICE_STEP: Seconds = STEP_SAMPLES / SPEECH_RATE;

/**
 * The likelihood and the level of speech, for each step of a whole recording.
 *
 * @param onProgress is called with the share done, from 0 to 1.
 */
export async function voiceLikelihood(
  reader: SpeechReader,
  duration: Seconds,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Voice> {
  const steps = new Steps();
  let seconds = 0;
  for await (const sound of speechSound(reader, { start: 0, end: duration })) {
    signal.throwIfAborted();
    steps.push(sound);
    seconds += sound.length / SPEECH_RATE;
    onProgress(Math.min(1, seconds / duration));
    await setImmediate();
  }
  return steps.voice();
}

/** Cuts sound into the steps of the model. */
class Steps {
  readonly #model = new VoiceModel();
  readonly #step = new Float32Array(STEP_SAMPLES);
  readonly #likely: number[] = [];
  readonly #levels: number[] = [];
  #filled = 0;

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
