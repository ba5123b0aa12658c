import { availableParallelism } from 'node:os';
import { ExportError } from '../../errors.ts';
import type { ClipLayer, RenderPlan } from '../../plan/render-plan.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { PictureReader } from './picture-reader.ts';

/** More decoding threads a clip than this only hold memory: encoding is what takes the time. */
const MOST_DECODER_THREADS = 4;
/** Readers at rest that wait for another clip of the same file: so many, or so large together, and no more. */
const MOST_IDLE = 12;
const MOST_IDLE_PIXELS = 1920 * 1080;
/** Readers at work. A span with more clips than this closes and reopens some at every frame: slow, but within bounds. */
const MOST_BUSY = 24;

/** What readers are opened with. */
export interface ClipReadersOptions {
  readonly plan: Pick<RenderPlan, 'clips' | 'sources'>;
  /** Paths by source index. */
  readonly files: ReadonlyMap<number, string>;
  readonly limits: MediaLimits;
  readonly signal: AbortSignal;
}

/**
 * The open files of a render: one reader a clip, opened when the clip is first seen and kept while it plays, so that
 * consecutive spans never seek and two clips of one file never share a position.
 *
 * A reader whose clip is over waits a while for the next clip of the same file, since opening costs more than seeking.
 */
export class ClipReaders implements AsyncDisposable {
  readonly #options: ClipReadersOptions;
  /** By clip, the one asked for least recently first. */
  readonly #busy = new Map<number, PictureReader>();
  /** By source, the one at rest for longest first. */
  #idle: { readonly source: number; readonly reader: PictureReader }[] = [];

  constructor(options: ClipReadersOptions) {
    this.#options = options;
  }

  /** @throws what opening a file does, naming the clip's entry. */
  async reader(clip: number): Promise<PictureReader> {
    const known = this.#busy.get(clip);
    if (known !== undefined) {
      this.#busy.delete(clip);
      this.#busy.set(clip, known);
      return known;
    }
    const layer = this.#options.plan.clips[clip]!;
    const resting = this.#idle.findIndex(({ source }) => source === layer.source);
    const reader = resting === -1 ? await this.#open(layer) : this.#idle.splice(resting, 1)[0]!.reader;
    this.#busy.set(clip, reader);
    if (this.#busy.size > MOST_BUSY) await this.#rest(this.#busy.keys().next().value!);
    return reader;
  }

  /** Lets go of every clip but these. */
  async keep(clips: ReadonlySet<number>): Promise<void> {
    for (const clip of [...this.#busy.keys()]) if (!clips.has(clip)) await this.#rest(clip);
  }

  /** Closes a clip's file. */
  async close(clip: number): Promise<void> {
    const reader = this.#busy.get(clip);
    this.#busy.delete(clip);
    await reader?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#busy.values(), ...this.#idle.map(({ reader }) => reader)];
    this.#busy.clear();
    this.#idle = [];
    for (const reader of open) await reader[Symbol.asyncDispose]();
  }

  async #open(clip: ClipLayer): Promise<PictureReader> {
    const { files, limits, signal } = this.#options;
    const file = files.get(clip.source);
    if (file === undefined) throw new Error(`no file was given for source ${clip.source}`);
    const threads = Math.min(MOST_DECODER_THREADS, availableParallelism());
    try {
      return await PictureReader.open(file, limits, { threads, signal });
    } catch (error) {
      throw namingEntry(error, clip);
    }
  }

  async #rest(clip: number): Promise<void> {
    const reader = this.#busy.get(clip)!;
    this.#busy.delete(clip);
    this.#idle.push({ source: this.#options.plan.clips[clip]!.source, reader });
    while (this.#idle.length > MOST_IDLE || idlePixels(this.#idle) > MOST_IDLE_PIXELS) {
      await this.#idle.shift()!.reader[Symbol.asyncDispose]();
    }
  }
}

function idlePixels(idle: readonly { readonly reader: PictureReader }[]): number {
  return idle.reduce((sum, { reader: { picture } }) => sum + picture.width * picture.height, 0);
}

/** A fault of the media is one of the entry that uses it. (C34) */
function namingEntry(error: unknown, { path, id }: ClipLayer): unknown {
  if (!(error instanceof ExportError) || error.path !== undefined) return error;
  return new ExportError(error.kind, error.code, `Clip "${id}": ${error.message}`, { path, cause: error });
}
