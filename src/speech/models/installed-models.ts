import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExportError } from '../../errors.ts';
import { ANY_LANGUAGE, UNDETERMINED } from '../../timeline/wanted-fields.ts';
import { CAPTION_MODEL_NAMES, type CaptionModelName, MODEL_FILES, type SpeechModel } from './caption-models.ts';

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

/** The speech models of this machine, best first. Those of the folder can be installed while it runs. */
export class InstalledModels {
  readonly #modelsDir: string;
  readonly #whisper: WhisperFile | null;

  constructor(modelsDir: string, whisper: WhisperFile | null = null) {
    this.#modelsDir = modelsDir;
    this.#whisper = whisper;
  }

  /** @param whisper a Whisper model, and its hash if known. @throws `captions.bad_model`, `captions.no_vulkan` */
  static async open(
    modelsDir: string,
    whisper: { readonly whisperModel: string | null; readonly whisperSha256: string | null },
    vulkanLoader = VULKAN_LOADER,
  ): Promise<InstalledModels> {
    const { whisperModel: path, whisperSha256: sha256 } = whisper;
    if (path === null) return new InstalledModels(modelsDir);
    const file = await checkWhisperFile(resolve(path), sha256);
    if (!hasLibrary(vulkanLoader)) throw noVulkan();
    return new InstalledModels(modelsDir, file);
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

/** A shared library of the system; null where none is needed. */
type Library = string | null;

/**
 * FFmpeg's Whisper looks for graphics cards when it opens, also if it may not use them. Without the Vulkan loader it crashes
 * on Linux.
 */
export const VULKAN_LOADER: Library = process.platform === 'linux' ? 'libvulkan.so.1' : null;

/** Whether the system has a library. It stays loaded. */
export function hasLibrary(library: Library): boolean {
  if (library === null) return true;
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_LAZY);
    return true;
  } catch (error) {
    // A library that was loaded is refused because it is no module of Node.
    return (error as Error).message.startsWith('Module did not self-register');
  }
}

function noVulkan(): ExportError {
  const message =
    'A Whisper model needs the Vulkan loader, with or without a graphics card. Install it, for example with ' +
    '"apt-get install libvulkan1", or unset TIERCUT_WHISPER_MODEL.';
  return new ExportError('missing', 'captions.no_vulkan', message);
}

/** A file of Whisper weights that was checked. */
interface WhisperFile {
  readonly path: string;
  /** Identifies the weights. */
  readonly key: string;
  /** ISO 639-1. */
  readonly languages: readonly string[];
}

/** "ggml", read as a little-endian number. */
const MAGIC = 0x67_67_6d_6c;
/** The magic and 11 parameters. */
const HEADER_BYTES = 48;
/** Filters and vocabulary: the published models have less than 1.5 MB of them. */
const MAX_PREFACE_BYTES = 8 * 2 ** 20;
const MAX_DIMENSIONS = 4;
const MAX_NAME_BYTES = 256;
/** Bytes read of each tensor: its header, and enough weights to distinguish models. */
const SAMPLE_BYTES = 4096;

/** By type of a ggml tensor: weights in a block, and its bytes. */
const BLOCKS: Readonly<Record<number, readonly [weights: number, bytes: number]>> = {
  0: [1, 4], // f32
  1: [1, 2], // f16
  2: [32, 18], // q4_0
  3: [32, 20], // q4_1
  6: [32, 22], // q5_0
  7: [32, 24], // q5_1
  8: [32, 34], // q8_0
  10: [256, 84], // q2_k
  11: [256, 110], // q3_k
  12: [256, 144], // q4_k
  13: [256, 176], // q5_k
  14: [256, 210], // q6_k
};

/** In the order of the vocabulary. A model of the third generation has one more. */
const LANGUAGES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'.split(
    ' ',
  );
/** Of a model for English only. A model for all languages has a token for each language but one more. */
const ENGLISH_VOCABULARY = 51_864;

/**
 * Checks a file of Whisper weights in the format ggml. FFmpeg accepts a truncated file without an error, so the size of
 * every tensor is compared with the file.
 *
 * @param sha256 the hash that the file must have; null: any. With a hash, the whole file is read.
 * @throws `captions.bad_model`
 */
