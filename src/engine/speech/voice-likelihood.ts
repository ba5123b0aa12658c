import { setImmediate } from 'node:timers/promises';
import { SPEECH_RATE } from '../../speech/captions/speech-engine.ts';
import type { Voice } from '../../speech/find-pauses.ts';
import { VoiceSteps } from '../../speech/voice-steps.ts';
import { voiceWeights } from '../../speech/voice-weights.ts';
import type { Seconds } from '../../time.ts';
import { speechSound } from './speech-sound.ts';
import type { SpeechReader } from './speech-source.ts';

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
  const steps = new VoiceSteps(voiceWeights());
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
