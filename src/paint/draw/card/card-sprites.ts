import type { BoardScene } from '../../../plan/model/board-scene.ts';
import { inCase } from '../../../plan/model/capitals.ts';
import type { Theme } from '../../../plan/model/theme.ts';
import type { CardStyle } from '../../../plan/theme/theme-look.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { Box } from '../../boxes.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import type { BoardLayout } from '../../layout/board-layout.ts';
import { BESIDE_MARGIN, type CardSizes } from '../../layout/board-sizes.ts';
import {
  LARGEST_HELD_UP,
  nameBesidePicture,
  nameOnCard,
  nameUnderPicture,
  sameLines,
} from '../../layout/card-words.ts';
import { cleanLine, type TextBlock } from '../../layout/text/text-block.ts';
import type { MeasureText } from '../../layout/text/text-measure.ts';
import { mixed, type Rgb, rgba, rgbOf } from '../color.ts';
import { Inks } from '../inks.ts';
import { drawBody, drawOutline, tracePlate } from '../plates.ts';
import { drawLetters } from '../text-drawing.ts';
import { groundUnder, type PictureSize } from './fit-picture.ts';
import type { CardPicture } from './item-pictures.ts';
import type { CardSprite, DrawnCard, KeptCards } from './kept-cards.ts';

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
  /** Cards of earlier plans, with the same measures and surfaces; absent: none are kept. */
  readonly kept?: KeptCards | undefined;
}

