import type { CaptionModelName } from './caption-models.ts';

/** A model that is installed, as an engine opens it. A row for each engine. */
interface EngineModels {
  readonly moonshine: { readonly name: CaptionModelName };
  readonly whisper: {
    /** ISO 639-1, or `auto`. */
    readonly language: string;
  };
}

export type SpeechEngineName = keyof EngineModels;

export type SpeechModel<Name extends SpeechEngineName = SpeechEngineName> = {
  [Each in Name]: EngineModels[Each] & {
    readonly engine: Each;
    /** The folder or the file of the model. */
    readonly path: string;
  };
}[Name];
