import type { BoardState, Flight } from '../../../plan/board-state.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { around, type Box, between, grown, scaledAboutCentre } from '../../layout/box.ts';
import { cleanLine } from '../../layout/clean-text.ts';
import { hasLanded, liftedAt, type Spotlight, slamAt, spotlightAt } from '../../layout/reveal-motion.ts';
import { type SpotlightPlace, spotlightPlaces, spotlightPx } from '../../layout/spotlight-place.ts';
import type { CardSprites, CardSpritesParts } from '../card/card-sprites.ts';
import { INK_LIGHT, type Rgb, rgba, rgbOf } from '../color.ts';
import { drawSign, drawStamp, drawTold } from './draw-spotlight.ts';
import { MARGIN, SoftShapes } from './soft-shapes.ts';

/** What stands in front of the board while it is dimmed. */
export interface FrontView {
  /** How much the rest is dimmed, from 0 to 1. */
  readonly dim: number;
  /** Nothing is drawn outside it. */
  readonly box: Box;
  draw(context: Canvas2D): void;
}

const NOTE_LENGTH = 300;
const SHADOW_BLUR = 0.07;
const GLOW_BLUR = 0.13;
/** How much larger a card is at the height of its way from row to row. */
const LIFTED = 0.28;
/** What a card has that comes flying from outside, against its slot. */
const SLAMMED = 2.1;

/** Cards that are not on the board now: in the spotlight, about to hit it, on their way from one row to another. */
export class BoardFront {
  readonly #parts: CardSpritesParts;
  readonly #cards: CardSprites;
  readonly #soft: SoftShapes;

  constructor(parts: CardSpritesParts, cards: CardSprites) {
    this.#parts = parts;
    this.#cards = cards;
    this.#soft = new SoftShapes(parts.createSurface);
  }

  /** What there is of it in `state`; null where there is nothing. */
  at(state: BoardState, pose: BoardPose): FrontView | null {
    const flights = state.inFlight.filter(({ progress }) => progress < 1);
    this.#cards.keepLarge(flights.map(({ event }) => event.item));
    const pieces = [
      ...flights.filter(({ event }) => event.style === 'move').map((flight) => this.#lifted(flight, state, pose)),
      ...this.#spotlights(flights, pose),
      ...flights.filter(({ event }) => event.style === 'slam').map((flight) => this.#slammed(flight, pose)),
    ].filter((piece) => piece !== null);
    if (pieces.length === 0) return null;
    return {
      dim: Math.max(...pieces.map(({ dim }) => dim)),
      box: around(pieces.map(({ box }) => box)),
      draw: (context) => {
        for (const piece of pieces) piece.draw(context);
        context.globalAlpha = 1;
      },
    };
  }

  #spotlights(flights: readonly Flight[], pose: BoardPose): FrontView[] {
    const { scene, layout, measure } = this.#parts;
    const lights = flights.filter(({ event }) => event.style === 'spotlight');
    const told = lights.map(({ event: { item, at } }) => ({
      group: at,
      // Once is enough: not where the card says it.
      name: this.#cards.saysName(item) ? '' : this.#cards.names[item]!,
      score: cleanLine(scene.items[item]!.score, NOTE_LENGTH),
      note: cleanLine(scene.items[item]!.note, NOTE_LENGTH),
      label: cleanLine(scene.rows[pose.laneOf.get(item)!]?.label ?? '', NOTE_LENGTH),
    }));
    const places = spotlightPlaces(told, layout, measure);
    const looks = lights.map(({ progress }) => spotlightAt(progress));
    return lights.flatMap(({ event, progress }, index): FrontView[] => {
      const look = looks[index]!;
      // What is told of a card makes way for what is told of one that comes after it.
      const later = lights.flatMap((other, at) => (at > index && other.event.at !== event.at ? [looks[at]!.name] : []));
      const toldAlpha = look.name * later.reduce((rest, name) => rest * (1 - name), 1);
      const landed = hasLanded('spotlight', progress);
      if (landed && look.stampAlpha === 0) return [];
      return [this.#spotlit(event.item, places[index]!, { ...look, name: toldAlpha }, pose, landed)];
    });
  }

  #spotlit(item: number, place: SpotlightPlace, look: Spotlight, pose: BoardPose, landed: boolean): FrontView {
    const { layout } = this.#parts;
    const lane = pose.laneOf.get(item)!;
    const color = this.#color(lane);
    const way = between(scaledAboutCentre(place.card, look.scale), pose.cards.get(item)!, look.flight);
    // A slight arc, but never out of the panel.
    const arc = Math.sin(Math.PI * look.flight) * 0.05 * layout.panel.height;
    const card = { ...way, y: way.y - Math.min(arc, Math.max(0, way.y - layout.panel.y)) };
    const stamp = look.stampAlpha > 0 ? place.stamp : null;
    const told = look.name > 0 ? place.told : null;
    const stampBox = stamp && scaledAboutCentre(stamp.box, look.stamp);
    return {
      dim: look.dim,
      box: around([
        ...(landed ? [] : [grown(card, Math.max(card.width, card.height) * GLOW_BLUR * MARGIN)]),
        ...(told === null ? [] : [told.box]),
        ...(stampBox === null ? [] : [grown(stampBox, stampBox.height * 0.3)]),
      ]),
      draw: (context) => {
        if (!landed) {
          context.globalAlpha = look.glow * look.alpha;
          this.#glow(context, card, color);
          context.globalAlpha = look.alpha * (1 - look.flight ** 4);
          this.#shadow(context, card, 1);
          context.globalAlpha = look.alpha;
          this.#cards.drawLarge(context, item, lane, place.card, card);
        }
        context.globalAlpha = look.name;
        if (told !== null) drawTold(context, told, color);
        context.globalAlpha = look.stampAlpha;
        if (stamp !== null && stampBox !== null) drawStamp(context, stamp, stampBox, color);
      },
    };
  }

  #slammed({ event, progress }: Flight, pose: BoardPose): FrontView | null {
    if (hasLanded('slam', progress)) return null;
    const { layout } = this.#parts;
    const { item } = event;
    const slot = pose.cards.get(item)!;
    const lane = pose.laneOf.get(item)!;
    const scale = Math.max(1, Math.min(SLAMMED, spotlightPx(layout) / slot.width));
    const large = scaledAboutCentre(slot, scale);
    // From above, and from the middle: there it is seen longest.
    const middle = layout.panel.x + layout.panel.width / 2;
    const start = { ...large, x: large.x + (middle - large.x - large.width / 2) * 0.35, y: -large.height * 1.2 };
    const { approach } = slamAt(progress);
    const card = between(start, slot, approach);
    return {
      dim: 0,
      box: grown(card, Math.max(card.width, card.height) * (SHADOW_BLUR * MARGIN + 0.1)),
      draw: (context) => {
        context.globalAlpha = 1;
        this.#shadow(context, card, 2 * (1 - approach));
        this.#cards.drawLarge(context, item, lane, large, card);
      },
    };
  }

