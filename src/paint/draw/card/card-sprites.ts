import type { BoardScene } from '../../../plan/model/board-scene.ts';
import { inCase } from '../../../plan/model/capitals.ts';
import type { Theme } from '../../../plan/model/theme.ts';
import type { CardStyle } from '../../../plan/theme/theme-look.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { Box } from '../../boxes.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import type { BoardLayout } from '../../layout/board-layout.ts';
import { nameOnCard, nameUnderPicture, sameLines } from '../../layout/card-words.ts';
import { cleanLine, type TextBlock } from '../../layout/text/text-block.ts';
import type { MeasureText } from '../../layout/text/text-measure.ts';
import { mixed, type Rgb, rgba, rgbOf } from '../color.ts';
import { Inks } from '../inks.ts';
import { drawBody, drawOutline, tracePlate } from '../plates.ts';
import { drawLetters } from '../text-drawing.ts';
import { groundUnder, type PictureSize } from './fit-picture.ts';
import type { CardPicture } from './item-pictures.ts';

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
  readonly #style: CardStyle;
  /** By item and, since a name card has its row's colour, by lane. */
  readonly #cards = new Map<string, DrawnCard>();
  #large = new Map<string, { readonly item: number; readonly card: DrawnCard }>();
  /** Cards at half their size, for those that are drawn no larger. */
  readonly #halves = new WeakMap<Bitmap, Bitmap>();

  constructor(parts: CardSpritesParts) {
    this.#parts = parts;
    this.#style = lookOf(parts.theme).card;
    this.names = parts.scene.items.map(({ name }) => inCase(cleanLine(name, NAME_LENGTH), this.#style.name));
    this.#tints = parts.scene.rows.map(({ color }) => rgbOf(color));
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
    this.#drawTurned(context, card, box, this.#style.turn.board * turnOf(this.names[item]!));
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
    if (card?.sprite.width !== sprite.width) {
      card = this.#paint(item, lane, sprite, 'large');
      this.#large.set(key, { item, card });
    }
    // It turns on its way.
    const { board, held } = this.#style.turn;
    const way = Math.min(1, (box.width - this.#parts.layout.cardPx) / (largest.width - this.#parts.layout.cardPx));
    const turn = turnOf(this.names[item]!);
    const side = turn < 0 ? -1 : 1;
    this.#drawTurned(context, card, box, board * turn * (1 - way) + held * side * way);
  }

  /** Whether an item's card has its name on it. */
  saysName(item: number): boolean {
    return this.#parts.layout.namePx > 0 || this.#parts.pictures[item] === null;
  }

  /** Drops the large cards of all other items. */
  keepLarge(items: readonly number[]): void {
    this.#large = new Map([...this.#large].filter(([, { item }]) => items.includes(item)));
  }

  #drawTurned(context: Canvas2D, card: DrawnCard, box: Box, degrees: number): void {
    if (degrees === 0) {
      this.#drawScaled(context, card, box);
      return;
    }
    context.save();
    context.translate(box.x + box.width / 2, box.y + box.height / 2);
    context.rotate((degrees * Math.PI) / 180);
    this.#drawScaled(context, card, { ...box, x: -box.width / 2, y: -box.height / 2 });
    context.restore();
  }

  /** Draws from a bitmap at most twice as large: so every pixel of it counts, with a filter of direct neighbours. */
  #drawScaled(context: Canvas2D, { bitmap, sprite, margin }: DrawnCard, box: Box): void {
    const [x, y] = [(margin * box.width) / sprite.width, (margin * box.height) / sprite.height];
    const [width, height] = [box.width + 2 * x, box.height + 2 * y];
    let drawn = bitmap;
    while (width <= drawn.width / 2 && drawn.width >= 2 && drawn.height >= 2) drawn = this.#halved(drawn);
    context.imageSmoothingQuality = 'low';
    context.drawImage(drawn, box.x - x, box.y - y, width, height);
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

  #paint(item: number, lane: number, sprite: CardSprite, use: 'card' | 'large'): DrawnCard {
    const { scene, layout, theme, createSurface } = this.#parts;
    const { width, height, namePx } = sprite;
    const picture = this.#parts.pictures[item] ?? null;
    const slot = cardSprite(layout, layout.cardPx);
    const words =
      sameLines(this.names[item]!, this.#words(item, slot), width / slot.width) ?? this.#words(item, sprite);
    const margin = marginOf(sprite, this.#style);
    const { bitmap, context } = createSurface(width + 2 * margin, height + 2 * margin);
    context.translate(margin, margin);
    const matPx = matOf(sprite, this.#style);
    const inks = new Inks(theme, this.#tints[lane] ?? null);
    const art = {
      picture: picture && {
        bitmap: picture[use](pictureIn(sprite, this.#style), scene.items[item]!),
        ground: groundUnder(picture.look, rgbOf(theme.card)),
      },
      words,
      namePx,
      tint: this.#tints[lane] ?? POOL_TINT,
    };
    const radiusPx = (layout.radiusPx.card / layout.cardPx) * width;
    const em = Math.min(width, height) * (use === 'card' ? BOARD_EDGES : 1);
    drawCard(context, art, { width, height, radiusPx, em, matPx }, this.#style, inks);
    return { bitmap, sprite, margin };
  }
}

/** A card as a bitmap, and how much of that is around it. */
interface DrawnCard {
  readonly bitmap: Bitmap;
  readonly sprite: CardSprite;
  readonly margin: number;
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
export function pictureIn(sprite: CardSprite, style: CardStyle): PictureSize {
  const { width, height, namePx } = sprite;
  const mat = matOf(sprite, style);
  return { width: width - 2 * mat, height: height - mat - (namePx === 0 ? mat : namePx) };
}

function matOf({ width, height, namePx }: CardSprite, { mat }: CardStyle): number {
  const px = Math.round(Math.min(width, height) * mat);
  return Math.max(0, Math.min(px, Math.floor((width - 1) / 2), Math.floor((height - namePx - 1) / 2)));
}

/** Around a card, for its shadow and its tape, as a share of its sides. */
const MARGIN = 0.125;
/** Lines of a card on the board, against those of a card that is held up. */
const BOARD_EDGES = 1.6;

function marginOf({ width, height }: PictureSize, { plate, tape }: CardStyle): number {
  return plate.drop === undefined && tape === null ? 0 : Math.ceil(Math.max(width, height) * MARGIN);
}

/** By which share of the greatest turn a card is turned, from -1 to 1: always the same for a name. */
function turnOf(name: string): number {
  let sum = 7;
  for (let at = 0; at < name.length; at += 1) sum = (sum * 31 + name.charCodeAt(at)) % 1009;
  return sum / 504 - 1;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** The content of a card: a picture, with its name at the card's foot if there is room, or a name alone. (R12, C46) */
interface CardArt {
  /** As large as the card without its foot; `ground` is the colour behind its transparent parts. */
  readonly picture: { readonly bitmap: Bitmap; readonly ground: Rgb } | null;
  readonly words: TextBlock | null;
  /** How tall the foot is. */
  readonly namePx: number;
  /** The colour of the row the item is in. */
  readonly tint: Rgb;
}

/** How a card is drawn besides its content. */
interface CardFrame extends PictureSize {
  readonly radiusPx: number;
  /** The unit of the lengths of a card's plate. */
  readonly em: number;
  /** How far the picture stays from the card's edge. */
  readonly matPx: number;
}

/** How much the row's colour tints a card without a picture. */
const TINT = 0.18;

/** Draws a card of that size with its corner at the origin. What is below its plate reaches beyond it. */
export function drawCard(context: Canvas2D, art: CardArt, frame: CardFrame, style: CardStyle, inks: Inks): void {
  const { width, height, em, radiusPx } = frame;
  const box = { x: 0, y: 0, width, height };
  const size = { em, radiusPx };
  drawBody(context, style.plate, box, size, inks);
  context.save();
  tracePlate(context, style.plate, box, size);
  context.clip();
  if (art.picture === null) drawNameCard(context, art, frame, style, inks);
  else drawPictureCard(context, art.picture, art, frame, style, inks);
  context.restore();
  drawOutline(context, style.plate, box, size, inks);
  if (style.tape !== null) drawTape(context, frame, inks.of(style.tape));
}

function drawPictureCard(
  context: Canvas2D,
  { bitmap, ground }: NonNullable<CardArt['picture']>,
  { words, namePx }: CardArt,
  { width, height, matPx }: CardFrame,
  { name }: CardStyle,
  inks: Inks,
): void {
  const picture = {
    x: matPx,
    y: matPx,
    width: width - 2 * matPx,
    height: height - matPx - (namePx === 0 ? matPx : namePx),
  };
  context.fillStyle = rgba(ground, 1);
  context.fillRect(picture.x, picture.y, picture.width, picture.height);
  context.drawImage(bitmap, picture.x, picture.y, picture.width, picture.height);
  if (words === null) return;
  const y = height - namePx + (namePx - words.heightPx) / 2;
  drawLetters(context, words, { x: 0, y, width }, 'center', name, inks);
}

function drawNameCard(
  context: Canvas2D,
  { words, tint }: CardArt,
  { width, height }: CardFrame,
  { plate, name }: CardStyle,
  inks: Inks,
): void {
  const { fill = 'card' } = plate;
  const ground = mixed(inks.of(typeof fill === 'object' && 'top' in fill ? fill.top : fill), tint, TINT);
  const shade = context.createLinearGradient(0, 0, 0, height);
  shade.addColorStop(0, rgba(mixed(ground, WHITE, 0.06), 1));
  shade.addColorStop(1, rgba(mixed(ground, BLACK, 0.12), 1));
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
  const bar = Math.max(1, Math.round(Math.min(width, height) * 0.035));
  context.fillStyle = rgba(tint, 1);
  context.fillRect(0, height - bar, width, bar);
  if (words === null) return;
  drawLetters(context, words, { x: 0, y: (height - bar - words.heightPx) / 2, width }, 'center', name, inks);
}

/** A strip across the middle of the upper edge. */
function drawTape(context: Canvas2D, { width, height }: CardFrame, color: Rgb): void {
  const long = Math.min(width, height) * 0.36;
  const thick = long * 0.29;
  context.save();
  context.translate(width / 2, 0);
  context.rotate(-0.05);
  context.fillStyle = rgba(color, 0.8);
  context.fillRect(-long / 2, -thick / 2, long, thick);
  context.restore();
}