export async function checkWhisperFile(path: string, sha256: string | null): Promise<WhisperFile> {
  const file = await open(path).catch((cause: unknown) => {
    throw bad('The Whisper model cannot be read. Check TIERCUT_WHISPER_MODEL.', cause);
  });
  await using _owned = file;
  const { vocabulary, fingerprint } = await readModel(file);
  if (sha256 !== null && (await hashOf(path)) !== sha256) {
    throw bad('The Whisper model does not have the hash of TIERCUT_WHISPER_SHA256. Download it again.');
  }
  const extra = vocabulary - ENGLISH_VOCABULARY;
  const languages = LANGUAGES.slice(0, extra === 0 ? 1 : LANGUAGES.length - 2 + extra);
  return { path, key: `whisper-${fingerprint.slice(0, 16)}-1`, languages };
}

async function readModel(file: FileHandle): Promise<{ vocabulary: number; fingerprint: string }> {
  const { size } = await file.stat();
  const preface = await bytesAt(file, 0, MAX_PREFACE_BYTES);
  if (preface.length < HEADER_BYTES || preface.readUInt32LE(0) !== MAGIC) {
    throw bad('The Whisper model is not a ggml file.');
  }
  const parameter = (index: number) => preface.readInt32LE(4 + 4 * index);
  const tensors = 11 + 15 * parameter(4) + 24 * parameter(8);
  const fingerprint = createHash('sha256').update(`${size} `).update(preface.subarray(0, HEADER_BYTES));
  let at = prefaceLength(preface);
  let found = 0;
  for (; at < size; found++) {
    const sample = await bytesAt(file, at, SAMPLE_BYTES);
    fingerprint.update(sample);
    at += tensorBytes(sample);
  }
  if (at !== size || found !== tensors) throw truncated();
  return { vocabulary: parameter(0), fingerprint: fingerprint.digest('hex') };
}

/** Header, filters and vocabulary. */
function prefaceLength(preface: Buffer): number {
  const numberAt = (at: number) => {
    if (at + 4 > preface.length) throw truncated();
    return preface.readUInt32LE(at);
  };
  const filters = HEADER_BYTES + 8 + 4 * numberAt(HEADER_BYTES) * numberAt(HEADER_BYTES + 4);
  const words = numberAt(filters);
  let at = filters + 4;
  for (let n = 0; n < words; n++) at += 4 + numberAt(at);
  return at;
}

function tensorBytes(sample: Buffer): number {
  if (sample.length < 12) throw truncated();
  const [dimensions, nameBytes, type] = [0, 4, 8].map((at) => sample.readUInt32LE(at)) as [number, number, number];
  const block = BLOCKS[type];
  const header = 12 + 4 * dimensions + nameBytes;
  if (block === undefined || dimensions > MAX_DIMENSIONS || nameBytes > MAX_NAME_BYTES) throw truncated();
  if (sample.length < header) throw truncated();
  let weights = 1;
  for (let n = 0; n < dimensions; n++) weights *= sample.readUInt32LE(12 + 4 * n);
  return header + (weights / block[0]) * block[1];
}

async function bytesAt(file: FileHandle, position: number, max: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(max), 0, max, position);
  return buffer.subarray(0, bytesRead);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function truncated(): ExportError {
  return bad('The Whisper model is truncated or damaged. Download it again.');
}

function bad(message: string, cause?: unknown): ExportError {
  return new ExportError('invalid', 'captions.bad_model', message, { cause });
}

/** The folder of a model. The number rises when its content changes: an older folder is then not a valid model. */
export function modelFolder(modelsDir: string, name: CaptionModelName): string {
  return join(modelsDir, `moonshine-${name}-en-1`);
}

/**
 * The best of the installed models, or the requested one. A folder appears complete or not at all, so checking one file
 * is enough.
 */
export function installedModel(modelsDir: string, wanted?: CaptionModelName): CaptionModelName | null {
  const isThere = (name: CaptionModelName) => existsSync(join(modelFolder(modelsDir, name), MODEL_FILES.decoder));
  return CAPTION_MODEL_NAMES.find((name) => (wanted === undefined || name === wanted) && isThere(name)) ?? null;
}
