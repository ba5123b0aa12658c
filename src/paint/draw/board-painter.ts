import type { BoardState } from '../../plan/board-state.ts';
import type { Bitmap, Canvas2D } from '../canvas-2d.ts';
import { movingPart, poseAt } from '../layout/board-pose.ts';
import { around, type Box, between, scaledAboutCentre } from '../layout/box.ts';
import { popAt, spotlightAt } from '../layout/reveal-motion.ts';
import { type SpotlightPlace, spotlightPlaces } from '../layout/spotlight-place.ts';
import type { TextBlock } from '../layout/text-block.ts';
import { CardSprites, type CardSpritesParts } from './card-sprites.ts';
import { rgbOf } from './color.ts';
import { drawPanel, drawPool, drawRow } from './draw-lanes.ts';
import { drawText } from './draw-text.ts';
import { TextSprites } from './text-sprites.ts';

/** What a board is painted with; everything that differs between a server and a browser comes in here. */
export type BoardPainterParts = CardSpritesParts;

/** What stands in front of the board while it is dimmed. */
export interface Spotlights {
  /** How much the rest is dimmed, from 0 to 1. */
  readonly dim: number;
  /** Nothing is drawn outside it. */
  readonly box: Box;
  draw(context: Canvas2D): void;
}

/** A larger panel is drawn anew every time. */
const MOST_PANEL_PX = 3840 * 2160;

/** Paints one scene for one window. What does not change is drawn once and then moved about as bitmaps. */
export class BoardPainter {
  readonly #parts: BoardPainterParts;
  readonly #cards: CardSprites;
  readonly #texts: TextSprites;
  #panel: Bitmap | undefined;

  constructor(parts: BoardPainterParts) {
    this.#parts = parts;
    this.#cards = new CardSprites(parts);
    this.#texts = new TextSprites(parts.createSurface);
  }

  /** The panel, inside the window; nothing is ever drawn outside it. */
  get bounds(): Box {
    return this.#parts.layout.panel;
  }

  /** Draws the board in `state` with the window's corner at the origin of an empty context; spotlit cards are not part of it. */
  draw(context: Canvas2D, state: BoardState): void {
    const { scene, theme, layout } = this.#parts;
    const pose = poseAt(layout, state, scene.reveal);
    this.#drawPanel(context);
    layout.lanes.forEach(({ kind }, index) => {
      const lane = pose.lanes[index]!;
      if (kind === 'pool') drawPool(context, layout, theme, lane);
      else drawRow(context, layout, theme, index, rgbOf(scene.rows[index]!.color), lane, this.#texts);
    });
    const inFlight = new Set(state.inFlight.map(({ item }) => item));
    for (const [item, box] of pose.cards) {
      if (inFlight.has(item)) continue;
      for (const piece of pose.wrapping.get(item) ?? [box]) this.#cards.draw(context, item, piece);
    }
    if (scene.reveal !== 'spotlight') this.#drawPops(context, state, pose.cards);
  }

  /** What may differ from the still board without the items in flight; null where nothing does. */
  movingPart(state: BoardState): Box | null {
    const { scene, layout } = this.#parts;
    return movingPart(layout, state, scene.reveal);
  }

  /** The cards in the spotlight, with the window's corner at the origin; null where there are none. */
  spotlights(state: BoardState): Spotlights | null {
    const { scene, layout, measure } = this.#parts;
    if (scene.reveal !== 'spotlight') return null;
    const lights = state.inFlight.map((flight) => ({ ...flight, ...spotlightAt(flight.progress) }));
    this.#cards.keepLarge(lights.map(({ item }) => item));
    if (lights.length === 0) return null;
    const slots = poseAt(layout, state, scene.reveal).cards;
    // Once is enough: not where the card says it.
    const names = lights.map(({ item }) => (this.#cards.saysName(item) ? '' : this.#cards.names[item]!));
    const places = spotlightPlaces(lights, names, layout, measure);
    const shown = lights.map(({ item, progress, entrance, flight, name }, index): Spotlit => {
      const place = places[index]!;
      const way = between(scaledAboutCentre(place.card, 0.8 + 0.2 * entrance), slots.get(item)!, flight);
      // A slight arc, but never out of the panel.
      const arc = Math.sin(Math.PI * flight) * 0.05 * layout.panel.height;
      const card = { ...way, y: way.y - Math.min(arc, Math.max(0, way.y - layout.panel.y)) };
      // A name makes way for that of a card which comes after it.
      const later = lights.slice(index + 1).filter((other) => other.progress !== progress);
      const nameAlpha = name * later.reduce((rest, other) => rest * (1 - other.entrance), 1);
      const label = nameAlpha > 0 ? place.name : null;
      return { item, sidePx: place.card.width, card, cardAlpha: entrance, name: label, nameAlpha };
    });
    return {
      dim: Math.max(...lights.map(({ dim }) => dim)),
      box: around(shown.flatMap(({ card, name }) => (name === null ? [card] : [card, name.box]))),
      draw: (context) => {
        for (const light of shown) this.#drawSpotlit(context, light);
      },
    };
  }

  /** As a bitmap the panel costs no more than copying. */
  #drawPanel(context: Canvas2D): void {
    const { layout, theme, createSurface } = this.#parts;
    const { panel } = layout;
    if (panel.width * panel.height > MOST_PANEL_PX) {
      drawPanel(context, layout, theme, this.#texts);
      return;
    }
    if (this.#panel === undefined) {
      const surface = createSurface(Math.ceil(panel.width), Math.ceil(panel.height));
      surface.context.translate(-panel.x, -panel.y);
      drawPanel(surface.context, layout, theme, this.#texts);
      this.#panel = surface.bitmap;
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(this.#panel, panel.x, panel.y, this.#panel.width, this.#panel.height);
  }

  #drawPops(context: Canvas2D, state: BoardState, slots: ReadonlyMap<number, Box>): void {
    for (const { item, progress } of state.inFlight) {
      const { scale, alpha } = popAt(progress);
      context.globalAlpha = alpha;
      this.#cards.draw(context, item, scaledAboutCentre(slots.get(item)!, scale));
      context.globalAlpha = 1;
    }
  }

  #drawSpotlit(context: Canvas2D, { item, sidePx, card, cardAlpha, name, nameAlpha }: Spotlit): void {
    context.globalAlpha = cardAlpha;
    this.#cards.drawLarge(context, item, sidePx, card);
    context.globalAlpha = nameAlpha;
    if (name !== null) drawSpotlightName(context, name);
    context.globalAlpha = 1;
  }
}

/** A card in the spotlight as it is at one moment; `sidePx` is its side where it stands. */
interface Spotlit {
  readonly item: number;
  readonly sidePx: number;
  readonly card: Box;
  readonly cardAlpha: number;
  readonly name: SpotlightPlace['name'];
  readonly nameAlpha: number;
}

/** The name on a dark pill, so that it reads over anything. */
function drawSpotlightName(context: Canvas2D, { block, box }: { block: TextBlock; box: Box }): void {
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(box.height / 2, block.sizePx * 0.7));
  context.fillStyle = 'rgba(10, 11, 16, 0.82)';
  context.fill();
  context.fillStyle = '#ffffff';
  drawText(context, block, box.x, box.y + (box.height - block.heightPx) / 2, box.width, 'center');
}
