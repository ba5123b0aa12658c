import type { BoardState, Flight } from '../../../plan/board-state.ts';
import type { Bitmap, Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { around, grown } from '../../layout/box.ts';
import { type SpotlightPlace, type Spotlit, spotlightPlaces } from '../../layout/spotlight-place.ts';
import { type LitCard, litCards } from '../../layout/spotlight-pose.ts';
import { cleanLine } from '../../layout/text/clean-text.ts';
import { type Rgb, rgba } from '../color.ts';
import { drawNote, drawStamp } from './draw-spotlight.ts';
import { type FrontDrawing, type FrontPainter, type FrontTools, laneColor, longer, SHADOW } from './front-drawing.ts';
import { type SoftLayer, softReach } from './soft-shapes.ts';

const NOTE_LENGTH = 300;

/** Cards in the spotlight, with their notes and their verdict. */
export class SpotlitCards implements FrontPainter {
  readonly #tools: FrontTools;
  #placed: {
    readonly key: string;
    readonly places: readonly SpotlightPlace[];
    readonly plates: Map<object, Bitmap>;
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
      const places = spotlightPlaces(spotlit, layout, measure);
      this.#placed = { key, places, plates: new Map() };
    }
    return this.#placed.places;
  }

  /** The note of a card, as a bitmap. */
  #drawNote(context: Canvas2D, note: NonNullable<SpotlightPlace['note']>, color: Rgb): void {
    const { box } = note;
    const [x, y] = [Math.floor(box.x), Math.floor(box.y)];
    let plate = this.#placed!.plates.get(note);
    if (plate === undefined) {
      const surface = this.#tools.parts.createSurface(Math.ceil(box.width) + 2, Math.ceil(box.height) + 2);
      surface.context.translate(-x, -y);
      drawNote(surface.context, note, color);
      plate = surface.bitmap;
      this.#placed!.plates.set(note, plate);
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(plate, x, y, plate.width, plate.height);
  }

  /** The stamp, as a bitmap at the size it comes to rest at. */
  #drawStamp(
    context: Canvas2D,
    stamp: NonNullable<SpotlightPlace['stamp']>,
    { box, turn }: NonNullable<LitCard['stamp']>,
    color: Rgb,
  ): void {
    // Room for its edge.
    const margin = Math.ceil(stamp.box.height * 0.03);
    const [width, height] = [stamp.box.width, stamp.box.height].map((px) => Math.ceil(px) + 2 * margin) as [
      number,
      number,
    ];
    let plate = this.#placed!.plates.get(stamp);
    if (plate === undefined) {
      const surface = this.#tools.parts.createSurface(width, height);
      drawStamp(surface.context, stamp, { ...stamp.box, x: margin, y: margin }, color, this.#tools.parts.theme);
      plate = surface.bitmap;
      this.#placed!.plates.set(stamp, plate);
    }
    const scale = box.height / stamp.box.height;
    context.save();
    context.translate(box.x + box.width / 2, box.y + box.height / 2);
    context.rotate((turn * Math.PI) / 180);
    context.scale(scale, scale);
    context.imageSmoothingQuality = 'low';
    context.drawImage(plate, -stamp.box.width / 2 - margin, -stamp.box.height / 2 - margin, width, height);
    context.restore();
  }

  #drawing({ item, lane, place, look, card, alpha, nameAlpha, glow, stamp }: LitCard): FrontDrawing {
    const { parts, cards, soft } = this.#tools;
    const color = laneColor(parts, lane);
    const lights = [SHADOW, glowOf(color)];
    const note = nameAlpha > 0 ? place.note : null;
    return {
      dim: look.dim,
      box: around([
        grown(card, longer(card) * softReach(lights)),
        ...(note === null ? [] : [note.box]),
        ...(stamp === null ? [] : [grown(stamp.box, stamp.box.height * 0.3)]),
      ]),
      drawBelow: (context) => {
        context.globalAlpha = alpha * glow;
        soft.draw(context, card, lights);
      },
      draw: (context) => {
        context.globalAlpha = nameAlpha;
        if (note !== null) this.#drawNote(context, note, color);
        context.globalAlpha = alpha;
        cards.drawLarge(context, item, lane, place.card, card);
        if (stamp === null) return;
        context.globalAlpha = stamp.alpha;
        this.#drawStamp(context, place.stamp!, stamp, color);
      },
    };
  }
}

function glowOf(color: Rgb): SoftLayer {
  return { color: rgba(color, 0.9), blur: 0.1, radius: 0.09, drop: 0 };
}
