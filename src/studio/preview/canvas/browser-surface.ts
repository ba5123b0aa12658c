import type { VideoSample } from 'mediabunny';
import type { Canvas2D, CreateSurface } from '../../../paint/canvas-2d.ts';
import type { Rect } from '../../../plan/model/canvas.ts';
import type { PaintedPicture, Painting } from '../../../plan/model/painter.ts';

let fontsCame = 0;

/**
 * Called when a font has loaded. Chromium's workers cache the fonts found for a list of families as long as they live: a list that was
 * used before a font loaded would never find it. So each call changes the list by adding a family that does not exist.
 */
export function fontCame(): void {
  fontsCame += 1;
}

const { get: getFont, set: setFont } = Object.getOwnPropertyDescriptor(
  OffscreenCanvasRenderingContext2D.prototype,
  'font',
)!;

const FONT_PROPERTY: PropertyDescriptor = {
  get(this: OffscreenCanvasRenderingContext2D) {
    return getFont!.call(this);
  },
  set(this: OffscreenCanvasRenderingContext2D, font: string) {
    setFont!.call(this, `${font}, "Tiercut ${fontsCame}"`);
  },
};

/**
 * A surface in memory that is painted and read back. Its pixels have straight alpha, as `putImageData` takes it: converting to
 * premultiplied alpha and back would cost time and precision.
 */
export const createBrowserSurface: CreateSurface = (width, height) => {
  const bitmap = new OffscreenCanvas(width, height);
  const context = bitmap.getContext('2d', { willReadFrequently: true })!;
  Object.defineProperty(context, 'font', FONT_PROPERTY);
  return {
    bitmap,
    context: context as unknown as Canvas2D,
    pixels: () => new Uint8Array(context.getImageData(0, 0, width, height).data.buffer),
  };
};

/** Painted pixels as `ImageData`, on the same memory. */
function imageOf({ rect, rgba }: PaintedPicture): ImageData {
  const pixels = new Uint8ClampedArray(rgba.buffer as ArrayBuffer, rgba.byteOffset, rgba.byteLength);
  return new ImageData(pixels, rect.width, rect.height);
}

/** Painted pictures as canvases, each made once. */
export class PaintedBitmaps {
  readonly #made = new WeakMap<PaintedPicture, OffscreenCanvas>();

  get(picture: PaintedPicture): OffscreenCanvas {
    let bitmap = this.#made.get(picture);
    if (bitmap === undefined) {
      bitmap = new OffscreenCanvas(picture.rect.width, picture.rect.height);
      bitmap.getContext('2d')!.putImageData(imageOf(picture), 0, 0);
      this.#made.set(picture, bitmap);
    }
    return bitmap;
  }
}

/** The current board of a window. Only the part that moved is updated. */
export class BoardBitmap {
  #still: PaintedPicture | null = null;
  #image: ImageData | null = null;
  #canvas: OffscreenCanvas | null = null;
  #context: OffscreenCanvasRenderingContext2D | null = null;
  #moved: Rect | null = null;

  /** The board without what is in front of the dim; valid until the next call. */
  show({ still, moving }: Painting): { readonly rect: Rect; readonly bitmap: OffscreenCanvas } {
    const { rect } = still;
    if (this.#canvas === null || this.#canvas.width !== rect.width || this.#canvas.height !== rect.height) {
      this.#canvas = new OffscreenCanvas(rect.width, rect.height);
      this.#context = this.#canvas.getContext('2d')!;
      this.#still = null;
    }
    if (this.#still !== still) {
      this.#still = still;
      this.#image = imageOf(still);
      this.#context!.putImageData(this.#image, 0, 0);
    } else if (this.#moved !== null) {
      const { x, y, width, height } = this.#moved;
      this.#context!.putImageData(this.#image!, 0, 0, x, y, width, height);
    }
    this.#moved = null;
    if (moving !== null) {
      const [x, y] = [moving.rect.x - rect.x, moving.rect.y - rect.y];
      this.#context!.putImageData(imageOf(moving), x, y);
      this.#moved = { x, y, width: moving.rect.width, height: moving.rect.height };
    }
    return { rect, bitmap: this.#canvas };
  }
}

export type Context = OffscreenCanvasRenderingContext2D;

/** An upright picture of a source. Its maker owns it: draw it before requesting the next one. */
export interface Drawable {
  /** The decoded picture: drawables of the same one draw the same. */
  readonly of: object;
  readonly width: number;
  readonly height: number;
  /** The same if it is one of a video. */
  readonly film?: VideoSample;
  /** Draws its part `from`, in its own pixels, into `to`. */
  draw(context: Context, from: Rect, to: Rect): void;
}

/** Pictures of one source, by source time. */
export interface SourcePictures {
  /** Why the picture may differ from the export; null if it is the same frame. */
  readonly close: string | null;
  /** The picture due at a time (R5), in microseconds; null if there is none. One call at a time. */
  at(micros: number): Promise<Drawable | null>;
  /** The last picture, if it still exists, to show while the right one loads. */
  readonly last: Drawable | null;
  end(): void;
}

/** A decoded picture that stays valid. */
export function bitmapDrawable(bitmap: ImageBitmap | OffscreenCanvas): Drawable {
  return {
    of: bitmap,
    width: bitmap.width,
    height: bitmap.height,
    draw: (context, from, to) =>
      context.drawImage(bitmap, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height),
  };
}
