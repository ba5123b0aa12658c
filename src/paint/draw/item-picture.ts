import type { Bitmap, CreateSurface } from '../canvas-2d.ts';

/** A decoded picture, upright, whole. */
export interface DecodedPicture {
  readonly bitmap: Bitmap;
  /** Lets go of the pixels. Not `Disposable`: not every browser is that far. */
  release(): void;
}

/** At which sizes a picture will be asked for. */
export interface PictureSizes {
  /** The sides of cards that are made at once, from the file itself. */
  readonly cardSidesPx: ReadonlySet<number>;
  /** Whether it will be seen at other sizes, too. */
  readonly others: boolean;
  /** The shorter side that is kept for those. */
  readonly mostPx: number;
}

/**
 * An item's picture, cut to a square by `cover`. How it looks at a size must not depend on which other sizes are asked for,
 * nor on what else is in the plan: a chunk's key knows of neither. (R18)
 */
export class ItemPicture {
  readonly #createSurface: CreateSurface;
  readonly #cards = new Map<number, Bitmap>();
  readonly #kept: Bitmap | null;

  /** Takes over `decoded`. */
  constructor(decoded: DecodedPicture, { cardSidesPx, others, mostPx }: PictureSizes, createSurface: CreateSurface) {
    this.#createSurface = createSurface;
    const { bitmap } = decoded;
    for (const sidePx of cardSidesPx) this.#cards.set(sidePx, this.#scaled(bitmap, sidePx));
    const small = bitmap.width * bitmap.height <= mostPx ** 2;
    this.#kept = !others ? null : small ? bitmap : this.#scaled(bitmap, Math.min(bitmap.width, bitmap.height, mostPx));
    if (this.#kept !== bitmap) decoded.release();
  }

  /** The picture as a card of that side has it. */
  card(sidePx: number): Bitmap {
    return this.#cards.get(sidePx) ?? this.large(sidePx);
  }

  /** The picture for a card that is in the spotlight, where sizes are many and none lasts. */
  large(sidePx: number): Bitmap {
    if (this.#kept === null) throw new Error(`the picture was not kept for ${sidePx} px`);
    return this.#scaled(this.#kept, sidePx);
  }

  #scaled(whole: Bitmap, sidePx: number): Bitmap {
    const cutPx = Math.min(whole.width, whole.height);
    const [x, y] = [(whole.width - cutPx) / 2, (whole.height - cutPx) / 2];
    const { bitmap, context } = this.#createSurface(sidePx, sidePx);
    context.imageSmoothingQuality = 'high';
    context.drawImage(whole, x, y, cutPx, cutPx, 0, 0, sidePx, sidePx);
    // A canvas may hold on to all that was drawn on it, the larger picture among it. Its own pixels over everything, and one
    // of them read: then nothing else is needed any more. (100 photographs of 3 megapixels: 0.4 GB instead of 1.4.)
    context.putImageData(context.getImageData(0, 0, sidePx, sidePx), 0, 0);
    context.getImageData(0, 0, 1, 1);
    return bitmap;
  }
}
