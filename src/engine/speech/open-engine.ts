import { CAPTION_MODELS } from '../../speech/models/caption-models.ts';
import type { SpeechModel } from '../../speech/models/speech-model.ts';
import { Moonshine } from './moonshine.ts';
import type { SpeechEngine } from './speech-engine.ts';

/** Loads a model. */
export function openEngine({ name, folder }: SpeechModel): Promise<SpeechEngine> {
  return Moonshine.open(folder, CAPTION_MODELS[name]);
}
