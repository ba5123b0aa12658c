import type { BoardState, Flight } from '../../../plan/board-state.ts';
import type { Bitmap, Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { around, type Box, between, grown, scaledAboutCentre } from '../../layout/box.ts';
import { cleanLine } from '../../layout/clean-text.ts';
import { hasLanded, liftedAt, type Spotlight, slamAt, spotlightAt } from '../../layout/reveal-motion.ts';
import { type SpotlightPlace, type Spotlit, spotlightPlaces, spotlightPx } from '../../layout/spotlight-place.ts';
import type { CardSprites, CardSpritesParts } from '../card/card-sprites.ts';
import { INK_LIGHT, type Rgb, rgba, rgbOf } from '../color.ts';
import { drawSign, drawStamp, drawTold } from './draw-spotlight.ts';
import { type SoftLayer, SoftShapes, softReach } from './soft-shapes.ts';

/** What stands in front of the board while it is dimmed. */
export interface FrontView {
  /** How much the rest is dimmed, from 0 to 1. */
  readonly dim: number;
  /** Nothing is drawn outside it. */
  readonly box: Box;
  draw(context: Canvas2D): void;
}

/** One card's part of it. */
interface Piece extends FrontView {
  drawBelow?(context: Canvas2D): void;
  drawAbove?(context: Canvas2D): void;
}

const NOTE_LENGTH = 300;
/** How much larger a card is at the height of its way from row to row. */
const LIFTED = 0.28;
/** What a card has that comes flying from outside, against its slot. */
const SLAMMED = 3;

/** Cards that are not on the board now: in the spotlight, about to hit it, on their way from one row to another. */
export class BoardFront {
  readonly #parts: CardSpritesParts;
  readonly #cards: CardSprites;
  readonly #soft: SoftShapes;
  #placed: {
    readonly key: string;
    readonly places: readonly SpotlightPlace[];
    readonly plates: Map<object, Bitmap>;
  } | null = null;

  constructor(parts: CardSpritesParts, cards: CardSprites) {
    this.#parts = parts;
    this.#cards = cards;
    this.#soft = new SoftShapes(parts.createSurface);
  }

  /** What there is of it in `state`; null where there is nothing. */
  at(state: BoardState, pose: BoardPose): FrontView | null {
    const flights = state.inFlight.filter(({ progress }) => progress < 1);
    this.#cards.keepLarge(flights.map(({ event }) => event.item));
    const pieces: Piece[] = [
      ...flights.filter(({ event }) => event.style === 'move').map((flight) => this.#lifted(flight, state, pose)),
      ...this.#spotlights(flights, pose),
      ...flights.filter(({ event }) => event.style === 'slam').map((flight) => this.#slammed(flight, pose)),
    ].filter((piece) => piece !== null);
    if (pieces.length === 0) return null;
    return {
      dim: Math.max(...pieces.map(({ dim }) => dim)),
      box: around(pieces.map(({ box }) => box)),
      draw: (context) => {
        // What lies below a card lies below all of them: no glow falls on its neighbour.
        for (const piece of pieces) piece.drawBelow?.(context);
        for (const piece of pieces) piece.draw(context);
        for (const piece of pieces) piece.drawAbove?.(context);
        context.globalAlpha = 1;
      },
    };
  }

  #spotlights(flights: readonly Flight[], pose: BoardPose): Piece[] {
    const { scene } = this.#parts;
    const lights = flights.filter(({ event }) => event.style === 'spotlight');
    const told = lights.map(({ event: { item, at } }) => ({
      group: at,
      // Once is enough: not where the card says it.
      name: this.#cards.saysName(item) ? '' : this.#cards.names[item]!,
      score: cleanLine(scene.items[item]!.score, NOTE_LENGTH),
      note: cleanLine(scene.items[item]!.note, NOTE_LENGTH),
      label: cleanLine(scene.rows[pose.laneOf.get(item)!]?.label ?? '', NOTE_LENGTH),
    }));
    const places = this.#placesOf(told);
    const looks = lights.map(({ progress }) => spotlightAt(progress));
    return lights.flatMap(({ event, progress }, index): Piece[] => {
      const look = looks[index]!;
      // What is told of a card makes way for what is told of one that comes after it.
      const later = lights.flatMap((other, at) => (at > index && other.event.at !== event.at ? [looks[at]!.name] : []));
      const toldAlpha = look.name * later.reduce((rest, name) => rest * (1 - name), 1);
      const landed = hasLanded('spotlight', progress);
      if (landed && look.stampAlpha === 0) return [];
      return [this.#spotlit(event.item, places[index]!, { ...look, name: toldAlpha }, pose, landed)];
    });
  }

  /** Text is set once: while cards come and go, where they stand does not change. */
  #placesOf(told: readonly Spotlit[]): readonly SpotlightPlace[] {
    const { layout, measure } = this.#parts;
    const key = JSON.stringify(told);
    if (this.#placed?.key !== key) {
      const places = spotlightPlaces(told, layout, measure);
      this.#placed = { key, places, plates: new Map() };
    }
    return this.#placed.places;
  }

  /** What is told of a card, as a bitmap. */
  #drawTold(context: Canvas2D, told: NonNullable<SpotlightPlace['told']>, color: Rgb): void {
    const { box } = told;
    const [x, y] = [Math.floor(box.x), Math.floor(box.y)];
    let plate = this.#placed!.plates.get(told);
    if (plate === undefined) {
      const surface = this.#parts.createSurface(Math.ceil(box.width) + 2, Math.ceil(box.height) + 2);
      surface.context.translate(-x, -y);
      drawTold(surface.context, told, color);
      plate = surface.bitmap;
      this.#placed!.plates.set(told, plate);
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(plate, x, y, plate.width, plate.height);
  }

  /** The stamp, as a bitmap at the size it comes to rest at. */
  #drawStamp(context: Canvas2D, stamp: NonNullable<SpotlightPlace['stamp']>, box: Box, color: Rgb): void {
    // Room for its edge.
    const margin = Math.ceil(stamp.box.height * 0.03);
    const [width, height] = [stamp.box.width, stamp.box.height].map((px) => Math.ceil(px) + 2 * margin) as [
      number,
      number,
    ];
    let plate = this.#placed!.plates.get(stamp);
    if (plate === undefined) {
      const surface = this.#parts.createSurface(width, height);
      drawStamp(surface.context, stamp, { ...stamp.box, x: margin, y: margin }, color);
      plate = surface.bitmap;
      this.#placed!.plates.set(stamp, plate);
    }
    const scale = box.height / stamp.box.height;
    context.imageSmoothingQuality = 'low';
    context.drawImage(plate, box.x - margin * scale, box.y - margin * scale, width * scale, height * scale);
  }

  #spotlit(item: number, place: SpotlightPlace, look: Spotlight, pose: BoardPose, landed: boolean): Piece {
    const { layout } = this.#parts;
    const lane = pose.laneOf.get(item)!;
    const color = this.#color(lane);
    const way = between(scaledAboutCentre(place.card, look.scale), pose.cards.get(item)!, look.flight);
    // A slight arc, but never out of the panel.
    const arc = Math.sin(Math.PI * look.flight) * 0.05 * layout.panel.height;
    const card = { ...way, y: way.y - Math.min(arc, Math.max(0, way.y - layout.panel.y)) };
    const soft = [SHADOW, glowOf(color)];
    const stamp = look.stampAlpha > 0 ? place.stamp : null;
    const told = look.name > 0 ? place.told : null;
    const stampBox = stamp && scaledAboutCentre(stamp.box, look.stamp);
    return {
      dim: look.dim,
      box: around([
        ...(landed ? [] : [grown(card, longer(card) * softReach(soft))]),
        ...(told === null ? [] : [told.box]),
        ...(stampBox === null ? [] : [grown(stampBox, stampBox.height * 0.3)]),
      ]),
      drawBelow: (context) => {
        if (landed) return;
        context.globalAlpha = look.alpha * look.glow;
        this.#soft.draw(context, card, soft);
      },
      draw: (context) => {
        if (!landed) {
          context.globalAlpha = look.alpha;
          this.#cards.drawLarge(context, item, lane, place.card, card);
        }
        context.globalAlpha = look.name;
        if (told !== null) this.#drawTold(context, told, color);
      },
      drawAbove: (context) => {
        context.globalAlpha = look.stampAlpha;
        if (stamp !== null && stampBox !== null) this.#drawStamp(context, stamp, stampBox, color);
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
    const start = { ...large, x: large.x + (middle - large.x - large.width / 2) * 0.35, y: -large.height * 1.15 };
    const { approach } = slamAt(progress);
    // Large almost to the end: it grows smaller as what falls away from the eye does.
    const centre = between(start, large, approach);
    const card = scaledAboutCentre(centre, 1 + (1 / scale - 1) * approach ** 2);
    return {
      dim: 0,
      box: grown(card, longer(card) * softReach([SHADOW])),
      draw: (context) => {
        context.globalAlpha = 1;
        this.#soft.draw(context, card, [SHADOW]);
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
        grown(card, longer(card) * softReach([SHADOW])),
        ...(tiers === 0 || sign === 0 ? [] : [grown(signBox, 2)]),
      ]),
      draw: (context) => {
        context.globalAlpha = lift;
        if (lift > 0) this.#soft.draw(context, card, [SHADOW]);
        context.globalAlpha = 1;
        if (!hasLanded('move', progress))
          this.#cards.drawLarge(context, item, from, scaledAboutCentre(slot, 1 + LIFTED), card);
        context.globalAlpha = sign;
        if (tiers !== 0 && sign > 0) drawSign(context, this.#parts, tiers, signBox);
      },
    };
  }

  #color(lane: number): Rgb {
    const row = this.#parts.scene.rows[lane];
    return row === undefined ? INK_LIGHT : rgbOf(row.color);
  }
}

/** Soft, and a little below the card: light comes from above. */
const SHADOW: SoftLayer = { color: 'rgba(0, 0, 0, 0.7)', blur: 0.07, radius: 0.09, drop: 0.045 };

function glowOf(color: Rgb): SoftLayer {
  return { color: rgba(color, 0.9), blur: 0.1, radius: 0.09, drop: 0 };
}

function longer({ width, height }: Box): number {
  return Math.max(width, height);
}
