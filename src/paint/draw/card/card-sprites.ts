import type { BoardScene } from '../../../plan/board-scene.ts';
import type { Theme } from '../../../plan/theme.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import type { BoardLayout } from '../../layout/board-layout.ts';
import type { Box } from '../../layout/box.ts';
import { nameOnCard, nameUnderPicture, sameLines } from '../../layout/card-words.ts';
import { cleanLine } from '../../layout/text/clean-text.ts';
import type { TextBlock } from '../../layout/text/text-block.ts';
import type { MeasureText } from '../../layout/text/text-measure.ts';
import { type Rgb, rgbOf } from '../color.ts';
import { type CardColors, drawCard } from './card-art.ts';
import type { CardPicture } from './card-picture.ts';
import type { PictureSize } from './fit-picture.ts';
import { groundUnder } from './picture-look.ts';

/** A larger card is drawn from a sprite with this longer side: a window may be many times the canvas. */
const MAX_SPRITE_PX = 1024;

const NAME_LENGTH = 200;
const POOL_TINT: Rgb = [120, 128, 148];

/** The parts of cards. */
export interface CardSpritesParts {
  readonly scene: BoardScene;
  readonly theme: Theme;
  readonly layout: BoardLayout;
  /** By item; null: a card with its name. */
  readonly pictures: readonly (CardPicture | null)[];
  readonly measure: MeasureText;
  readonly createSurface: CreateSurface;
}

/** Cards as bitmaps: each is drawn once at the size of the board's cards, and once more while it is in the spotlight. */
export class CardSprites {
  /** By item, as they are drawn. */
  readonly names: readonly string[];
  readonly #parts: CardSpritesParts;
  /** By lane: an item in no row has the pool's. */
  readonly #tints: readonly Rgb[];
  readonly #colors: CardColors;
  /** By item and, since a name card has its row's colour, by lane. */
  readonly #cards = new Map<string, Bitmap>();
  #large = new Map<string, { readonly item: number; readonly card: Bitmap }>();
  /** Cards at half their size, for those that are drawn no larger. */
  readonly #halves = new WeakMap<Bitmap, Bitmap>();

  constructor(parts: CardSpritesParts) {
    this.#parts = parts;
    this.names = parts.scene.items.map(({ name }) => cleanLine(name, NAME_LENGTH));
    this.#tints = parts.scene.rows.map(({ color }) => rgbOf(color));
    const { card, text, line } = parts.theme;
    this.#colors = { card: rgbOf(card), text: rgbOf(text), line: rgbOf(line) };
  }

  /** Draws an item's card as the board shows it. */
  draw(context: Canvas2D, item: number, lane: number, box: Box): void {
    const key = `${item} ${lane}`;
    let card = this.#cards.get(key);
    if (card === undefined) {
      const { layout } = this.#parts;
      card = this.#paint(item, lane, cardSprite(layout, layout.cardPx), 'card');
      this.#cards.set(key, card);
    }
    this.#drawScaled(context, card, box);
  }

  /** Draws an item's card between its largest size, `largest`, and its slot. */
  drawLarge(context: Canvas2D, item: number, lane: number, largest: Box, box: Box): void {
    const sidePx = largest.width;
    if (box.width <= this.#parts.layout.cardPx * 1.02) {
      this.draw(context, item, lane, box);
      return;
    }
    const key = `${item} ${lane}`;
    let card = this.#large.get(key)?.card;
    const sprite = cardSprite(this.#parts.layout, sidePx);
    if (card?.width !== sprite.width) {
      card = this.#paint(item, lane, sprite, 'large');
      this.#large.set(key, { item, card });
    }
    this.#drawScaled(context, card, box);
  }

  /** Whether an item's card has its name on it. */
  saysName(item: number): boolean {
    return this.#parts.layout.namePx > 0 || this.#parts.pictures[item] === null;
  }

  /** Drops the large cards of all other items. */
  keepLarge(items: readonly number[]): void {
    this.#large = new Map([...this.#large].filter(([, { item }]) => items.includes(item)));
  }

  /** Draws from a bitmap at most twice as large: so every pixel of it counts, with a filter of direct neighbours. */
  #drawScaled(context: Canvas2D, card: Bitmap, { x, y, width, height }: Box): void {
    let sprite = card;
    while (width <= sprite.width / 2 && sprite.width >= 2 && sprite.height >= 2) sprite = this.#halved(sprite);
    context.imageSmoothingQuality = 'low';
    context.drawImage(sprite, x, y, width, height);
  }

  #halved(sprite: Bitmap): Bitmap {
    let half = this.#halves.get(sprite);
    if (half === undefined) {
      const [width, height] = [Math.ceil(sprite.width / 2), Math.ceil(sprite.height / 2)];
      const { bitmap, context } = this.#parts.createSurface(width, height);
      context.imageSmoothingQuality = 'medium';
      context.drawImage(sprite, 0, 0, width, height);
      half = bitmap;
      this.#halves.set(sprite, half);
    }
    return half;
  }

  #words(item: number, sprite: CardSprite): TextBlock | null {
    const { layout, measure, pictures } = this.#parts;
    const name = this.names[item]!;
    if ((pictures[item] ?? null) === null) return nameOnCard(name, sprite, layout.minTextPx, measure);
    return nameUnderPicture(name, { width: sprite.width, height: sprite.namePx }, layout.minTextPx, measure);
  }

  #paint(item: number, lane: number, sprite: CardSprite, use: 'card' | 'large'): Bitmap {
    const { scene, layout, createSurface } = this.#parts;
    const { width, height, namePx } = sprite;
    const picture = this.#parts.pictures[item] ?? null;
    const slot = cardSprite(layout, layout.cardPx);
    const words =
      sameLines(this.names[item]!, this.#words(item, slot), width / slot.width) ?? this.#words(item, sprite);
    const { bitmap, context } = createSurface(width, height);
    const art = {
      picture: picture && {
        bitmap: picture[use](pictureIn(sprite), scene.items[item]!),
        ground: groundUnder(picture.look, this.#colors.card),
      },
      words,
      namePx,
      tint: this.#tints[lane] ?? POOL_TINT,
    };
    drawCard(context, art, sprite, (layout.radiusPx.card / layout.cardPx) * width, this.#colors);
    return bitmap;
  }
}

/** The bitmap that cards of some size are drawn from. */
interface CardSprite extends PictureSize {
  /** How much of it, at the foot, is for the name. */
  readonly namePx: number;
}

/** The sprite for a card of that width: whole pixels, and not too many of them. */
export function cardSprite(
  sizes: Pick<BoardLayout, 'cardPx' | 'cardHeightPx' | 'namePx'>,
  widthPx: number,
): CardSprite {
  const { cardPx, cardHeightPx } = sizes;
  const wanted = widthPx / cardPx;
  const scale = Math.min(wanted, MAX_SPRITE_PX / Math.max(cardPx, cardHeightPx));
  const whole = (px: number) => Math.max(1, Math.round(px * scale));
  const height = whole(cardHeightPx);
  return { width: whole(cardPx), height, namePx: Math.min(height - 1, Math.round(sizes.namePx * scale)) };
}

/** The room of a card for its picture. */
export function pictureIn({ width, height, namePx }: CardSprite): PictureSize {
  return { width, height: height - namePx };
}
