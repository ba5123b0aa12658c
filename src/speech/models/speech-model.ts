import type { CaptionModelName } from './caption-models.ts';

/** A model that is installed, as an engine opens it. */
export interface SpeechModel {
  readonly engine: 'moonshine';
  readonly name: CaptionModelName;
  readonly folder: string;
}
