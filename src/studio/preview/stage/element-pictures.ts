import * as texts from '../../texts/en/preview.ts';
import { bitmapDrawable, type Drawable, type SourcePictures } from './drawable.ts';

/** A source that the page plays in a video element of its own, which only a page can. */
export interface PlayedSource {
  /** What it shows at a source time, the receiver's to close; null where the browser cannot play it. */
  frame(micros: number): Promise<ImageBitmap | null>;
  end(): void;
}

/**
 * Pictures of a file that this browser plays but gives no frames of: it has no WebCodecs, or not for this file. Which frame an element
 * shows is its own affair, so this is only close.
 */
export class ElementPictures implements SourcePictures {
  readonly close = texts.notFrameByFrame;
  readonly #source: PlayedSource;
  #shown: ImageBitmap;

  private constructor(source: PlayedSource, first: ImageBitmap) {
    this.#source = source;
    this.#shown = first;
  }

  /** @returns null where the browser cannot play it. */
  static async open(source: PlayedSource): Promise<ElementPictures | null> {
    const first = await source.frame(0);
    if (first !== null) return new ElementPictures(source, first);
    source.end();
    return null;
  }

  get last(): Drawable {
    return bitmapDrawable(this.#shown);
  }

  async at(micros: number): Promise<Drawable> {
    const next = await this.#source.frame(micros);
    if (next !== null) {
      this.#shown.close();
      this.#shown = next;
    }
    return this.last;
  }

  end(): void {
    this.#shown.close();
    this.#source.end();
  }
}
