import { setImmediate } from 'node:timers/promises';
import { STEP_SAMPLES, VoiceModel } from '../../speech/voice-model.ts';
import type { Seconds } from '../../time.ts';
import { SPEECH_RATE } from './speech-engine.ts';
import { speechSound } from './speech-sound.ts';
import type { SpeechReader } from './speech-source.ts';

/** The length of one step of the voice model. */
export const VOICE_STEP: Seconds = STEP_SAMPLES / SPEECH_RATE;

/**
 * The likelihood of speech, from 0 to 1, for each step of a whole recording.
 *
 * @param onProgress is called with the share done, from 0 to 1.
 */
export async function voiceLikelihood(
  reader: SpeechReader,
  duration: Seconds,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<readonly number[]> {
  const steps = new Steps();
  let seconds = 0;
  for await (const sound of speechSound(reader, { start: 0, end: duration })) {
    signal.throwIfAborted();
    steps.push(sound);
    seconds += sound.length / SPEECH_RATE;
    onProgress(Math.min(1, seconds / duration));
    await setImmediate();
  }
  return steps.likely();
}

/** Cuts sound into the steps of the model. */
class Steps {
  readonly #model = new VoiceModel();
  readonly #step = new Float32Array(STEP_SAMPLES);
  readonly #likely: number[] = [];
  #filled = 0;

  push(sound: Float32Array): void {
    for (const sample of sound) {
      this.#step[this.#filled++] = sample;
      if (this.#filled === STEP_SAMPLES) this.#listen();
    }
  }

  likely(): readonly number[] {
    if (this.#filled > 0) this.#listen();
    return this.#likely;
  }

  #listen(): void {
    this.#likely.push(this.#model.step(this.#step.subarray(0, this.#filled)));
    this.#filled = 0;
  }
}