  #lifted({ event, progress }: Flight, state: BoardState, pose: BoardPose): FrontView {
    const { scene } = this.#parts;
    const { item } = event;
    const { lift, sign } = liftedAt(progress);
    const from = state.lanes.findIndex((items) => items.includes(item));
    const to = pose.laneOf.get(item)!;
    const slot = pose.cards.get(item)!;
    const card = scaledAboutCentre(slot, 1 + LIFTED * lift);
    const rows = scene.rows.length;
    const tiers = from < rows && to < rows ? from - to : 0;
    const signPx = slot.height * 0.34;
    const signBox = {
      x: card.x + card.width - signPx * 1.1,
      y: card.y - signPx * 0.35,
      width: signPx * 1.7,
      height: signPx,
    };
    return {
      dim: 0,
      box: around([
        grown(card, Math.max(card.width, card.height) * (SHADOW_BLUR * MARGIN + 0.1)),
        ...(tiers === 0 || sign === 0 ? [] : [grown(signBox, 2)]),
      ]),
      draw: (context) => {
        context.globalAlpha = lift;
        if (lift > 0) this.#shadow(context, card, 1 + lift);
        context.globalAlpha = 1;
        if (!hasLanded('move', progress))
          this.#cards.drawLarge(context, item, from, scaledAboutCentre(slot, 1 + LIFTED), card);
        context.globalAlpha = sign;
        if (tiers !== 0 && sign > 0) drawSign(context, this.#parts, tiers, signBox);
      },
    };
  }

  #glow(context: Canvas2D, card: Box, color: Rgb): void {
    this.#soft.draw(context, card, { color: rgba(color, 0.9), blur: GLOW_BLUR, radius: 0.09 });
  }

  /** It falls downward, the farther the higher the card is. */
  #shadow(context: Canvas2D, card: Box, height: number): void {
    const below = { ...card, y: card.y + Math.max(card.width, card.height) * 0.035 * height };
    this.#soft.draw(context, below, { color: 'rgba(0, 0, 0, 0.7)', blur: SHADOW_BLUR, radius: 0.09 });
  }

  #color(lane: number): Rgb {
    const row = this.#parts.scene.rows[lane];
    return row === undefined ? INK_LIGHT : rgbOf(row.color);
  }
}
