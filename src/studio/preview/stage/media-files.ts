/** The project's files in the worker: asked of the page, which has them, and kept by content. */
export class MediaFiles {
  readonly #ask: (hash: string) => Promise<Blob | null>;
  readonly #draw: (hash: string, mostPx: number) => Promise<ImageBitmap | null>;
  readonly #files = new Map<string, Promise<Blob | null>>();
  /** Asked for, and not there. */
  readonly #absent = new Set<string>();
  /** The page is being asked for these; true for one that came meanwhile, of which an answer that it is not there is too old. */
  readonly #asking = new Map<string, boolean>();

  /**
   * @param ask gives a file's bytes.
   * @param draw makes a picture of an SVG, which only a page can.
   */
  constructor(
    ask: (hash: string) => Promise<Blob | null>,
    draw: (hash: string, mostPx: number) => Promise<ImageBitmap | null>,
  ) {
    this.#ask = ask;
    this.#draw = draw;
  }

  /** A file has come to the page. @returns whether somebody here had wanted it in vain. */
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

  /**
   * A picture of the file, upright; the caller's to close. Scaled down until its shorter side has `mostPx`; null for no limit. null
   * where this browser cannot show it.
   */
  async bitmap(hash: string, mostPx: number | null): Promise<ImageBitmap | null> {
    const file = await this.file(hash);
    if (file === null) return null;
    try {
      if (file.type === 'image/svg+xml') return await this.#draw(hash, mostPx ?? 1080);
      const whole = await createImageBitmap(file, { imageOrientation: 'from-image' });
      const least = Math.min(whole.width, whole.height);
      if (mostPx === null || least <= mostPx) return whole;
      const [resizeWidth, resizeHeight] = [whole.width, whole.height].map((side) =>
        Math.round((side * mostPx) / least),
      );
      const scaled = await createImageBitmap(whole, {
        resizeWidth: resizeWidth!,
        resizeHeight: resizeHeight!,
        resizeQuality: 'high',
      });
      whole.close();
      return scaled;
    } catch {
      return null;
    }
  }
}
