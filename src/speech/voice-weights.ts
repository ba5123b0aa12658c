import { readFileSync } from 'node:fs';
import { readVoiceWeights, type VoiceWeights } from './voice-model.ts';

let loaded: VoiceWeights | null = null;

/** The weights of the voice model, from the file beside this one. */
export function voiceWeights(): VoiceWeights {
  loaded ??= readVoiceWeights(readFileSync(new URL('./silero-vad-16k.bin', import.meta.url)));
  return loaded;
}
