import { availableParallelism } from 'node:os';
import { ExportError } from '../../errors.ts';
import type { ClipLayer } from '../../plan/model/clip-layer.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { PictureReader } from './picture-reader.ts';

/** More decoding threads a clip only hold memory: encoding takes most of the time. */
const MAX_DECODER_THREADS = 4;
/** Idle readers that wait for another clip of the same file: at most this many, and at most this large together. */
const MAX_IDLE = 12;
const MAX_IDLE_PIXELS = 1920 * 1080;
/** Readers at work. A span with more clips than this closes and reopens some at every frame: slow, but within bounds. */
const MAX_BUSY = 24;

/** What readers are opened with. */
interface ClipReadersOptions {
  readonly limits: MediaLimits;
  readonly signal: AbortSignal;
}

/** A clip and its file. Presets of one video have clips of the same path in common. */
interface ClipFile {
  readonly clip: Pick<ClipLayer, 'id' | 'path'>;
  readonly file: string;
}

/** One reader, and its users. */
interface Busy {
  readonly file: string;
  readonly reader: PictureReader;
  readonly users: Set<unknown>;
}

/**
 * The open files of a render: one reader a clip, opened when the clip is first visible and kept while it plays, so that
 * consecutive spans never seek and two clips of one file never share a position. Several presets of one video may share
 * readers, as long as they ask for the same times in turn: a frame is then decoded once for all. When all presets have
 * finished a clip, its reader is kept for a while for the next clip of the same file, since opening costs more than
 * seeking.
 */
export class ClipReaders implements AsyncDisposable {
  readonly #options: ClipReadersOptions;
  /** By the clip's path, the one asked for least recently first. */
  readonly #busy = new Map<string, Busy>();
  /** The one at rest for longest first. */
  #idle: { readonly file: string; readonly reader: PictureReader }[] = [];

  constructor(options: ClipReadersOptions) {
    this.#options = options;
  }

  /** @throws the errors of opening a file, naming the clip's entry. */
  async reader({ clip, file }: ClipFile, user: unknown): Promise<PictureReader> {
    const { path } = clip;
    const known = this.#busy.get(path);
    if (known !== undefined) {
      known.users.add(user);
      this.#busy.delete(path);
      this.#busy.set(path, known);
      return known.reader;
    }
    const resting = this.#idle.findIndex((idle) => idle.file === file);
    const reader = resting === -1 ? await this.#open(clip, file) : this.#idle.splice(resting, 1)[0]!.reader;
    this.#busy.set(path, { file, reader, users: new Set([user]) });
    if (this.#busy.size > MAX_BUSY) await this.#rest(this.#busy.keys().next().value!);
    return reader;
  }

  /** From now on `user` reads no clips but these. */
  async keep(paths: ReadonlySet<string>, user: unknown): Promise<void> {
    for (const [path, { users }] of [...this.#busy]) {
      if (!paths.has(path) && users.delete(user) && users.size === 0) await this.#rest(path);
    }
  }

  /** Closes a clip's file. */
  async close({ path }: Pick<ClipLayer, 'path'>): Promise<void> {
    const known = this.#busy.get(path);
    this.#busy.delete(path);
    await known?.reader[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#busy.values(), ...this.#idle].map(({ reader }) => reader);
    this.#busy.clear();
    this.#idle = [];
    for (const reader of open) await reader[Symbol.asyncDispose]();
  }

  async #open(clip: ClipFile['clip'], file: string): Promise<PictureReader> {
    const { limits, signal } = this.#options;
    const threads = Math.min(MAX_DECODER_THREADS, availableParallelism());
    try {
      return await PictureReader.open(file, limits, { threads, signal });
    } catch (error) {
      throw namingEntry(error, clip);
    }
  }

  async #rest(path: string): Promise<void> {
    const { file, reader } = this.#busy.get(path)!;
    this.#busy.delete(path);
    this.#idle.push({ file, reader });
    while (this.#idle.length > MAX_IDLE || idlePixels(this.#idle) > MAX_IDLE_PIXELS) {
      await this.#idle.shift()!.reader[Symbol.asyncDispose]();
    }
  }
}

function idlePixels(idle: readonly { readonly reader: PictureReader }[]): number {
  return idle.reduce((sum, { reader: { picture } }) => sum + picture.width * picture.height, 0);
}

/** A fault of the media is one of the entry that uses it. (C34) */
function namingEntry(error: unknown, { path, id }: ClipFile['clip']): unknown {
  if (!(error instanceof ExportError) || error.path !== undefined) return error;
  return new ExportError(error.kind, error.code, `Clip "${id}": ${error.message}`, { path, cause: error });
}
