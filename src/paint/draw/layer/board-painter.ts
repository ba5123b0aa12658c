import type { BoardEvent } from '../../../plan/model/board-scene.ts';
import { type BoardState, boardStateAt, type Flight, inRows } from '../../../plan/reveal/board-state.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { Frames } from '../../../time.ts';
import { type Box, flattened, grown, scaledAboutCentre, touches } from '../../boxes.ts';
import type { Bitmap, Canvas2D } from '../../canvas-2d.ts';
import { type BoardPose, movingPart, poseAt } from '../../layout/board-pose.ts';
import { CardSprites, type CardSpritesParts } from '../card/card-sprites.ts';
import { rgbOf } from '../color.ts';
import { BoardFront, type FrontView } from '../motion/board-front.ts';
import { TextSprites } from '../text-drawing.ts';
import { drawBump, drawCounter, drawPanel, drawPool, drawRow, drawSweep, panelStrip } from './draw-lanes.ts';

/** The parts of a board painter; everything that differs between a server and a browser. */
type BoardPainterParts = CardSpritesParts;

/** A taller panel, or one with a fractional height, is shaded each time. */
const MAX_STRIP_PX = 3840;
/** Nothing of a row or a card is further outside it, as a share of its longer side. */
const OUTSIDE = 0.3;
/** How far a label may reach beyond its row, as a share of its height. */
const MAX_BUMP = 0.07;

/** Paints one scene for one window. Constant parts are drawn once and then moved as bitmaps. */
export class BoardPainter {
  readonly #parts: BoardPainterParts;
  readonly #cards: CardSprites;
  readonly #texts: TextSprites;
  readonly #front: BoardFront;
  #strip: Bitmap | null = null;
  /** The last event for which cards were drawn ahead, and the last one for which nothing is left to draw. */
  #next: BoardEvent | null = null;
  #ready: BoardEvent | null = null;

  constructor(parts: BoardPainterParts) {
    this.#parts = parts;
    this.#cards = new CardSprites(parts);
    this.#texts = new TextSprites(parts.createSurface);
    this.#front = new BoardFront(parts, this.#cards);
  }

  /** The panel, inside the window; nothing is drawn outside it. */
  get bounds(): Box {
    return this.#parts.layout.panel;
  }

  /**
   * Draws the board in `state` with the window's corner at the origin of an empty context, without cards in front of
   * it. `part`: where it is seen, all of it by default.
   */
  draw(context: Canvas2D, state: BoardState, part: Box = this.bounds): void {
    const { scene, theme, layout } = this.#parts;
    const pose = poseAt(layout, state);
    const isSeen = (box: Box) => touches(grown(box, Math.max(box.width, box.height) * OUTSIDE), part);
    this.#drawPanel(context);
    if (layout.counter !== null) {
      drawCounter(context, layout.counter, theme, `${this.landed(state)}/${scene.counter}`);
    }
    layout.lanes.forEach(({ kind }, index) => {
      const lane = pose.lanes[index]!;
      if (!isSeen(lane)) return;
      if (kind === 'pool') drawPool(context, layout, theme, lane);
      else drawRow(context, layout, theme, index, rgbOf(scene.rows[index]!.color), lane, this.#texts);
    });
    this.#drawLandings(context, state, pose);
    const flying = new Set(state.inFlight.map(({ event }) => event.item));
    for (const [item, box] of pose.cards) {
      if (flying.has(item)) continue;
      for (const place of pose.wrapping.get(item) ?? [box]) {
        if (isSeen(place)) this.#cards.draw(context, item, laneOf(pose, item), place);
      }
    }
    for (const flight of lastOfEach(state.inFlight)) this.#drawLanded(context, flight, pose);
  }

  /** The part that may differ from the still board before the current events; null if nothing does. */
  movingPart(state: BoardState): Box | null {
    const { layout } = this.#parts;
    const part = this.#ticking(state, movingPart(layout, state, isAloft));
    const bumps = state.inFlight.filter(({ event, clock }) => EVENT_STYLES[event.style].landed(clock).label > 1);
    if (part === null || bumps.length === 0) return part;
    // A label that is larger than its row reaches into the rows beside it; a row is painted whole, or its edges would differ.
    const { lanes, laneOf: rows } = poseAt(layout, state);
    const touched = bumps.flatMap(({ event }) => {
      const row = rows.get(event.item)!;
      return [taller(lanes[row]!), ...lanes.slice(Math.max(0, row - 1), row + 2)];
    });
    return touched.reduce((all, lane) => joined(all, lane, layout.panel), part);
  }

  /** The part with the counter, if its number differs from the still board's. */
  #ticking(state: BoardState, part: Box | null): Box | null {
    const { counter, panel } = this.#parts.layout;
    if (counter === null || this.landed(state) === inRows(state, [])) return part;
    const { y, height } = counter.box;
    return joined(part ?? { ...panel, y, height }, counter.box, panel);
  }

