import type { CaptionWord } from './caption-words.ts';

/** Turns speech into words. */
export interface SpeechEngine extends AsyncDisposable {
  /** @param sound mono at `SPEECH_RATE`. @returns words with times from its start. */
  words(sound: Float32Array, signal: AbortSignal): Promise<CaptionWord[]>;
}

/** The sample rate of speech models. */
export const SPEECH_RATE = 16_000;
