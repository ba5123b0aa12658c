import * as texts from '../../texts/en/preview.ts';
import { bitmapDrawable, type Drawable, type SourcePictures } from './drawable.ts';

/** One picture for all times. */
export class StillPicture implements SourcePictures {
  readonly close = null;
  readonly last: Drawable;
  readonly #bitmap: ImageBitmap;

  constructor(bitmap: ImageBitmap) {
    this.#bitmap = bitmap;
    this.last = bitmapDrawable(bitmap);
  }

  async at(): Promise<Drawable> {
    return this.last;
  }

  end(): void {
    this.#bitmap.close();
  }
}

/** The part of the API that we use. Not every browser has it. */
interface FrameDecoder {
  readonly tracks: { readonly ready: Promise<void>; readonly selectedTrack: { readonly frameCount: number } | null };
  readonly completed: Promise<void>;
  decode(options: { frameIndex: number }): Promise<{ readonly image: VideoFrame }>;
  close(): void;
}

/** The length of a frame that has none, as in browsers. */
const HASTY_MICROS = 10_000;
const CALM_MICROS = 100_000;

/** The frames of an animation (GIF, WebP, APNG, AVIF), decoded on demand. The plan does the looping. */
export class AnimationPictures implements SourcePictures {
  readonly close = texts.animationTiming;
  readonly #decoder: FrameDecoder;
  readonly #starts: readonly number[];
  #shown = -1;
  #image: VideoFrame | null = null;

  private constructor(decoder: FrameDecoder, starts: readonly number[]) {
    this.#decoder = decoder;
    this.#starts = starts;
  }

  /** @returns null if the browser cannot decode it. */
  static async open(file: Blob): Promise<AnimationPictures | null> {
    const { ImageDecoder: Decoder } = globalThis as {
      ImageDecoder?: new (init: { data: ReadableStream | ArrayBuffer; type: string }) => FrameDecoder;
    };
    if (Decoder === undefined) return null;
    try {
      const decoder = new Decoder({ data: await file.arrayBuffer(), type: file.type });
      await decoder.tracks.ready;
      await decoder.completed;
      const starts: number[] = [];
      let at = 0;
      for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex += 1) {
        starts.push(at);
        const { image } = await decoder.decode({ frameIndex });
        const lasts = image.duration ?? 0;
        at += lasts <= HASTY_MICROS ? CALM_MICROS : lasts;
        image.close();
      }
      return starts.length === 0 ? null : new AnimationPictures(decoder, starts);
    } catch {
      return null;
    }
  }

  get last(): Drawable | null {
    return this.#image === null ? null : frameDrawable(this.#image);
  }

  async at(micros: number): Promise<Drawable | null> {
    const due = Math.max(
      0,
      this.#starts.findLastIndex((start) => start <= micros),
    );
    if (due !== this.#shown) {
      const { image } = await this.#decoder.decode({ frameIndex: due });
      this.#image?.close();
      this.#image = image;
      this.#shown = due;
    }
    return this.last;
  }

  end(): void {
    this.#image?.close();
    this.#image = null;
    this.#decoder.close();
  }
}

function frameDrawable(image: VideoFrame): Drawable {
  return {
    width: image.displayWidth,
    height: image.displayHeight,
    draw: (context, from, to) =>
      context.drawImage(image, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height),
  };
}