  /** How many items have landed in rows, for the counter; 0 if there is none. (C56) */
  landed(state: BoardState): number {
    if (this.#parts.layout.counter === null) return 0;
    return inRows(
      state,
      state.inFlight.filter((flight) => !isAloft(flight)).map(({ event }) => event),
    );
  }

  /** What is in front of the board, with the window's corner at the origin; null if nothing is. */
  front(state: BoardState): FrontView | null {
    return this.#front.at(state, poseAt(this.#parts.layout, state));
  }

  /** While the board rests: draws the large card of the first event after `frame` ahead, once. */
  prepareNext(frame: Frames): void {
    const { scene, layout, theme } = this.#parts;
    const next = scene.events.find(({ at }) => at > frame);
    if (next === undefined || next === this.#next) return;
    this.#next = next;
    const state = boardStateAt(scene, next.at, lookOf(theme).motion);
    this.#front.prepare(state, poseAt(layout, state));
  }

  /** While its cards are held and rest: draws a part of what comes with their verdict ahead. */
  prepareVerdict(state: BoardState): void {
    const last = state.inFlight.at(-1)?.event;
    if (last === undefined || last === this.#ready) return;
    if (this.#front.prepare(state, poseAt(this.#parts.layout, state))) this.#ready = last;
  }

  #drawPanel(context: Canvas2D): void {
    const { layout, theme, createSurface } = this.#parts;
    const { panel } = layout;
    const isWhole = Number.isInteger(panel.y) && Number.isInteger(panel.height);
    if (isWhole && panel.height <= MAX_STRIP_PX) this.#strip ??= panelStrip(layout, theme, createSurface);
    drawPanel(context, layout, theme, this.#texts, this.#strip);
  }

  /** The effects of landings on their rows: light along the lane, over it the label. */
  #drawLandings(context: Canvas2D, { inFlight }: BoardState, pose: BoardPose): void {
    const { scene, layout, theme } = this.#parts;
    const landings = inFlight
      .map(({ event, clock }) => ({ row: laneOf(pose, event.item), ...EVENT_STYLES[event.style].landed(clock) }))
      .filter(({ row }) => row < scene.rows.length);
    for (const { row, light, sweep } of landings) {
      if (light > 0)
        drawSweep(context, layout, theme, rgbOf(scene.rows[row]!.color), pose.lanes[row]!, { sweep, light });
    }
    for (const { row, label } of landings) {
      if (label === 1) continue;
      drawBump(context, layout, theme, row, rgbOf(scene.rows[row]!.color), pose.lanes[row]!, this.#texts, label);
    }
  }

  #drawLanded(context: Canvas2D, { event, clock }: Flight, pose: BoardPose): void {
    const { item, style } = event;
    const slot = pose.cards.get(item);
    if (slot === undefined || !hasLanded(clock)) return;
    const { scale, alpha, squash } = EVENT_STYLES[style].landed(clock);
    context.globalAlpha = alpha;
    const card = scaledAboutCentre(slot, scale);
    this.#cards.draw(context, item, laneOf(pose, item), flattened(card, squash));
    context.globalAlpha = 1;
  }
}

/** With room for a label that is larger than its row. */
function taller({ y, height, ...box }: Box): Box {
  const more = Math.ceil(height * MAX_BUMP);
  return { ...box, y: y - more, height: height + 2 * more };
}

/** As wide as the first, tall enough for both, within a third. */
function joined(one: Box, other: Box, { y, height }: Box): Box {
  const top = Math.max(Math.min(one.y, other.y), y);
  return { ...one, y: top, height: Math.min(Math.max(one.y + one.height, other.y + other.height), y + height) - top };
}

/** A card is in front of the board until it lands there. */
function isAloft({ clock }: Flight): boolean {
  return !hasLanded(clock);
}

/** If two events of one item overlap, the later one counts. */
function lastOfEach(flights: readonly Flight[]): Flight[] {
  return [...new Map(flights.map((flight) => [flight.event.item, flight])).values()];
}

function laneOf({ laneOf: lanes }: BoardPose, item: number): number {
  return lanes.get(item)!;
}