/** Cards as bitmaps: each is drawn once at the size of the board's cards, and once more while it is in the spotlight. */
export class CardSprites {
  /** By item, as they are drawn. */
  readonly names: readonly string[];
  readonly #parts: CardSpritesParts;
  /** By lane: an item in no row has the pool's. */
  readonly #tints: readonly Rgb[];
  readonly #style: CardStyle;
  /** What all cards of the board have in common. */
  #common: string | null = null;
  /** By item and, since a name card has its row's colour, by lane. */
  readonly #cards = new Map<string, DrawnCard>();
  #large = new Map<string, { readonly item: number; readonly card: DrawnCard }>();
  /** By item: cards of several lanes have the same. */
  #largePictures = new Map<number, Bitmap>();
  /** The last card between its held shape and that of its slot: motion blur draws it several times. */
  #mixed: { readonly key: string; readonly card: DrawnCard } | null = null;
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
      const { layout, kept, pictures } = this.#parts;
      const paint = () => this.#paint(item, lane, cardSprite(layout, layout.cardPx), 'card');
      card = kept?.getOrMake(this.#lookOf(item, lane), pictures[item] ?? null, paint) ?? paint();
      this.#cards.set(key, card);
    }
    this.#drawTurned(context, card, box, this.#style.turn.board * turnOf(this.names[item]!));
  }

  /** Everything that decides an item's card on the board, besides its picture. */
  #lookOf(item: number, lane: number): readonly unknown[] {
    const { scene, theme, layout } = this.#parts;
    const { name, fit, view } = scene.items[item]!;
    this.#common ??= JSON.stringify([
      theme,
      [layout.cardPx, layout.cardHeightPx, layout.namePx, layout.besidePx, layout.besideTextPx],
      [layout.minNamePx, layout.minBesidePx, layout.radiusPx.card],
    ]);
    return [this.#common, name, fit, view, this.#tints[lane]];
  }

  /** Draws an item's card, as it is on the board, between its largest size, `largest`, and its slot. */
  drawLarge(context: Canvas2D, item: number, lane: number, largest: Box, box: Box): void {
    const { cardPx } = this.#parts.layout;
    if (box.width <= cardPx * 1.02) {
      this.draw(context, item, lane, box);
      return;
    }
    const card = this.#largeCard(item, lane, cardSprite(this.#parts.layout, largest.width));
    const way = Math.min(1, (box.width - cardPx) / (largest.width - cardPx));
    this.#drawTurned(context, card, box, this.#turn(item, way));
  }

  /**
   * Draws an item's card between the place where it is held up, `held`, and its slot. `share`: how much of it has the
   * proportions of a held card; the others are those of the board. (R43)
   */
  drawHeld(context: Canvas2D, item: number, lane: number, held: Box, box: Box, share: number): void {
    const { layout } = this.#parts;
    if (!isHeldApart(layout)) this.drawLarge(context, item, lane, held, box);
    else if (share <= 0) this.draw(context, item, lane, box);
    else {
      const large = this.#largeCard(item, lane, cardSprite(layout.held, held.width));
      const card = share >= 1 ? large : this.#between(item, lane, large, share);
      this.#drawTurned(context, card, box, this.#turn(item, Math.min(1, share)));
    }
  }

  /** The bitmap of a card that is held up in the colour of a lane, to draw it ahead. */
  heldCard(item: number, lane: number, held: Box): Bitmap {
    const { layout } = this.#parts;
    return this.#largeCard(item, lane, cardSprite(isHeldApart(layout) ? layout.held : layout, held.width)).bitmap;
  }

  /** The picture of a card that is held up, to draw it ahead; null if it has none. */
  heldPicture(item: number, held: Box): Bitmap | null {
    const { layout } = this.#parts;
    return this.#hasPicture(item) ? this.#picture(item, cardSprite(layout.held, held.width), 'large') : null;
  }

  /** Whether an item's card has its name on it while it is held up. */
  saysName(item: number): boolean {
    return this.#parts.layout.held.namePx > 0 || this.#parts.pictures[item] === null;
  }

  /** Drops the large cards of all other items. */
  keepLarge(items: readonly number[]): void {
    this.#large = new Map([...this.#large].filter(([, { item }]) => items.includes(item)));
    this.#largePictures = new Map([...this.#largePictures].filter(([item]) => items.includes(item)));
  }

  #largeCard(item: number, lane: number, sprite: CardSprite): DrawnCard {
    const key = `${item} ${lane}`;
    let card = this.#large.get(key)?.card;
    if (card?.sprite.width !== sprite.width || card.sprite.height !== sprite.height) {
      card = this.#paint(item, lane, sprite, 'large');
      this.#large.set(key, { item, card });
    }
    return card;
  }

  /** By how many degrees a card is turned: it turns on its way from its slot, 0, to where it is largest, 1. */
  #turn(item: number, way: number): number {
    const { board, held } = this.#style.turn;
    const turn = turnOf(this.names[item]!);
    return board * turn * (1 - way) + held * (turn < 0 ? -1 : 1) * way;
  }

  /** Its bitmap may be turned already: turning it as it is drawn takes several times as long. */
  #drawTurned(context: Canvas2D, card: DrawnCard, box: Box, turn: number): void {
    const degrees = turn - card.turned;
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

  /** The picture moves to its place in the slot while its name fades below it and appears beside it. */
  #between(item: number, lane: number, held: DrawnCard, share: number): DrawnCard {
    const key = `${item} ${lane} ${held.sprite.width} ${share}`;
    if (this.#mixed?.key === key) return this.#mixed.card;
    const { layout, createSurface } = this.#parts;
    const slot = cardSprite(layout, layout.cardPx);
    const mixedPx = (of: keyof CardSprite) => Math.round(slot[of] + (held.sprite[of] - slot[of]) * share);
    const [width, height] = [mixedPx('width'), mixedPx('height')];
    const sprite = { width, height, namePx: mixedPx('namePx'), besidePx: mixedPx('besidePx') };
    const hasPicture = this.#hasPicture(item);
    const words = [
      ...wordsIn(this.#words(item, slot), hasPicture ? 'beside' : 'on', fading(1 - share)),
      ...wordsIn(this.#words(item, held.sprite, true), hasPicture ? 'below' : 'on', fading(share)),
    ];
    const picture = held.picture && { ...held.picture, bitmap: this.#smaller(held.picture.bitmap, height) };
    const margin = marginOf(sprite, this.#style);
    const { bitmap, context } = createSurface(width + 2 * margin, height + 2 * margin);
    context.translate(margin, margin);
    context.imageSmoothingQuality = 'low';
    const edges = BOARD_EDGES + (1 - BOARD_EDGES) * share;
    this.#drawCard(context, { picture, words, tint: this.#tints[lane] ?? POOL_TINT }, sprite, lane, edges);
    const card = { bitmap, sprite, margin, turned: 0, picture: null };
    this.#mixed = { key, card };
    return card;
  }

  /** The picture at less than twice the needed size, for a filter of direct neighbours. */
  #smaller(picture: Bitmap, heightPx: number): Bitmap {
    let drawn = picture;
    while (heightPx <= drawn.height / 2 && drawn.width >= 2 && drawn.height >= 2) drawn = this.#halved(drawn);
    return drawn;
  }

  #hasPicture(item: number): boolean {
    return (this.#parts.pictures[item] ?? null) !== null;
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

  #words(item: number, sprite: CardSprite, isHeld = false): TextBlock | null {
    const { layout, measure } = this.#parts;
    const name = this.names[item]!;
    const { width, height, namePx, besidePx } = sprite;
    if (!this.#hasPicture(item)) {
      return nameOnCard(name, sprite, layout.minNamePx, measure, isHeld ? LARGEST_HELD_UP : undefined);
    }
    if (besidePx === 0) {
      const strip = { width: width - 2 * linePx(sprite, this.#style), height: namePx };
      return nameUnderPicture(name, strip, layout.minNamePx, measure);
    }
    const room = { width: besidePx - 2 * BESIDE_MARGIN * height, height };
    const { minBesidePx, besideTextPx: usual } = layout;
    return nameBesidePicture(name, room, { min: Math.min(minBesidePx, usual), usual }, measure);
  }

  #paint(item: number, lane: number, sprite: CardSprite, use: 'card' | 'large'): DrawnCard {
    const { layout, theme, createSurface } = this.#parts;
    const { width, height } = sprite;
    const own = this.#parts.pictures[item] ?? null;
    const slot = cardSprite(layout, layout.cardPx);
    const isHeld = use === 'large' && isHeldApart(layout);
    const inSlot = isHeld ? null : this.#words(item, slot);
    const words = sameLines(this.names[item]!, inSlot, width / slot.width) ?? this.#words(item, sprite, isHeld);
    const turned = this.#turn(item, use === 'large' ? 1 : 0);
    const leans = Math.abs(Math.sin((turned * Math.PI) / 180)) / 2;
    const margin = marginOf(sprite, this.#style) + Math.ceil(Math.max(width, height) * leans);
    const { bitmap, context } = createSurface(width + 2 * margin, height + 2 * margin);
    // The picture has its size already; a turned one takes several times as long with a better filter.
    context.imageSmoothingQuality = 'low';
    context.translate(margin + width / 2, margin + height / 2);
    context.rotate((turned * Math.PI) / 180);
    context.translate(-width / 2, -height / 2);
    const picture = own && {
      bitmap: this.#picture(item, sprite, use),
      ground: groundUnder(own.look, rgbOf(theme.card)),
    };
    const place = own === null ? 'on' : sprite.besidePx > 0 ? 'beside' : 'below';
    const art = { picture, words: wordsIn(words, place, 1), tint: this.#tints[lane] ?? POOL_TINT };
    this.#drawCard(context, art, sprite, lane, use === 'card' ? BOARD_EDGES : 1);
    return { bitmap, sprite, margin, turned, picture: use === 'large' ? picture : null };
  }

  #picture(item: number, sprite: CardSprite, use: 'card' | 'large'): Bitmap {
    const size = pictureIn(sprite, this.#style);
    const known = this.#largePictures.get(item);
    if (use === 'large' && known?.width === size.width && known.height === size.height) return known;
    const bitmap = this.#parts.pictures[item]![use](size, this.#parts.scene.items[item]!);
    if (use === 'large') this.#largePictures.set(item, bitmap);
    return bitmap;
  }

  /** Draws a card of that size with its corner at the origin. `edges`: how thick its lines are. */
  #drawCard(context: Canvas2D, art: CardArt, sprite: CardSprite, lane: number, edges: number): void {
    const { layout, theme } = this.#parts;
    const sidePx = Math.min(sprite.width, sprite.height);
    const radiusPx = (layout.radiusPx.card / Math.min(layout.cardPx, layout.cardHeightPx)) * sidePx;
    const dropEm = sidePx * (1 - ((1 - BOARD_DROP) * (edges - 1)) / (BOARD_EDGES - 1));
    const frame = { ...sprite, radiusPx, em: sidePx * edges, dropEm, matPx: matOf(sprite, this.#style) };
    drawCard(context, art, frame, this.#style, new Inks(theme, this.#tints[lane] ?? null));
  }
}

/** Whether a card that is held up has other proportions than in its slot. (R43) */
function isHeldApart({ held, cardPx, cardHeightPx }: BoardLayout): boolean {
  return held.cardPx !== cardPx || held.cardHeightPx !== cardHeightPx;
}

/** The sprite for a card of that width: whole pixels, and not too many of them. */
export function cardSprite(sizes: CardSizes, widthPx: number): CardSprite {
  const { cardPx, cardHeightPx } = sizes;
  const wanted = widthPx / cardPx;
  const scale = Math.min(wanted, MAX_SPRITE_PX / Math.max(cardPx, cardHeightPx));
  const whole = (px: number) => Math.max(1, Math.round(px * scale));
  const [width, height] = [whole(cardPx), whole(cardHeightPx)];
  return {
    width,
    height,
    namePx: Math.min(height - 1, Math.round(sizes.namePx * scale)),
    besidePx: Math.min(width - 1, Math.round(sizes.besidePx * scale)),
  };
}

/** The room of a card for its picture. */
export function pictureIn(sprite: CardSprite, style: CardStyle): PictureSize {
  const { width, height } = pictureBox(sprite, matOf(sprite, style), linePx(sprite, style));
  return { width, height };
}

function pictureBox({ width, height, namePx, besidePx }: CardSprite, matPx: number, line: number): Box {
  return {
    x: matPx,
    y: matPx,
    width: width - besidePx - 2 * matPx,
    height: height - matPx - (namePx === 0 ? matPx : Math.min(namePx + line, height - matPx - 1)),
  };
}

function matOf({ width, height, namePx, besidePx }: CardSprite, { mat }: CardStyle): number {
  const px = Math.round(Math.min(width, height) * mat);
  return Math.max(0, Math.min(px, Math.floor((width - besidePx - 1) / 2), Math.floor((height - namePx - 1) / 2)));
}

/** Around a card, for its shadow and its tape, as a share of its sides. */
const MARGIN = 0.125;
/** Lines of a card on the board, against those of a card that is held up. */
const BOARD_EDGES = 1.6;
/** The same for the copy below a card, which must leave a part of the gap to the next one. */
const BOARD_DROP = 0.7;

function marginOf({ width, height }: PictureSize, { plate, tape }: CardStyle): number {
  return plate.drop === undefined && tape === null ? 0 : Math.ceil(Math.max(width, height) * MARGIN);
}

/** Thinner lines take no room from names, as a share of a card's shorter side. */
const THIN_LINE = 0.015;

/** How far a name below its picture, and that picture, stay from the card's edge, for the line along it. */
function linePx({ width, height }: PictureSize, { plate: { edges = [] } }: CardStyle): number {
  const around = edges.filter(({ side }) => side === undefined).map(({ em }) => em * BOARD_EDGES);
  const thickest = Math.max(0, ...around);
  return thickest < THIN_LINE ? 0 : Math.round(thickest * Math.min(width, height));
}

/** By which share of the greatest turn a card is turned, from -1 to 1: always the same for a name. */
function turnOf(name: string): number {
  let sum = 7;
  for (let at = 0; at < name.length; at += 1) sum = (sum * 31 + name.charCodeAt(at)) % 1009;
  return sum / 504 - 1;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Where a name is: below or beside its picture, or on a card without one. */
type WordsPlace = 'below' | 'beside' | 'on';

interface CardWords {
  readonly block: TextBlock;
  readonly place: WordsPlace;
  readonly alpha: number;
}

function wordsIn(block: TextBlock | null, place: WordsPlace, alpha: number): CardWords[] {
  return block === null || alpha === 0 ? [] : [{ block, place, alpha }];
}

/** How visible a name is while `share` of its card has the proportions that it is laid out for. */
function fading(share: number): number {
  return Math.max(0, 2 * share - 1);
}

/** The content of a card: a picture with its name, or a name alone. (R12, R43, C46) */
interface CardArt {
  readonly picture: DrawnCard['picture'];
  readonly words: readonly CardWords[];
  /** The colour of the row the item is in. */
  readonly tint: Rgb;
}

/** How a card is drawn besides its content. */
interface CardFrame extends CardSprite {
  readonly radiusPx: number;
  /** The unit of the lengths of a card's plate. */
  readonly em: number;
  /** The same for the copy below it. */
  readonly dropEm: number;
  /** How far the picture stays from the card's edge. */
  readonly matPx: number;
}

/** Draws a card of that size with its corner at the origin. What is below its plate reaches beyond it. */
export function drawCard(context: Canvas2D, art: CardArt, frame: CardFrame, style: CardStyle, inks: Inks): void {
  const { width, height, em, dropEm, radiusPx } = frame;
  const box = { x: 0, y: 0, width, height };
  const size = { em, dropEm, radiusPx };
  drawBody(context, style.plate, box, size, inks);
  context.save();
  tracePlate(context, style.plate, box, size);
  context.clip();
  if (art.picture === null) drawTint(context, art.tint, frame, style, inks);
  else drawPicture(context, art.picture, frame, style);
  const { globalAlpha } = context;
  for (const words of art.words) {
    context.globalAlpha = globalAlpha * words.alpha;
    drawWords(context, words, frame, style, inks);
  }
  context.globalAlpha = globalAlpha;
  context.restore();
  drawOutline(context, style.plate, box, size, inks);
  if (style.tape !== null) drawTape(context, frame, inks.of(style.tape));
}

function drawPicture(
  context: Canvas2D,
  { bitmap, ground }: NonNullable<CardArt['picture']>,
  frame: CardFrame,
  style: CardStyle,
): void {
  const { x, y, width, height } = pictureBox(frame, frame.matPx, linePx(frame, style));
  context.fillStyle = rgba(ground, 1);
  context.fillRect(x, y, width, height);
  context.drawImage(bitmap, x, y, width, height);
}

function drawWords(
  context: Canvas2D,
  { block, place }: CardWords,
  frame: CardFrame,
  style: CardStyle,
  inks: Inks,
): void {
  const { name } = style;
  const { width, height, namePx, besidePx } = frame;
  if (place === 'beside') {
    const margin = BESIDE_MARGIN * height;
    const box = { x: width - besidePx + margin, y: (height - block.heightPx) / 2, width: besidePx - 2 * margin };
    drawLetters(context, block, box, block.lines[0]!.rightToLeft ? 'right' : 'left', name, inks);
    return;
  }
  const y =
    place === 'below'
      ? height - linePx(frame, style) - (namePx + block.heightPx) / 2
      : (height - barPx(frame) - block.heightPx) / 2;
  drawLetters(context, block, { x: 0, y, width }, 'center', name, inks);
}

/** The ground of a card without a picture. */
function drawTint(context: Canvas2D, color: Rgb, frame: CardFrame, { plate, blank }: CardStyle, inks: Inks): void {
  const { width, height } = frame;
  const { fill = 'card' } = plate;
  const ground = mixed(inks.of(typeof fill === 'object' && 'top' in fill ? fill.top : fill), color, blank.tint);
  const shade = context.createLinearGradient(0, 0, 0, height);
  shade.addColorStop(0, rgba(mixed(ground, WHITE, 0.06 * blank.shade), 1));
  shade.addColorStop(1, rgba(mixed(ground, BLACK, 0.12 * blank.shade), 1));
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
  const bar = barPx(frame);
  context.fillStyle = rgba(color, 1);
  context.fillRect(0, height - bar, width, bar);
}

/** How thick the bar in the colour of the row is. */
function barPx({ width, height }: CardFrame): number {
  return Math.max(1, Math.round(Math.min(width, height) * 0.035));
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
