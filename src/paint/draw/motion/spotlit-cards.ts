import type { BoardState, Flight } from '../../../plan/board-state.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import type { SpotlightLook } from '../../../plan/reveal/spotlight.ts';
import type { Bitmap, Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { around, type Box, between, grown, scaledAboutCentre } from '../../layout/box.ts';
import { cleanLine } from '../../layout/clean-text.ts';
import { type SpotlightPlace, type Spotlit, spotlightPlaces } from '../../layout/spotlight-place.ts';
import { type Rgb, rgba } from '../color.ts';
import { drawStamp, drawTold } from './draw-spotlight.ts';
import { type FrontPainter, type FrontPiece, type FrontTools, laneColor, longer, SHADOW } from './front-piece.ts';
import { type SoftLayer, softReach } from './soft-shapes.ts';

const NOTE_LENGTH = 300;

/** Cards in the spotlight, with what is told of them and their verdict. */
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

  pieces(lights: readonly Flight[], _state: BoardState, pose: BoardPose): FrontPiece[] {
    const { parts, cards } = this.#tools;
    const { scene } = parts;
    const told = lights.map(({ event: { item, at } }) => ({
      group: at,
      // Once is enough: not where the card says it.
      name: cards.saysName(item) ? '' : cards.names[item]!,
      score: cleanLine(scene.items[item]!.score, NOTE_LENGTH),
      note: cleanLine(scene.items[item]!.note, NOTE_LENGTH),
      label: cleanLine(scene.rows[pose.laneOf.get(item)!]?.label ?? '', NOTE_LENGTH),
    }));
    const places = this.#placesOf(told);
    const looks = lights.map(({ progress }) => EVENT_STYLES.spotlight.look(progress));
    return lights.flatMap(({ event, progress }, index): FrontPiece[] => {
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
    const { layout, measure } = this.#tools.parts;
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
      const surface = this.#tools.parts.createSurface(Math.ceil(box.width) + 2, Math.ceil(box.height) + 2);
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
      const surface = this.#tools.parts.createSurface(width, height);
      drawStamp(surface.context, stamp, { ...stamp.box, x: margin, y: margin }, color);
      plate = surface.bitmap;
      this.#placed!.plates.set(stamp, plate);
    }
    const scale = box.height / stamp.box.height;
    context.imageSmoothingQuality = 'low';
    context.drawImage(plate, box.x - margin * scale, box.y - margin * scale, width * scale, height * scale);
  }

  #spotlit(item: number, place: SpotlightPlace, look: SpotlightLook, pose: BoardPose, landed: boolean): FrontPiece {
    const { parts, cards, soft } = this.#tools;
    const lane = pose.laneOf.get(item)!;
    const color = laneColor(parts, lane);
    const way = between(scaledAboutCentre(place.card, look.scale), pose.cards.get(item)!, look.flight);
    // A slight arc, but never out of the panel.
    const arc = Math.sin(Math.PI * look.flight) * 0.05 * parts.layout.panel.height;
    const card = { ...way, y: way.y - Math.min(arc, Math.max(0, way.y - parts.layout.panel.y)) };
    const lights = [SHADOW, glowOf(color)];
    const stamp = look.stampAlpha > 0 ? place.stamp : null;
    const told = look.name > 0 ? place.told : null;
    const stampBox = stamp && scaledAboutCentre(stamp.box, look.stamp);
    return {
      dim: look.dim,
      box: around([
        ...(landed ? [] : [grown(card, longer(card) * softReach(lights))]),
        ...(told === null ? [] : [told.box]),
        ...(stampBox === null ? [] : [grown(stampBox, stampBox.height * 0.3)]),
      ]),
      drawBelow: (context) => {
        if (landed) return;
        context.globalAlpha = look.alpha * look.glow;
        soft.draw(context, card, lights);
      },
      draw: (context) => {
        if (!landed) {
          context.globalAlpha = look.alpha;
          cards.drawLarge(context, item, lane, place.card, card);
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
}

function glowOf(color: Rgb): SoftLayer {
  return { color: rgba(color, 0.9), blur: 0.1, radius: 0.09, drop: 0 };
}
