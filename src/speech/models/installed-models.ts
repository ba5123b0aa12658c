import { basename, resolve } from 'node:path';
import { ExportError } from '../../errors.ts';
import { ANY_LANGUAGE } from '../../timeline/wanted/wanted-captions.ts';
import { CAPTION_MODEL_NAMES, type CaptionModelName } from './caption-models.ts';
import { installedModel, modelFolder } from './model-folder.ts';
import type { SpeechModel } from './speech-model.ts';
import { checkWhisperFile, type WhisperFile } from './whisper-file.ts';

/** A model, and the language it is to write. */
interface ChosenModel {
  readonly model: SpeechModel;
  /** ISO 639; `und` if the model detects it. */
  readonly language: string;
  /** Names the model and its version. */
  readonly key: string;
}

/** A model, and its languages. */
interface Installed {
  readonly key: string;
  /** The meaning of `auto`; null: the model detects the language. */
  readonly auto: string | null;
  readonly languages: readonly string[];
  /** @param language one of `languages`, or `auto`. */
  readonly writing: (language: string) => SpeechModel;
}

const ENGLISH = 'en';
/** The ISO 639 code for an unknown language. */
const UNDETERMINED = 'und';

/** The speech models of this machine, best first. Those of the folder can be installed while it runs. */
export class InstalledModels {
  readonly #modelsDir: string;
  readonly #whisper: WhisperFile | null;

  constructor(modelsDir: string, whisper: WhisperFile | null = null) {
    this.#modelsDir = modelsDir;
    this.#whisper = whisper;
  }

  /** @param whisper a Whisper model, and its hash if known. @throws `captions.bad_model` */
  static async open(
    modelsDir: string,
    whisper: { readonly whisperModel: string | null; readonly whisperSha256: string | null },
  ): Promise<InstalledModels> {
    const { whisperModel: path, whisperSha256: sha256 } = whisper;
    return new InstalledModels(modelsDir, path === null ? null : await checkWhisperFile(resolve(path), sha256));
  }

  /** The keys of all. */
  keys(): string[] {
    return this.#all().map(({ key }) => key);
  }

  /** The languages that can be named, sorted; empty without a model. */
  languages(): string[] {
    return languagesOf(this.#all());
  }

  /** @throws `captions.no_model` */
  requireAny(): void {
    if (this.#all().length === 0) throw noModel();
  }

  /** The best for a language. @param wanted only this one. @throws `captions.no_model`, `captions.no_language` */
  choose(language: string, wanted?: CaptionModelName): ChosenModel {
    const installed = this.#all(wanted);
    if (installed.length === 0) throw noModel(wanted);
    const found = installed.find(({ languages }) => language === ANY_LANGUAGE || languages.includes(language));
    if (found !== undefined) return chosen(found, language === ANY_LANGUAGE ? (found.auto ?? UNDETERMINED) : language);
    const known = languagesOf(installed).join(', ');
    const message = `No installed speech model supports the language ${language}. Installed: ${known}.`;
    throw new ExportError('missing', 'captions.no_language', message, { path: '/language' });
  }

  /** The one that was chosen before, with its language. @throws `captions.no_model` */
  named(key: string, language: string): ChosenModel {
    const found = this.#all().find((each) => each.key === key);
    if (found !== undefined) return chosen(found, language);
    const message = 'The speech model for these captions is no longer installed. Request them again.';
    throw new ExportError('missing', 'captions.no_model', message);
  }

  #all(wanted?: CaptionModelName): Installed[] {
    const moonshine = CAPTION_MODEL_NAMES.filter(
      (name) => (wanted === undefined || name === wanted) && installedModel(this.#modelsDir, name) !== null,
    ).map((name) => {
      const path = modelFolder(this.#modelsDir, name);
      const model = { engine: 'moonshine', name, path } as const;
      return { key: basename(path), auto: ENGLISH, languages: [ENGLISH], writing: () => model };
    });
    return this.#whisper === null || wanted !== undefined ? moonshine : [...moonshine, whisperModel(this.#whisper)];
  }
}

function whisperModel({ path, key, languages }: WhisperFile): Installed {
  const [only] = languages;
  return {
    key,
    auto: languages.length === 1 ? only! : null,
    languages,
    writing: (language) => ({ engine: 'whisper', path, language }),
  };
}

function languagesOf(installed: readonly Installed[]): string[] {
  return [...new Set(installed.flatMap(({ languages }) => languages))].sort();
}

function chosen({ key, writing }: Installed, language: string): ChosenModel {
  return { key, language, model: writing(language === UNDETERMINED ? ANY_LANGUAGE : language) };
}

/** @param wanted the requested model. */
function noModel(wanted?: CaptionModelName): ExportError {
  const install = `tiercut captions install${wanted === undefined ? '' : ` --model ${wanted}`}`;
  const message = `No speech model is installed. Install one with "${install}".`;
  return new ExportError('missing', 'captions.no_model', message);
}
