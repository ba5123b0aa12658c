import type { MediaLimits } from '../input/media-limits.ts';
import { SoundReader } from './sound-reader.ts';

/**
 * Open files cost memory by their index; a timeline may sound in more places at once than is wise to hold open. Each part of a joined
 * file is one.
 */
const MAX_OPEN = 32;

/**
 * Lends readers to the clips that sound. A clip keeps its reader from block to block; a returned reader serves the next
 * clip of the same file, and beyond `MAX_OPEN` files the least recently used one is closed. A read never depends on
 * those before it, so any clip can use any reader of its file.
 */
export class ReaderPool implements AsyncDisposable {
  readonly #files: ReadonlyMap<number, string>;
  readonly #limits: MediaLimits;
  readonly #signal: AbortSignal;
  /** By borrower (`lent`), or null; the first entry was used least recently. */
  readonly #open: { source: number; borrower: number | null; readonly reader: SoundReader }[] = [];
  readonly #silent = new Set<number>();

  /** `files` by source index. */
  constructor(files: ReadonlyMap<number, string>, limits: MediaLimits, signal: AbortSignal) {
    this.#files = files;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** The reader `borrower` had last time, if it is still there. */
  held(borrower: number): SoundReader | null {
    const index = this.#open.findIndex((entry) => entry.borrower === borrower);
    if (index < 0) return null;
    const [entry] = this.#open.splice(index, 1);
    this.#open.push(entry!);
    return entry!.reader;
  }

  /**
   * A reader of `source` for `borrower`; null if that file has no sound.
   *
   * @throws the errors of `SoundReader.open`.
   */
  async borrow(borrower: number, source: number): Promise<SoundReader | null> {
    if (this.#silent.has(source)) return null;
    const index = this.#open.findIndex((entry) => entry.source === source && entry.borrower === null);
    if (index >= 0) {
      const [entry] = this.#open.splice(index, 1);
      entry!.borrower = borrower;
      this.#open.push(entry!);
      return entry!.reader;
    }
    const file = this.#files.get(source);
    if (file === undefined) throw new Error(`no file was given for source ${source}`);
    const reader = await SoundReader.open(file, this.#limits, this.#signal);
    if (reader === null) {
      this.#silent.add(source);
      return null;
    }
    while (this.#openFiles + reader.openFiles > MAX_OPEN && this.#open.length > 0) {
      await this.#open.shift()!.reader[Symbol.asyncDispose]();
    }
    this.#open.push({ source, borrower, reader });
    return reader;
  }

  /** Ends a loan; the reader waits for the next clip of its file. */
  giveBack(borrower: number): void {
    const entry = this.#open.find((candidate) => candidate.borrower === borrower);
    if (entry !== undefined) entry.borrower = null;
  }

  get #openFiles(): number {
    return this.#open.reduce((sum, { reader }) => sum + reader.openFiles, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { reader } of this.#open.splice(0)) await reader[Symbol.asyncDispose]();
  }
}
