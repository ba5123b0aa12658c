import type { BoardScene } from '../../plan/render-plan.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../canvas-2d.ts';
import type { BoardLayout } from '../layout/board-layout.ts';
import type { Box } from '../layout/box.ts';
import { captionOnCard, nameOnCard } from '../layout/card-words.ts';
import { cleanLine } from '../layout/clean-text.ts';
import type { TextBlock } from '../layout/text-block.ts';
import type { MeasureText } from '../layout/text-measure.ts';
import { drawCard } from './card-art.ts';
import { type Rgb, rgbOf } from './color.ts';
import type { ItemPicture } from './item-picture.ts';

/** A larger card is drawn from a sprite of this side: a window may be many times the canvas. */
const MOST_SPRITE_PX = 1024;

const NAME_LENGTH = 200;
const POOL_TINT: Rgb = [120, 128, 148];

/** What cards are made of. */
export interface CardSpritesParts {
  readonly scene: BoardScene;
  readonly layout: BoardLayout;
  /** By item; null: a card with its name. */
  readonly pictures: readonly (ItemPicture | null)[];
  readonly measure: MeasureText;
  readonly createSurface: CreateSurface;
}

/** Cards as bitmaps: each is drawn once at the size of the board's cards, and once more while it is in the spotlight. */
export class CardSprites {
  /** By item, as they are drawn. */
  readonly names: readonly string[];
  readonly #parts: CardSpritesParts;
  readonly #tints: readonly Rgb[];
  readonly #captions: readonly (TextBlock | null)[];
  readonly #cards = new Map<number, Bitmap>();
  #large = new Map<number, Bitmap>();

  constructor(parts: CardSpritesParts) {
    this.#parts = parts;
    this.names = parts.scene.items.map(({ name }) => cleanLine(name, NAME_LENGTH));
    const tints: Rgb[] = parts.scene.items.map(() => POOL_TINT);
    for (const row of parts.scene.rows) for (const item of row.items) tints[item] = rgbOf(row.color);
    this.#tints = tints;
    this.#captions = this.#layoutCaptions();
  }

  /** Draws an item's card as the board shows it. */
  draw(context: Canvas2D, item: number, box: Box): void {
    let card = this.#cards.get(item);
    if (card === undefined) {
      const sidePx = spritePx(this.#parts.layout.cardPx);
      const picture = this.#parts.pictures[item]?.card(sidePx) ?? null;
      card = this.#paint(item, sidePx, picture, this.#captions[item] ?? null);
      this.#cards.set(item, card);
    }
    drawScaled(context, card, box);
  }

  /** Draws an item's card on its way between the spotlight, where it has `sidePx`, and its slot. */
  drawLarge(context: Canvas2D, item: number, sidePx: number, box: Box): void {
    if (box.width <= this.#parts.layout.cardPx * 1.02) {
      this.draw(context, item, box);
      return;
    }
    let card = this.#large.get(item);
    if (card?.width !== spritePx(sidePx)) {
      const picture = this.#parts.pictures[item]?.large(spritePx(sidePx)) ?? null;
      card = this.#paint(item, spritePx(sidePx), picture, null);
      this.#large.set(item, card);
    }
    drawScaled(context, card, box);
  }

  /** Drops the large cards of all other items. */
  keepLarge(items: readonly number[]): void {
    this.#large = new Map([...this.#large].filter(([item]) => items.includes(item)));
  }

  #paint(item: number, sidePx: number, picture: Bitmap | null, caption: TextBlock | null): Bitmap {
    const { layout, measure, createSurface } = this.#parts;
    const words = picture === null ? nameOnCard(this.names[item]!, sidePx, layout.minTextPx, measure) : caption;
    const { bitmap, context } = createSurface(sidePx, sidePx);
    const radiusPx = (layout.radiusPx.card / layout.cardPx) * sidePx;
    drawCard(context, { picture, words, tint: this.#tints[item]! }, sidePx, radiusPx);
    return bitmap;
  }

  /**
   * Captions are for all pictures or for none: some with and some without look like a mistake. What counts is who should
   * have a picture, not whose could be read: a chunk's key knows the former only.
   */
  #layoutCaptions(): readonly (TextBlock | null)[] {
    const { layout, measure, scene } = this.#parts;
    const captions: (TextBlock | null)[] = [];
    for (const [item, name] of this.names.entries()) {
      if (scene.items[item]!.image === null || name === '') continue;
      const caption = captionOnCard(name, spritePx(layout.cardPx), layout.minTextPx, measure);
      if (caption === null) return [];
      captions[item] = caption;
    }
    return captions;
  }
}

/** The side of the bitmap that a card of so many pixels is drawn from. */
export function spritePx(sidePx: number): number {
  return Math.min(MOST_SPRITE_PX, Math.max(1, Math.round(sidePx)));
}

function drawScaled(context: Canvas2D, sprite: Bitmap, { x, y, width, height }: Box): void {
  context.imageSmoothingQuality = width < sprite.width * 0.75 ? 'medium' : 'low';
  context.drawImage(sprite, x, y, width, height);
}
