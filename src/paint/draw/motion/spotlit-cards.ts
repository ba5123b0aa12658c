import type { BoardState, Flight } from '../../../plan/reveal/board-state.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import { around, grown } from '../../boxes.ts';
import type { Bitmap, Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { type SpotlightPlace, type Spotlit, spotlightPlaces } from '../../layout/spotlight-place.ts';
import { type LitCard, litCards, NO_LANE } from '../../layout/spotlight-pose.ts';
import { cleanLine } from '../../layout/text/text-block.ts';
import { type Rgb, rgba } from '../color.ts';
import { drawNote, drawStamp } from './draw-spotlight.ts';
import {
  drawPosed,
  type FrontDrawing,
  type FrontPainter,
  type FrontTools,
  laneColor,
  roomAround,
  type SoftLayer,
  shadowOf,
} from './front-drawing.ts';

const NOTE_LENGTH = 300;

/** Cards in the spotlight, with their notes and their verdict. */
export class SpotlitCards implements FrontPainter {
  readonly #tools: FrontTools;
  #placed: {
    readonly key: string;
    readonly places: readonly SpotlightPlace[];
    /** Notes and stamps as they are drawn in the colour of a lane. */
    readonly plates: Map<object, Map<number, Bitmap>>;
  } | null = null;

  constructor(tools: FrontTools) {
    this.#tools = tools;
  }

  drawings(lights: readonly Flight[], { inFlight }: BoardState, pose: BoardPose): FrontDrawing[] {
    const { parts, cards } = this.#tools;
    const { scene } = parts;
    const spotlit = lights.map(({ event: { item, at } }) => ({
      group: at,
      // Empty if the card already shows the name.
      name: cards.saysName(item) ? '' : cards.names[item]!,
      score: cleanLine(scene.items[item]!.score, NOTE_LENGTH),
      note: cleanLine(scene.items[item]!.note, NOTE_LENGTH),
      label: cleanLine(scene.rows[pose.laneOf.get(item)!]?.label ?? '', NOTE_LENGTH),
    }));
    const places = this.#placesOf(spotlit);
    const placed = lights.map((flight, index) => ({ ...flight, place: places[index]! }));
    const slams = inFlight.filter(({ event }) => event.style === 'slam');
    return litCards(placed, slams, pose, parts.layout.panel).map((lit) => this.#drawing(lit));
  }

  /** Text is laid out once: the places of the cards do not change while cards come and go. */
  #placesOf(spotlit: readonly Spotlit[]): readonly SpotlightPlace[] {
    const { layout, measure } = this.#tools.parts;
    const key = JSON.stringify(spotlit);
    if (this.#placed?.key !== key) {
      const places = spotlightPlaces(spotlit, { ...layout, ...layout.held }, measure);
      this.#placed = { key, places, plates: new Map() };
    }
    return this.#placed.places;
  }

  /** The note of a card, as a bitmap. */
  #drawNote(context: Canvas2D, note: NonNullable<SpotlightPlace['note']>, lane: number): void {
    const { box } = note;
    const { parts } = this.#tools;
    // Room for its edge and what is below it.
    const margin = Math.ceil(note.texts[0]!.block.sizePx * 0.3);
    const [x, y] = [Math.floor(box.x) - margin, Math.floor(box.y) - margin];
    const [width, height] = [box.width, box.height].map((px) => Math.ceil(px) + 2 + 2 * margin) as [number, number];
    const plate = this.#plate(note, lane, width, height, (surface) => {
      surface.translate(-x, -y);
      drawNote(surface, note, laneColor(parts, lane), parts.theme);
    });
    context.imageSmoothingQuality = 'low';
    context.drawImage(plate, x, y, plate.width, plate.height);
  }

  /** The stamp, as a bitmap at the size it comes to rest at. */
  #drawStamp(
    context: Canvas2D,
    stamp: NonNullable<SpotlightPlace['stamp']>,
    { box, turn, shown }: NonNullable<LitCard['stamp']>,
    lane: number,
  ): void {
    const { parts } = this.#tools;
    // Room for its edge and what is below it.
    const margin = Math.ceil(stamp.box.height * STAMP_MARGIN);
    const [width, height] = [stamp.box.width, stamp.box.height].map((px) => Math.ceil(px) + 2 * margin) as [
      number,
      number,
    ];
    const plate = this.#plate(stamp, lane, width, height, (surface) => {
      drawStamp(surface, stamp, { ...stamp.box, x: margin, y: margin }, laneColor(parts, lane), parts.theme);
    });
    const scale = box.height / stamp.box.height;
    context.save();
    context.translate(box.x + box.width / 2, box.y + box.height / 2);
    context.rotate(((turn + lookOf(this.#tools.parts.theme).stamp.turn) * Math.PI) / 180);
    context.scale(scale, scale);
    context.imageSmoothingQuality = 'low';
    if (shown < 1) {
      context.beginPath();
      context.rect(-width / 2, -height / 2, width * shown, height);
      context.clip();
    }
    context.drawImage(plate, -stamp.box.width / 2 - margin, -stamp.box.height / 2 - margin, width, height);
    context.restore();
  }

  /** Drawn once in the colour of each lane, then copied. */
  #plate(of: object, lane: number, width: number, height: number, draw: (context: Canvas2D) => void): Bitmap {
    const { plates } = this.#placed!;
    const known = plates.get(of) ?? new Map<number, Bitmap>();
    plates.set(of, known);
    let plate = known.get(lane);
    if (plate === undefined) {
      const surface = this.#tools.parts.createSurface(width, height);
      draw(surface.context);
      plate = surface.bitmap;
      known.set(lane, plate);
    }
    return plate;
  }

  #drawing(lit: LitCard): FrontDrawing {
    const { item, lane, place, card, held, alpha, nameAlpha, glow, color, turn, stamp } = lit;
    const { parts, cards, soft } = this.#tools;
    const { glow: shine } = lookOf(parts.theme).card;
    const lightIn = (ink: Rgb) => [shadowOf(parts.theme), ...(shine > 0 ? [glowOf(ink, shine)] : [])];
    const lights = lightIn(laneColor(parts, lane));
    const neutral = lightIn(laneColor(parts, NO_LANE));
    const note = nameAlpha > 0 ? place.note : null;
    return {
      box: around([
        roomAround(card, turn, parts.theme, lights),
        ...(note === null ? [] : [grown(note.box, note.texts[0]!.block.sizePx * 0.3 + 1)]),
        ...(stamp === null ? [] : [grown(stamp.box, stamp.box.height * 0.3)]),
      ]),
      drawBelow: (context) => {
        for (const [light, share] of [
          [neutral, 1 - color],
          [lights, color],
        ] as const) {
          if (share === 0) continue;
          context.globalAlpha = alpha * glow * share;
          drawPosed(context, card, lit, () => soft.draw(context, card, light));
        }
      },
      draw: (context) => {
        context.globalAlpha = nameAlpha;
        if (note !== null) this.#drawNote(context, note, lane);
        context.globalAlpha = alpha;
        drawPosed(context, card, lit, () => cards.drawHeld(context, item, lane, place.card, card, held));
        if (stamp === null) return;
        context.globalAlpha = stamp.alpha;
        this.#drawStamp(context, place.stamp!, stamp, lane);
      },
    };
  }
}

/** How far the edge and the shadow of a stamp reach beyond it, as a share of its height. */
const STAMP_MARGIN = 0.12;

function glowOf(color: Rgb, shine: number): SoftLayer {
  return { color: rgba(color, 0.9 * shine), blur: 0.1, radius: 0.09, drop: 0 };
}
