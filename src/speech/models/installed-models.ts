import { basename } from 'node:path';
import { ExportError } from '../../errors.ts';
import { ANY_LANGUAGE } from '../../timeline/wanted/wanted-captions.ts';
import { CAPTION_MODEL_NAMES, type CaptionModelName } from './caption-models.ts';
import { installedModel, modelFolder } from './model-folder.ts';
import type { SpeechModel } from './speech-model.ts';

/** A model, and the language it is to write. */
interface ChosenModel {
  readonly model: SpeechModel;
  /** ISO 639. */
  readonly language: string;
  /** Names the model and its version. */
  readonly key: string;
}

/** What the models of the table understand. */
const ENGLISH = 'en';

/** The speech models of this machine. They can be installed while it runs. */
export class InstalledModels {
  readonly #modelsDir: string;

  constructor(modelsDir: string) {
    this.#modelsDir = modelsDir;
  }

  hasAny(): boolean {
    return installedModel(this.#modelsDir) !== null;
  }

  /** @throws `captions.no_model` */
  requireAny(): void {
    if (!this.hasAny()) throw noModel();
  }

  /** The best for a language. @throws `captions.no_model`, `captions.no_language` */
  choose(language: string): ChosenModel {
    const [best] = this.#all();
    if (best === undefined) throw noModel();
    if (language === ANY_LANGUAGE || language === best.language) return best;
    const message = `No installed speech model writes the language ${language}. Installed: ${best.language}.`;
    throw new ExportError('missing', 'captions.no_language', message, { path: '/language' });
  }

  /** The one that was chosen before. @throws `captions.no_model` */
  named(key: string): ChosenModel {
    const found = this.#all().find((each) => each.key === key);
    if (found === undefined) throw noModel();
    return found;
  }

  #all(): ChosenModel[] {
    return CAPTION_MODEL_NAMES.filter((name) => installedModel(this.#modelsDir, name) !== null).map((name) => {
      const folder = modelFolder(this.#modelsDir, name);
      return { model: { engine: 'moonshine', name, folder }, language: ENGLISH, key: basename(folder) };
    });
  }
}

/** @param wanted the one that was asked for. */
export function noModel(wanted?: CaptionModelName): ExportError {
  const install = `tiercut captions install${wanted === undefined ? '' : ` --model ${wanted}`}`;
  const message = `No speech model is installed. Install one with "${install}".`;
  return new ExportError('missing', 'captions.no_model', message);
}
