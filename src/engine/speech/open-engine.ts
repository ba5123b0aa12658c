import type { SpeechEngineName, SpeechModel } from '../../speech/models/caption-models.ts';
import { CAPTION_MODELS } from '../../speech/models/caption-models.ts';
import { Moonshine } from './moonshine.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { Whisper } from './whisper.ts';

const ENGINES: {
  readonly [Name in SpeechEngineName]: (model: SpeechModel<Name>, workDir: string) => Promise<SpeechEngine>;
} = {
  moonshine: ({ path, name }) => Moonshine.open(path, CAPTION_MODELS[name]),
  whisper: ({ path, language }, workDir) => Whisper.open(path, language, workDir),
};

/** Loads a model. @param workDir a folder for files of the engine. */
export function openEngine<Name extends SpeechEngineName>(
  model: SpeechModel<Name>,
  workDir: string,
): Promise<SpeechEngine> {
  return ENGINES[model.engine](model, workDir);
}
