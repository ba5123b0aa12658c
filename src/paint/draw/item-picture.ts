import type { Bitmap, CreateSurface } from '../canvas-2d.ts';

/** A decoded picture, upright, whole. */
export interface DecodedPicture {
  readonly bitmap: Bitmap;
  /** Lets go of the pixels. Not `Disposable`: not every browser is that far. */
  release(): void;
}

/**
 * An item's picture, square, at whatever size a card has. All sizes are made from the same pixels in the same way, so how
 * a card looks depends on the file, the canvas and the card alone: a chunk's key knows no more. (R18)
 */
export class ItemPicture {
  readonly #createSurface: CreateSurface;
  readonly #made = new Map<number, Bitmap>();
  #pixels: DecodedPicture | null;

  /** Takes over `decoded`. Where that has more pixels than a square of `mostPx`, such a square of it is all that is kept. */
  constructor(decoded: DecodedPicture, mostPx: number, createSurface: CreateSurface) {
    this.#createSurface = createSurface;
    this.#pixels = decoded;
    const { width, height } = decoded.bitmap;
    if (width * height <= mostPx ** 2) return;
    const bitmap = this.#make(Math.min(width, height, mostPx));
    decoded.release();
    this.#pixels = { bitmap, release: () => {} };
  }

  /** The picture with that side. */
  at(sidePx: number): Bitmap {
    return this.#made.get(sidePx) ?? this.#make(sidePx);
  }

  /** Makes these sizes now and lets go of what they are made from: no other can be had afterwards. */
  keepOnly(sidesPx: Iterable<number>): void {
    for (const sidePx of sidesPx) this.#made.set(sidePx, this.#make(sidePx));
    this.#pixels?.release();
    this.#pixels = null;
  }

  /** Cuts by `cover`, and scales. */
  #make(sidePx: number): Bitmap {
    if (this.#pixels === null) throw new Error(`the picture was not kept for cards of ${sidePx} px`);
    const whole = this.#pixels.bitmap;
    const cutPx = Math.min(whole.width, whole.height);
    const [x, y] = [(whole.width - cutPx) / 2, (whole.height - cutPx) / 2];
    const { bitmap, context } = this.#createSurface(sidePx, sidePx);
    context.imageSmoothingQuality = 'high';
    context.drawImage(whole, x, y, cutPx, cutPx, 0, 0, sidePx, sidePx);
    // Drawing may be put off until pixels are read: read one, and the larger picture can go.
    context.getImageData(0, 0, 1, 1);
    return bitmap;
  }
}
