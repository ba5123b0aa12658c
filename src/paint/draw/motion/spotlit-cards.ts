import type { BoardState, Flight } from '../../../plan/reveal/board-state.ts';
import { SECONDS } from '../../../plan/reveal/course.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import { around, type Box, grown } from '../../boxes.ts';
import type { Bitmap, Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { type SpotlightPlace, type Spotlit, spotlightPlaces } from '../../layout/spotlight-place.ts';
import { type LitCard, litCards, NO_LANE } from '../../layout/spotlight-pose.ts';
import { cleanLine } from '../../layout/text/text-block.ts';
import { type Rgb, rgba } from '../color.ts';
import { drawNote, drawStamp } from './draw-spotlight.ts';
import {
  drawWiped,
  type FrontDrawing,
  type FrontPainter,
  type FrontTools,
  laneColor,
  roomAround,
  type SoftLayer,
  shadowsOf,
} from './front-drawing.ts';

const NOTE_LENGTH = 300;

/** Cards in the spotlight, with their notes and their verdict. */
export class SpotlitCards implements FrontPainter {
  readonly #tools: FrontTools;
  #places: {
    readonly key: string;
    readonly places: readonly SpotlightPlace[];
    /** Notes and stamps as they are drawn in the colour of a lane. */
    readonly plates: Map<object, Map<number, Bitmap>>;
  } | null = null;
  /** How many of the bitmaps of a verdict are made. */
  readonly #prepared = new WeakMap<SpotlightPlace, number>();

  constructor(tools: FrontTools) {
    this.#tools = tools;
  }

  drawings(lights: readonly Flight[], { inFlight }: BoardState, pose: BoardPose): FrontDrawing[] {
    const placed = this.#placed(lights, pose);
    const slams = inFlight.filter(({ event }) => event.style === 'slam');
    return litCards(placed, slams, pose, this.#tools.parts.layout.panel).map((lit) => this.#drawing(lit));
  }

  prepare(lights: readonly Flight[], _: BoardState, pose: BoardPose): boolean {
    const { cards, ahead } = this.#tools;
    return this.#placed(lights, pose).every(({ event, clock, place }) => {
      if (clock.verdict >= 0 || event.isUndecided === true) return true;
      if (clock.start >= SECONDS.spotlight.entrance) {
        return this.#prepareVerdict(event.item, place, pose.laneOf.get(event.item)!);
      }
      this.#prepareEntrance(event.item, place);
      ahead.draw(cards.heldCard(event.item, NO_LANE, place.card));
      return false;
    });
  }

  /** Draws the picture of a card and the light around it ahead: together with the card they take longer than a frame may. */
  #prepareEntrance(item: number, { card }: SpotlightPlace): void {
    const { parts, cards, soft, ahead } = this.#tools;
    const picture = cards.heldPicture(item, card);
    if (picture !== null) ahead.draw(picture);
    ahead.draw(soft.shapeAround(card, this.#lights(laneColor(parts, NO_LANE))));
  }

  #placed(lights: readonly Flight[], pose: BoardPose): (Flight & { readonly place: SpotlightPlace })[] {
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
    return lights.map((flight, index) => ({ ...flight, place: places[index]! }));
  }

  /**
   * Draws one of the bitmaps that show with the verdict, while a held card rests: all of them at once take longer than
   * a frame may. Returns whether none is left.
   */
  #prepareVerdict(item: number, place: SpotlightPlace, lane: number): boolean {
    const { cards, soft, parts, ahead } = this.#tools;
    const { stamp, note, card } = place;
    const steps = [
      () => cards.heldCard(item, lane, card),
      () => stamp && this.#stampPlate(stamp, lane),
      () => note && this.#notePlate(note, lane).plate,
      () => soft.shapeAround(card, this.#lights(laneColor(parts, lane))),
    ];
    const done = this.#prepared.get(place) ?? 0;
    const bitmap = steps[done]?.() ?? null;
    if (bitmap !== null) ahead.draw(bitmap);
    this.#prepared.set(place, done + 1);
    return done + 1 >= steps.length;
  }

  /** Text is laid out once: the places of the cards do not change while cards come and go. */
  #placesOf(spotlit: readonly Spotlit[]): readonly SpotlightPlace[] {
    const { layout, measure } = this.#tools.parts;
    const key = JSON.stringify(spotlit);
    if (this.#places?.key !== key) {
      const places = spotlightPlaces(spotlit, { ...layout, ...layout.held }, measure);
      this.#places = { key, places, plates: new Map() };
    }
    return this.#places.places;
  }

  /** The note of a card, as a bitmap with room for its edge and what is below it. */
  #notePlate(note: NonNullable<SpotlightPlace['note']>, lane: number): { plate: Bitmap; x: number; y: number } {
    const { box } = note;
    const { parts } = this.#tools;
    const margin = Math.ceil(note.texts[0]!.block.sizePx * 0.3);
    const [x, y] = [Math.floor(box.x) - margin, Math.floor(box.y) - margin];
    const [width, height] = [box.width, box.height].map((px) => Math.ceil(px) + 2 + 2 * margin) as [number, number];
    const plate = this.#plate(note, lane, width, height, (surface) => {
      surface.translate(-x, -y);
      drawNote(surface, note, laneColor(parts, lane), parts.theme);
    });
    return { plate, x, y };
  }

  #drawNote(context: Canvas2D, note: NonNullable<SpotlightPlace['note']>, lane: number): void {
    const { plate, x, y } = this.#notePlate(note, lane);
    context.imageSmoothingQuality = 'low';
    context.drawImage(plate, x, y, plate.width, plate.height);
  }

  /**
   * The stamp, as a bitmap at the size it comes to rest at, with room for its edge and what is below it, as its theme
   * turns it: turning it in every frame takes several times as long.
   */
  #stampPlate(stamp: NonNullable<SpotlightPlace['stamp']>, lane: number): Bitmap {
    const { parts } = this.#tools;
    const { width, height } = stamp.box;
    const { turn, wide, tall } = this.#stampSize(stamp);
    return this.#plate(stamp, lane, wide, tall, (surface) => {
      surface.translate(wide / 2, tall / 2);
      surface.rotate(turn);
      surface.translate(-width / 2, -height / 2);
      drawStamp(surface, stamp, { ...stamp.box, x: 0, y: 0 }, laneColor(parts, lane), parts.theme);
    });
  }

  /** The size of a stamp's bitmap, and how far the stamp is turned in it. */
  #stampSize({ box: { width, height } }: NonNullable<SpotlightPlace['stamp']>) {
    const turn = (lookOf(this.#tools.parts.theme).stamp.turn * Math.PI) / 180;
    const margin = Math.ceil(height * STAMP_MARGIN + (Math.max(width, height) * Math.abs(Math.sin(turn))) / 2);
    return { turn, wide: Math.ceil(width) + 2 * margin, tall: Math.ceil(height) + 2 * margin };
  }

  /** Where the bitmap of a stamp is drawn. */
  #stampedPart(stamp: NonNullable<SpotlightPlace['stamp']>, { box }: NonNullable<LitCard['stamp']>): Box {
    const { wide, tall } = this.#stampSize(stamp);
    const scale = box.height / stamp.box.height;
    const [width, height] = [wide * scale, tall * scale];
    return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
  }

  #drawStamp(
    context: Canvas2D,
    stamp: NonNullable<SpotlightPlace['stamp']>,
    { box, shown }: NonNullable<LitCard['stamp']>,
    lane: number,
  ): void {
    const plate = this.#stampPlate(stamp, lane);
    const scale = box.height / stamp.box.height;
    context.save();
    context.translate(box.x + box.width / 2, box.y + box.height / 2);
    context.scale(scale, scale);
    context.imageSmoothingQuality = 'low';
    if (shown < 1) {
      context.beginPath();
      context.rect(-plate.width / 2, -plate.height / 2, plate.width * shown, plate.height);
      context.clip();
    }
    context.drawImage(plate, -plate.width / 2, -plate.height / 2, plate.width, plate.height);
    context.restore();
  }

  /** Drawn once in the colour of each lane, then copied. */
  #plate(of: object, lane: number, width: number, height: number, draw: (context: Canvas2D) => void): Bitmap {
    const { plates } = this.#places!;
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

  /** The shadow of a held card, and the light around it. */
  #lights(color: Rgb): SoftLayer[] {
    const { theme } = this.#tools.parts;
    const { glow: shine } = lookOf(theme).card;
    return [...shadowsOf(theme), ...(shine > 0 ? [glowOf(color, shine)] : [])];
  }

  #drawing(lit: LitCard): FrontDrawing {
    const { item, lane, place, card, held, alpha, nameAlpha, glow, color, shown, stamp } = lit;
    const { parts, cards, soft } = this.#tools;
    const lights = this.#lights(laneColor(parts, lane));
    const neutral = this.#lights(laneColor(parts, NO_LANE));
    const note = nameAlpha > 0 ? place.note : null;
    if (alpha === 0 || shown === 0) {
      this.#prepareEntrance(item, place);
      return { box: null, draw: () => {} };
    }
    return {
      box: around([
        roomAround(card, parts.theme, lights),
        ...(note === null ? [] : [grown(note.box, note.texts[0]!.block.sizePx * 0.3 + 1)]),
        ...(stamp === null ? [] : [this.#stampedPart(place.stamp!, stamp)]),
      ]),
      drawBelow: (context) => {
        for (const [light, share] of [
          [neutral, 1 - color],
          [lights, color],
        ] as const) {
          if (alpha * glow * share === 0) continue;
          context.globalAlpha = alpha * glow * share;
          drawWiped(context, card, shown, () => soft.draw(context, card, light));
        }
      },
      draw: (context) => {
        context.globalAlpha = nameAlpha;
        if (note !== null) this.#drawNote(context, note, lane);
        context.globalAlpha = alpha;
        drawWiped(context, card, shown, () => cards.drawHeld(context, item, lane, place.card, card, held));
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
