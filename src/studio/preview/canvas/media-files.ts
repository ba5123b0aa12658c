import { AskedFiles } from './asked-files.ts';

/** The project's files in the worker: requested from the page, cached by content hash. */
export class MediaFiles extends AskedFiles {
  readonly #draw: (hash: string, maxPx: number) => Promise<ImageBitmap | null>;
  /** Reports a file that is here and cannot be shown, with the reason. */
  readonly failed: (hash: string, error: unknown) => void;

  /**
   * @param ask returns a file's bytes.
   * @param draw renders an SVG, which another worker does; it reports a failure itself.
   */
  constructor(
    ask: (hash: string) => Promise<Blob | null>,
    draw: (hash: string, maxPx: number) => Promise<ImageBitmap | null>,
    failed: (hash: string, error: unknown) => void,
  ) {
    super(ask);
    this.#draw = draw;
    this.failed = failed;
  }

  /**
   * An upright picture of the file, which the caller closes. Scaled down until its shorter side is `maxPx`; null for no limit. Returns
   * null if this browser cannot show it.
   */
  async bitmap(hash: string, maxPx: number | null): Promise<ImageBitmap | null> {
    const file = await this.file(hash);
    if (file === null) return null;
    try {
      if (file.type === 'image/svg+xml') return await this.#draw(hash, maxPx ?? 1080);
      const whole = await createImageBitmap(file, { imageOrientation: 'from-image' });
      const shorter = Math.min(whole.width, whole.height);
      if (maxPx === null || shorter <= maxPx) return whole;
      const [resizeWidth, resizeHeight] = [whole.width, whole.height].map((side) =>
        Math.round((side * maxPx) / shorter),
      );
      const scaled = await createImageBitmap(whole, {
        resizeWidth: resizeWidth!,
        resizeHeight: resizeHeight!,
        resizeQuality: 'high',
      });
      whole.close();
      return scaled;
    } catch (error) {
      this.failed(hash, error);
      return null;
    }
  }
}
