import type { Theme } from '../../../plan/model/theme.ts';
import type { BoardState, Flight } from '../../../plan/reveal/board-state.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import { type Box, grown } from '../../boxes.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import type { CardSprites, CardSpritesParts } from '../card/card-sprites.ts';
import { type Rgb, rgbOf } from '../color.ts';
import type { DrawAhead } from '../draw-ahead.ts';

/** One card's part of the picture in front of the board, back to front. */
export interface FrontDrawing {
  /** Nothing is drawn outside it; null if nothing is drawn at all. */
  readonly box: Box | null;
  drawBelow?(context: Canvas2D): void;
  draw(context: Canvas2D): void;
  drawAbove?(context: Canvas2D): void;
}

/** The tools for drawing cards. */
export interface FrontTools {
  readonly parts: CardSpritesParts;
  readonly cards: CardSprites;
  readonly soft: SoftShapes;
  readonly ahead: DrawAhead;
}

/** Draws the cards of one style while they are in front of the board. */
export interface FrontPainter {
  /** @param flights the current ones of its style, earliest first. */
  drawings(flights: readonly Flight[], state: BoardState, pose: BoardPose): FrontDrawing[];
  /** Draws what its cards will look like ahead, a part at a call while they are held. Returns whether nothing is left. */
  prepare?(flights: readonly Flight[], state: BoardState, pose: BoardPose): boolean;
}

/** How far the theme's shadow, tape and turn reach beyond a card, as a share of its longer side. */
export function cardReach(theme: Theme): number {
  const { plate, tape, turn } = lookOf(theme).card;
  return plate.drop === undefined && tape === null && turn.board === 0 && turn.held === 0 ? 0 : CARD_REACH;
}

const CARD_REACH = 0.14;

/** Around all of a card with its shadow or glow. */
export function roomAround(card: Box, theme: Theme, lights: readonly SoftLayer[]): Box {
  return grown(card, longer(card) * Math.max(cardReach(theme), softReach(lights)));
}

/** Draws a card, or the light around it: only as much as is seen from its left edge. */
export function drawWiped(context: Canvas2D, box: Box, shown: number, draw: () => void): void {
  if (shown <= 0) return;
  if (shown === 1) {
    draw();
    return;
  }
  const { x, y, width, height } = grown(box, longer(box) * WIPED_REACH);
  const from = box.x - x;
  context.save();
  context.beginPath();
  context.rect(x, y, from + (width - from) * shown, height);
  context.clip();
  draw();
  context.restore();
}

/** How far light and shadow of a wiped card reach beyond it. */
const WIPED_REACH = 0.3;

/** Soft, and a little below the card: light comes from above. */
const SHADOW: SoftLayer = { color: 'rgba(0, 0, 0, 0.7)', blur: 0.07, radius: 0.09, drop: 0.045 };

/** A theme has as much of it as its ground bears. */
export function shadowsOf(theme: Theme): SoftLayer[] {
  const { shadow: share } = lookOf(theme).card;
  if (share === 0) return [];
  return [share === 1 ? SHADOW : { ...SHADOW, color: `rgba(0, 0, 0, ${Math.round(70 * share) / 100})` }];
}

/** The colour of a lane: that of its row, or the theme's neutral light for the pool and an open verdict. (R36) */
export function laneColor({ scene, theme }: Pick<CardSpritesParts, 'scene' | 'theme'>, lane: number): Rgb {
  const row = scene.rows[lane];
  return rgbOf(row === undefined ? lookOf(theme).palette.accent : row.color);
}

export function longer({ width, height }: Box): number {
  return Math.max(width, height);
}

/** The longer side of a shape as it is blurred. A blurred shape has no detail for more pixels. */
const BLURRED_PX = 64;
/**
 * How much larger it is kept: so large that it can be drawn without interpolation, which takes many times as long, and
 * no larger, since enlarging it takes most of the time of its first frame. One size for cards in front of all, one for
 * those of a board, up to `SMALL_PX`.
 */
const KEPT_SCALE = 6;
const KEPT_SMALL_SCALE = 3;
const SMALL_PX = 192;
const MAX_KEPT = 8;
/** How far a blurred edge reaches, in blurs. */
const REACH = 2.3;

/** One layer of a soft shape; lengths are shares of the longer side of the shape it surrounds. */
export interface SoftLayer {
  /** CSS colour. */
  readonly color: string;
  readonly blur: number;
  readonly radius: number;
  /** How far down it falls. */
  readonly drop: number;
}

/** How far layers extend beyond the shape they surround, as a share of its longer side. */
export function softReach(layers: readonly SoftLayer[]): number {
  return Math.max(0, ...layers.map(({ blur, drop }) => blur * REACH + drop));
}

/** Shadows and glows: blurred once, small, and then only copied at the needed size, since blurring is expensive. */
export class SoftShapes {
  readonly #createSurface: CreateSurface;
  readonly #kept = new Map<string, Bitmap>();

  constructor(createSurface: CreateSurface) {
    this.#createSurface = createSurface;
  }

  /** Draws layers around a box, the first at the bottom. */
  draw(context: Canvas2D, box: Box, layers: readonly SoftLayer[]): void {
    const long = Math.max(box.width, box.height);
    if (long <= 0 || layers.length === 0) return;
    const shape = this.shapeAround(box, layers);
    const outside = (marginOf(layers) * long) / BLURRED_PX;
    context.imageSmoothingEnabled = false;
    context.drawImage(shape, box.x - outside, box.y - outside, box.width + 2 * outside, box.height + 2 * outside);
    context.imageSmoothingEnabled = true;
  }

  /** The blurred layers around a box; also to make them before they are needed. */
  shapeAround(box: Box, layers: readonly SoftLayer[]): Bitmap {
    const long = Math.max(box.width, box.height);
    const scale = BLURRED_PX / long;
    const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
    const kept = long <= SMALL_PX ? KEPT_SMALL_SCALE : KEPT_SCALE;
    const key = `${width}x${height} ${kept} ${JSON.stringify(layers)}`;
    let shape = this.#kept.get(key);
    if (shape === undefined) {
      shape = this.#enlarged(this.#make(width, height, marginOf(layers), layers), kept);
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(key, shape);
    }
    return shape;
  }

  #enlarged(blurred: Bitmap, scale: number): Bitmap {
    const [width, height] = [blurred.width * scale, blurred.height * scale];
    const { bitmap, context } = this.#createSurface(width, height);
    context.imageSmoothingQuality = 'low';
    context.drawImage(blurred, 0, 0, width, height);
    return bitmap;
  }

  /** Draws only the shadows: the shape that casts them is above the visible area. */
  #make(width: number, height: number, margin: number, layers: readonly SoftLayer[]): Bitmap {
    const { bitmap, context } = this.#createSurface(width + 2 * margin, height + 2 * margin);
    const away = height + 4 * margin;
    context.fillStyle = '#000000';
    for (const { color, blur, radius, drop } of layers) {
      context.shadowColor = color;
      context.shadowBlur = blur * BLURRED_PX * 2;
      context.shadowOffsetY = away + drop * BLURRED_PX;
      context.beginPath();
      context.roundRect(margin, margin - away, width, height, radius * BLURRED_PX);
      context.fill();
    }
    return bitmap;
  }
}

function marginOf(layers: readonly SoftLayer[]): number {
  return Math.ceil(softReach(layers) * BLURRED_PX);
}
