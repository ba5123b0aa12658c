import type { Canvas2D, CreateSurface } from '../../../paint/canvas-2d.ts';
import type { Overlay, Painting } from '../../../plan/overlay-painter.ts';
import type { Rect } from '../../../plan/rect.ts';

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
function imageOf({ rect, rgba }: Overlay): ImageData {
  const pixels = new Uint8ClampedArray(rgba.buffer as ArrayBuffer, rgba.byteOffset, rgba.byteLength);
  return new ImageData(pixels, rect.width, rect.height);
}

/** Overlays as canvases, each made once. */
export class OverlayBitmaps {
  readonly #made = new WeakMap<Overlay, OffscreenCanvas>();

  get(overlay: Overlay): OffscreenCanvas {
    let bitmap = this.#made.get(overlay);
    if (bitmap === undefined) {
      bitmap = new OffscreenCanvas(overlay.rect.width, overlay.rect.height);
      bitmap.getContext('2d')!.putImageData(imageOf(overlay), 0, 0);
      this.#made.set(overlay, bitmap);
    }
    return bitmap;
  }
}

/** The current board of a window. Only the part that moved is updated. */
export class BoardBitmap {
  #still: Overlay | null = null;
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
