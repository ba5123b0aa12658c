import type { BoardState, Flight } from '../../plan/board-state.ts';
import { EVENT_STYLES, hasLanded, shakeAt } from '../../plan/reveal/event-styles.ts';
import type { Bitmap, Canvas2D } from '../canvas-2d.ts';
import { type BoardPose, movingPart, poseAt } from '../layout/board-pose.ts';
import { type Box, scaledAboutCentre } from '../layout/box.ts';
import { CardSprites, type CardSpritesParts } from './card/card-sprites.ts';
import { rgbOf } from './color.ts';
import { drawCounter, drawFlash, drawPanel, drawPool, drawRow, panelStrip } from './draw-lanes.ts';
import { BoardFront, type FrontView } from './motion/board-front.ts';
import { TextSprites } from './text-sprites.ts';

/** What a board is painted with; everything that differs between a server and a browser comes in here. */
type BoardPainterParts = CardSpritesParts;

/** A larger panel is drawn anew every time; a taller one, or one of part of a pixel, is shaded anew. */
const MOST_PANEL_PX = 3840 * 2160;
const MOST_STRIP_PX = 3840;
/** How far the board is shaken, as a share of its panel's shorter side. */
const SHAKE = 0.008;

/** Paints one scene for one window. What does not change is drawn once and then moved about as bitmaps. */
export class BoardPainter {
  readonly #parts: BoardPainterParts;
  readonly #cards: CardSprites;
  readonly #texts: TextSprites;
  readonly #front: BoardFront;
  #strip: Bitmap | null = null;
  #panel: Bitmap | undefined;

  constructor(parts: BoardPainterParts) {
    this.#parts = parts;
    this.#cards = new CardSprites(parts);
    this.#texts = new TextSprites(parts.createSurface);
    this.#front = new BoardFront(parts, this.#cards);
  }

  /** The panel, inside the window; nothing is ever drawn outside it. */
  get bounds(): Box {
    return this.#parts.layout.panel;
  }

  /** How far the board may be shaken to each side, in whole even pixels. */
  get shakePx(): number {
    const { width, height } = this.#parts.layout.panel;
    return 2 * Math.max(1, Math.round((Math.min(width, height) * SHAKE) / 2));
  }

  /**
   * Draws the board in `state` with the window's corner at the origin of an empty context; what is aloft is not part of it.
   *
   * @param isShaken whether all of it is painted anew for this frame: then its panel comes from a bitmap, which Skia dithers a
   *   little differently. A board that rests never does, whatever else happens in the video: its key does not say. (R18)
   */
  draw(context: Canvas2D, state: BoardState, isShaken = false): void {
    const { scene, theme, layout } = this.#parts;
    const pose = poseAt(layout, state);
    this.#drawPanel(context, isShaken);
    if (layout.counter !== null) {
      drawCounter(context, layout.counter, theme, `${state.shown.size}/${scene.items.length}`);
    }
    layout.lanes.forEach(({ kind }, index) => {
      const lane = pose.lanes[index]!;
      if (kind === 'pool') drawPool(context, layout, theme, lane);
      else drawRow(context, layout, theme, index, rgbOf(scene.rows[index]!.color), lane, this.#texts);
    });
    this.#drawFlashes(context, state, pose);
    const flying = new Set(state.inFlight.map(({ event }) => event.item));
    for (const [item, box] of pose.cards) {
      if (flying.has(item)) continue;
      for (const piece of pose.wrapping.get(item) ?? [box]) this.#cards.draw(context, item, laneOf(pose, item), piece);
    }
    for (const flight of lastOfEach(state.inFlight)) this.#drawLanded(context, flight, pose);
  }

  /** What may differ from the still board without what is under way; null where nothing does. */
  movingPart(state: BoardState): Box | null {
    return movingPart(this.#parts.layout, state, isAloft);
  }

  /** How far the board is from its place, in whole pixels. */
  shake(state: BoardState): { readonly x: number; readonly y: number } {
    let [x, y] = [0, 0];
    for (const { event, progress } of state.inFlight) {
      const shaken = shakeAt(event.style, progress);
      x += shaken.x;
      y += shaken.y;
    }
    const most = this.shakePx;
    const whole = (share: number) => Math.round(Math.min(1, Math.max(-1, share)) * most);
    return { x: whole(x), y: whole(y) };
  }

  /** What stands in front of the board, with the window's corner at the origin; null where nothing does. */
  front(state: BoardState): FrontView | null {
    return this.#front.at(state, poseAt(this.#parts.layout, state));
  }

  #drawPanel(context: Canvas2D, isShaken: boolean): void {
    const { layout, theme, createSurface } = this.#parts;
    const { panel } = layout;
    const isWhole = Number.isInteger(panel.y) && Number.isInteger(panel.height);
    if (isWhole && panel.height <= MOST_STRIP_PX) this.#strip ??= panelStrip(layout, theme, createSurface);
    if (!isShaken || panel.width * panel.height > MOST_PANEL_PX) {
      drawPanel(context, layout, theme, this.#texts, this.#strip);
      return;
    }
    if (this.#panel === undefined) {
      const surface = createSurface(Math.ceil(panel.width), Math.ceil(panel.height));
      surface.context.translate(-panel.x, -panel.y);
      drawPanel(surface.context, layout, theme, this.#texts, this.#strip);
      this.#panel = surface.bitmap;
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(this.#panel, panel.x, panel.y, this.#panel.width, this.#panel.height);
  }

  #drawFlashes(context: Canvas2D, { inFlight }: BoardState, pose: BoardPose): void {
    const { scene, layout } = this.#parts;
    for (const { event, progress } of inFlight) {
      const { flash } = EVENT_STYLES[event.style].landed(progress);
      const row = laneOf(pose, event.item);
      if (flash > 0 && row < scene.rows.length) {
        drawFlash(context, layout, rgbOf(scene.rows[row]!.color), pose.lanes[row]!, flash);
      }
    }
  }

  #drawLanded(context: Canvas2D, { event, progress }: Flight, pose: BoardPose): void {
    const { item, style } = event;
    if (!hasLanded(style, progress)) return;
    const { scale, alpha } = EVENT_STYLES[style].landed(progress);
    context.globalAlpha = alpha;
    this.#cards.draw(context, item, laneOf(pose, item), scaledAboutCentre(pose.cards.get(item)!, scale));
    context.globalAlpha = 1;
  }
}

/** A card is in front of the board until it lands there. */
function isAloft({ event, progress }: Flight): boolean {
  return !hasLanded(event.style, progress);
}

/** Where two events of one item overlap, the later one has it. */
function lastOfEach(flights: readonly Flight[]): Flight[] {
  return [...new Map(flights.map((flight) => [flight.event.item, flight])).values()];
}

function laneOf({ laneOf: lanes }: BoardPose, item: number): number {
  return lanes.get(item)!;
}
