/** Files that another has, asked for when they are wanted and kept by content. */
export class AskedFiles {
  readonly #ask: (hash: string) => Promise<Blob | null>;
  readonly #files = new Map<string, Promise<Blob | null>>();
  /** Asked for, and not there. */
  readonly #absent = new Set<string>();
  /** Being asked for; true for one that came meanwhile, of which an answer that it is not there is too old. */
  readonly #asking = new Map<string, boolean>();

  constructor(ask: (hash: string) => Promise<Blob | null>) {
    this.#ask = ask;
  }

  /** A file has come to where it is asked for. @returns whether somebody here had wanted it in vain. */
  came(hash: string): boolean {
    if (this.#asking.has(hash)) this.#asking.set(hash, true);
    return this.#absent.delete(hash);
  }

  /** null where it is not here. Asked for again if it was not there before. */
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
