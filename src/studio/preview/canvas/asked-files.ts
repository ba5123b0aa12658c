/** Files of another thread, requested when needed and cached by content hash. */
export class AskedFiles {
  readonly #ask: (hash: string) => Promise<Blob | null>;
  readonly #files = new Map<string, Promise<Blob | null>>();
  /** Requested and not found. */
  readonly #absent = new Set<string>();
  /** Requests in progress; true if the file arrived meanwhile, so that a reply "not found" is outdated. */
  readonly #asking = new Map<string, boolean>();

  constructor(ask: (hash: string) => Promise<Blob | null>) {
    this.#ask = ask;
  }

  /** A file has arrived. @returns whether an earlier request did not find it. */
  came(hash: string): boolean {
    if (this.#asking.has(hash)) this.#asking.set(hash, true);
    return this.#absent.delete(hash);
  }

  /** null if it is not here. A missing file is requested again by the next call. */
  file(hash: string): Promise<Blob | null> {
    let asked = this.#files.get(hash);
    if (asked === undefined) {
      asked = this.#askFor(hash);
      this.#files.set(hash, asked);
    }
    return asked;
  }

  async #askFor(hash: string): Promise<Blob | null> {
    let file: Blob | null;
    do {
      this.#asking.set(hash, false);
      file = await this.#ask(hash);
    } while (file === null && this.#asking.get(hash));
    this.#asking.delete(hash);
    if (file === null) {
      this.#files.delete(hash);
      this.#absent.add(hash);
    }
    return file;
  }
}
