import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Moonshine, type OnnxRuntime } from '../../speech/captions/moonshine.ts';
import type { SpeechEngine } from '../../speech/captions/speech-engine.ts';
import {
  CAPTION_MODELS,
  type CaptionModel,
  MODEL_FILES,
  type SpeechEngineName,
  type SpeechModel,
} from '../../speech/models/caption-models.ts';
import { Whisper } from './whisper.ts';

const ENGINES: {
  readonly [Name in SpeechEngineName]: (model: SpeechModel<Name>, workDir: string) => Promise<SpeechEngine>;
} = {
  moonshine: ({ path, name }) => openMoonshine(path, CAPTION_MODELS[name]),
  whisper: ({ path, language }, workDir) => Whisper.open(path, language, workDir),
};

/** @param folder as `installModel` leaves it. */
async function openMoonshine(folder: string, model: CaptionModel): Promise<Moonshine> {
  const runtime: OnnxRuntime = await import(pathToFileURL(join(folder, MODEL_FILES.runtime)).href);
  runtime.env.wasm.wasmPaths = pathToFileURL(`${folder}/`).href;
  return Moonshine.open(runtime, model, {
    encoder: () => readFile(join(folder, MODEL_FILES.encoder)),
    decoder: () => readFile(join(folder, MODEL_FILES.decoder)),
    tokens: () => readFile(new URL('../../speech/captions/moonshine-tokens.bin', import.meta.url)),
  });
}

/** Loads a model. @param workDir a folder for files of the engine. */
export function openEngine<Name extends SpeechEngineName>(
  model: SpeechModel<Name>,
  workDir: string,
): Promise<SpeechEngine> {
  return ENGINES[model.engine](model, workDir);
}
