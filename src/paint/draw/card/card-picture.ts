import type { Bitmap, CreateSurface } from '../../canvas-2d.ts';
import { type Framing, fitPicture, type PictureSize } from './fit-picture.ts';
import { type PictureLook, pictureLook } from './picture-look.ts';

/** A decoded picture, upright and complete. */
export interface DecodedPicture {
  readonly bitmap: Bitmap;
  /** Frees the pixels. Not `Disposable`, which some browsers do not support. */
  release(): void;
}

/** The sizes at which a picture will be used. */
interface PictureUses {
  readonly framings: readonly Framing[];
  /** Those that are made at once, from the file itself. */
  readonly sizes: readonly PictureSize[];
  /** Whether it will be seen at other sizes, too. */
  readonly others: boolean;
  /** The shorter side that is kept for those. */
  readonly maxPx: number;
}

/** The longer side of a kept picture is at most this many times `maxPx`. */
const MAX_STRETCH = 2;

/**
 * An item's picture on its card. Its look at a size must not depend on other requested sizes, nor on the rest of the
 * plan: a chunk's key contains neither. (R18)
 */
export class CardPicture {
  readonly look: PictureLook;
  readonly #createSurface: CreateSurface;
  readonly #cards = new Map<string, Bitmap>();
  readonly #kept: Bitmap | null;

  /** Takes over `decoded`. */
  constructor(decoded: DecodedPicture, uses: PictureUses, createSurface: CreateSurface) {
    this.#createSurface = createSurface;
    const { bitmap } = decoded;
    this.look = pictureLook(bitmap, createSurface);
    for (const framing of uses.framings) {
      for (const size of uses.sizes) {
        const key = keyOf(size, framing);
        if (!this.#cards.has(key)) this.#cards.set(key, this.#fitted(bitmap, size, framing));
      }
    }
    this.#kept = uses.others ? this.#smaller(bitmap, uses.maxPx) : null;
    if (this.#kept !== bitmap) decoded.release();
  }

  /** The picture for a card of that size. */
  card(size: PictureSize, framing: Framing): Bitmap {
    return this.#cards.get(keyOf(size, framing)) ?? this.large(size, framing);
  }

  /** The picture for a card that is shown large, at many sizes for a short time each. */
  large(size: PictureSize, framing: Framing): Bitmap {
    if (this.#kept === null) throw new Error(`the picture was not kept for ${size.width}×${size.height}`);
    return this.#fitted(this.#kept, size, framing);
  }

  #fitted(whole: Bitmap, size: PictureSize, framing: Framing): Bitmap {
    return fitPicture(whole, this.look, size, framing, this.#createSurface);
  }

  /** The whole picture, scaled down if it is large. */
  #smaller(bitmap: Bitmap, maxPx: number): Bitmap {
    const [short, long] = [Math.min(bitmap.width, bitmap.height), Math.max(bitmap.width, bitmap.height)];
    const scale = Math.min(1, maxPx / short, (MAX_STRETCH * maxPx) / long);
    if (scale === 1) return bitmap;
    const side = (px: number) => Math.max(1, Math.round(px * scale));
    return this.#fitted(bitmap, { width: side(bitmap.width), height: side(bitmap.height) }, { fit: 'cover' });
  }
}

function keyOf({ width, height }: PictureSize, { fit, view }: Framing): string {
  return `${fit} ${width}x${height} ${view === undefined ? '' : [view.x, view.y, view.scale]}`;
}
