import { RecentMap } from '../../../collections.ts';
import type { Bitmap } from '../../canvas-2d.ts';
import type { Rgb } from '../color.ts';
import type { PictureSize } from './fit-picture.ts';

/** The bitmap that cards of some size are drawn from. */
export interface CardSprite extends PictureSize {
  /** How much of it, at the foot, is for a name below the picture, and at its right for one beside it. */
  readonly namePx: number;
  readonly besidePx: number;
}

/** A card as a bitmap, and how much of that is around it. */
export interface DrawnCard {
  readonly bitmap: Bitmap;
  readonly sprite: CardSprite;
  readonly margin: number;
  /** By how many degrees the card in it is turned. */
  readonly turned: number;
  /** Its picture alone, if it is held up; `ground` is the colour behind its transparent parts. */
  readonly picture: { readonly bitmap: Bitmap; readonly ground: Rgb } | null;
}

/** The cards of a board in 4K, or those of one in 1080p before and after a few edits. */
const MAX_KEPT_PIXELS = 8_000_000;
const MAX_KEPT_CARDS = 5000;

/**
 * Cards of earlier plans. A preview has another plan after every edit, which changes few of hundreds of cards: the others are not drawn
 * again.
 */
export class KeptCards {
  readonly #cards = new RecentMap<string, DrawnCard>(MAX_KEPT_CARDS, {
    sizeOf: ({ bitmap }) => bitmap.width * bitmap.height,
    max: MAX_KEPT_PIXELS,
  });
  /** Pictures by identity: an equal picture is the same object. */
  readonly #numbers = new WeakMap<object, number>();
  #pictures = 0;

  /** @param parts everything that decides the card, besides its picture. */
  getOrMake(parts: readonly unknown[], picture: object | null, make: () => DrawnCard): DrawnCard {
    return this.#cards.getOrMake(JSON.stringify([picture && this.#numberOf(picture), ...parts]), make);
  }

  #numberOf(picture: object): number {
    let number = this.#numbers.get(picture);
    if (number === undefined) {
      this.#pictures += 1;
      number = this.#pictures;
      this.#numbers.set(picture, number);
    }
    return number;
  }
}
