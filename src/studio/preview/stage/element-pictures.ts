import * as texts from '../../texts/en/preview.ts';
import { bitmapDrawable, type Drawable, type SourcePictures } from './drawable.ts';

/** A source that the page plays in a video element, which a worker cannot do. */
export interface PlayedSource {
  /** The picture at a source time, which the caller closes; null if the browser cannot play the file. */
  frame(micros: number): Promise<ImageBitmap | null>;
  end(): void;
}

/**
 * Pictures of a file that this browser can play but not decode frame by frame, because WebCodecs or the codec is missing. The element
 * decides which frame it shows, so the result is only close.
 */
export class ElementPictures implements SourcePictures {
  readonly close = texts.notFrameByFrame;
  readonly #source: PlayedSource;
  #shown: ImageBitmap;

  private constructor(source: PlayedSource, first: ImageBitmap) {
    this.#source = source;
    this.#shown = first;
  }

  /** @returns null if the browser cannot play it. */
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
