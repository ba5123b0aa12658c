import type { BoardState } from '../plan/board-state.ts';
import type { BoardScene } from '../plan/render-plan.ts';
import type { BoardLayout } from './board-layout.ts';
import { poseAt, stillPose } from './board-pose.ts';
import { type Box, between, scaledAboutCentre } from './box.ts';
import type { Bitmap, Canvas2D, CreateSurface } from './canvas-2d.ts';
import { type CardArt, captionOnCard, drawCard, nameOnCard } from './card-art.ts';
import { cleanLine } from './clean-text.ts';
import { INK_DARK, inkOn, mixed, type Rgb, rgba, rgbOf } from './color.ts';
import { popAt, spotlightAt } from './reveal-motion.ts';
import { drawSpotlightName, type SpotlightPlace, spotlightPlaces } from './spotlight.ts';
import { drawText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';

const NAME_LENGTH = 200;
/** Larger cards are drawn from a sprite of this side: a window may be many times the canvas. */
export const MOST_SPRITE_PX = 1024;
const MOST_PANEL_PX = 3840 * 2160;
const MOST_TEXT_PX = 1024 * 1024;
const POOL_TINT: Rgb = [120, 128, 148];

/** What a board is painted with; everything that differs between a server and a browser comes in here. */
export interface BoardPainterParts {
  readonly scene: BoardScene;
  readonly layout: BoardLayout;
  /** By item: its picture, square already, or null. */
  readonly pictures: readonly (Bitmap | null)[];
  readonly measure: MeasureText;
  readonly createSurface: CreateSurface;
}

/** Paints one scene for one window. Cards are drawn once and then moved about as bitmaps. */
export class BoardPainter {
  readonly layout: BoardLayout;
  readonly #parts: BoardPainterParts;
  readonly #names: readonly string[];
  readonly #tints: readonly Rgb[];
  readonly #captions: readonly (TextBlock | null)[];
  readonly #cards = new Map<number, Bitmap>();
  #panel: Bitmap | undefined;
  readonly #texts = new Map<TextBlock, Bitmap>();
  /** Large cards of the items now in the spotlight, with the side they were drawn for. */
  #spotlit = new Map<number, { sidePx: number; bitmap: Bitmap }>();

  constructor(parts: BoardPainterParts) {
    const { scene, layout } = parts;
    this.#parts = parts;
    this.layout = layout;
    this.#names = scene.items.map(({ name }) => cleanLine(name, NAME_LENGTH));
    const tints: Rgb[] = scene.items.map(() => POOL_TINT);
    for (const row of scene.rows) for (const item of row.items) tints[item] = rgbOf(row.color);
    this.#tints = tints;
    this.#captions = this.#layoutCaptions();
  }

  /** Draws the board in `state` with the window's corner at the origin of an empty context. */
  draw(context: Canvas2D, state: BoardState): void {
    const { scene } = this.#parts;
    const pose = poseAt(this.layout, state, scene.reveal);
    this.#drawPanel(context);
    this.layout.lanes.forEach((lane, index) => {
      if (lane.kind === 'row') this.#drawRow(context, index, pose.lanes[index]!);
      else this.#drawPool(context, pose.lanes[index]!);
    });
    const inFlight = new Set(state.inFlight.map(({ item }) => item));
    for (const [item, box] of pose.cards) if (!inFlight.has(item)) this.#drawCardAt(context, item, box);
    if (scene.reveal === 'spotlight') this.#drawSpotlights(context, state, pose.cards);
    else for (const { item, progress } of state.inFlight) this.#drawPop(context, item, progress, pose.cards.get(item)!);
  }

  /** What of the board may differ from the still board without the items in flight: whole lanes, all under a spotlight. */
  movingPart(state: BoardState): Box {
    const { panel, lanes } = this.layout;
    if (this.#parts.scene.reveal === 'spotlight') return panel;
    const still = stillPose(this.layout, (item) => state.shown.has(item)).lanes;
    const pose = poseAt(this.layout, state, this.#parts.scene.reveal).lanes;
    const inFlight = new Set(state.inFlight.map(({ item }) => item));
    const moving = lanes.flatMap(({ items }, index) => {
      const [before, now] = [still[index]!, pose[index]!];
      const rests = before.y === now.y && before.height === now.height && !items.some((item) => inFlight.has(item));
      return rests ? [] : [before, now];
    });
    const top = Math.min(...moving.map(({ y }) => y));
    const bottom = Math.max(...moving.map(({ y, height }) => y + height));
    return { ...panel, y: top, height: bottom - top };
  }

  /** Panel and title never change; as a bitmap they cost no more than copying, unless the window is beyond all measure. */
  #drawPanel(context: Canvas2D): void {
    const { panel } = this.layout;
    if (panel.width * panel.height > MOST_PANEL_PX) {
      this.#paintPanel(context);
      return;
    }
    if (this.#panel === undefined) {
      const surface = this.#parts.createSurface(Math.ceil(panel.width), Math.ceil(panel.height));
      surface.context.translate(-panel.x, -panel.y);
      this.#paintPanel(surface.context);
      this.#panel = surface.bitmap;
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(this.#panel, panel.x, panel.y, this.#panel.width, this.#panel.height);
  }

  #paintPanel(context: Canvas2D): void {
    const { panel, radiusPx, title } = this.layout;
    const shade = context.createLinearGradient(0, panel.y, 0, panel.y + panel.height);
    shade.addColorStop(0, 'rgba(26, 29, 39, 0.92)');
    shade.addColorStop(1, 'rgba(13, 15, 21, 0.94)');
    context.beginPath();
    context.roundRect(panel.x, panel.y, panel.width, panel.height, radiusPx.panel);
    context.fillStyle = shade;
    context.fill();
    strokeInside(context, panel, radiusPx.panel, Math.max(1, radiusPx.panel * 0.07), 'rgba(255, 255, 255, 0.1)');
    if (title === null) return;
    const rightToLeft = title.block.lines[0]?.rightToLeft === true;
    this.#drawBlock(context, title.block, title.box, '#ffffff', rightToLeft ? 'right' : 'left');
  }

  #drawRow(context: Canvas2D, index: number, lane: Box): void {
    const { labelPx, radiusPx, labels } = this.layout;
    const color = rgbOf(this.#parts.scene.rows[index]!.color);
    context.beginPath();
    context.roundRect(lane.x, lane.y, lane.width, lane.height, radiusPx.lane);
    context.fillStyle = 'rgba(255, 255, 255, 0.055)';
    context.fill();
    const shade = context.createLinearGradient(0, lane.y, 0, lane.y + lane.height);
    shade.addColorStop(0, rgba(mixed(color, [255, 255, 255], 0.1), 1));
    shade.addColorStop(1, rgba(mixed(color, [0, 0, 0], 0.06), 1));
    context.beginPath();
    context.roundRect(lane.x, lane.y, labelPx, lane.height, [radiusPx.lane, 0, 0, radiusPx.lane]);
    context.fillStyle = shade;
    context.fill();
    const label = labels[index];
    if (label === null || label === undefined) return;
    const y = lane.y + (lane.height - label.heightPx) / 2;
    const ink = inkOn(color);
    const box = { x: lane.x, y, width: labelPx, height: label.heightPx };
    this.#drawBlock(context, label, box, rgba(ink, ink === INK_DARK ? 0.92 : 1), 'center');
  }

  #drawPool(context: Canvas2D, lane: Box): void {
    const line = Math.max(1, this.layout.gapPx * 0.18);
    strokeInside(context, lane, this.layout.radiusPx.lane, line, 'rgba(255, 255, 255, 0.14)');
  }

  #drawCardAt(context: Canvas2D, item: number, { x, y, width, height }: Box): void {
    let card = this.#cards.get(item);
    if (card === undefined) {
      const { cardPx } = this.layout;
      card = this.#paintCard(
        item,
        Math.min(Math.max(1, Math.round(cardPx)), MOST_SPRITE_PX),
        this.#captions[item] ?? null,
      );
      this.#cards.set(item, card);
    }
    context.imageSmoothingQuality = width < card.width * 0.75 ? 'medium' : 'low';
    context.drawImage(card, x, y, width, height);
  }

  #drawPop(context: Canvas2D, item: number, progress: number, slot: Box): void {
    const { scale, alpha } = popAt(progress);
    context.globalAlpha = alpha;
    this.#drawCardAt(context, item, scaledAboutCentre(slot, scale));
    context.globalAlpha = 1;
  }

  #drawSpotlights(context: Canvas2D, state: BoardState, slots: ReadonlyMap<number, Box>): void {
    const { panel, radiusPx, cardPx, minTextPx } = this.layout;
    const lights = state.inFlight.map((flight) => ({ ...flight, ...spotlightAt(flight.progress) }));
    if (lights.length === 0) return;
    const dim = Math.max(...lights.map((light) => light.dim));
    context.beginPath();
    context.roundRect(panel.x, panel.y, panel.width, panel.height, radiusPx.panel);
    context.fillStyle = `rgba(6, 7, 10, ${0.66 * dim})`;
    context.fill();
    const names = lights.map(({ item }) => this.#names[item]!);
    const places = spotlightPlaces(lights, names, { panel, cardPx, minTextPx }, this.#parts.measure);
    this.#forgetOtherSpotlights(lights.map(({ item }) => item));
    lights.forEach((light, index) => {
      const place = places[index]!;
      const from = scaledAboutCentre(place.card, 0.8 + 0.2 * light.entrance);
      const to = slots.get(light.item)!;
      const way = between(from, to, light.flight);
      // A slight arc, but never out of the panel.
      const lift = Math.min(Math.sin(Math.PI * light.flight) * 0.05 * panel.height, Math.max(0, way.y - panel.y));
      context.globalAlpha = light.entrance;
      this.#drawLargeCard(context, light.item, place, { ...way, y: way.y - lift });
      // A name makes way for that of a card which comes after it.
      const covered = lights.slice(index + 1).filter((later) => later.progress !== light.progress);
      context.globalAlpha = light.name * covered.reduce((rest, later) => rest * (1 - later.entrance), 1);
      if (place.name !== null && context.globalAlpha > 0) drawSpotlightName(context, place.name);
      context.globalAlpha = 1;
    });
  }

  #drawLargeCard(context: Canvas2D, item: number, place: SpotlightPlace, box: Box): void {
    const sidePx = Math.min(MOST_SPRITE_PX, Math.max(1, Math.round(place.card.width)));
    if (box.width <= this.layout.cardPx * 1.02) {
      this.#drawCardAt(context, item, box);
      return;
    }
    let large = this.#spotlit.get(item);
    if (large?.sidePx !== sidePx) {
      large = { sidePx, bitmap: this.#paintCard(item, sidePx, null) };
      this.#spotlit.set(item, large);
    }
    context.imageSmoothingQuality = box.width < sidePx * 0.75 ? 'medium' : 'low';
    context.drawImage(large.bitmap, box.x, box.y, box.width, box.height);
  }

  #forgetOtherSpotlights(items: readonly number[]): void {
    this.#spotlit = new Map([...this.#spotlit].filter(([item]) => items.includes(item)));
  }

  #paintCard(item: number, sidePx: number, caption: TextBlock | null): Bitmap {
    const { measure } = this.#parts;
    const picture = this.#parts.pictures[item] ?? null;
    const { cardPx, radiusPx, minTextPx } = this.layout;
    const words = picture === null ? nameOnCard(this.#names[item]!, sidePx, minTextPx, measure) : caption;
    const art: CardArt = { picture, words, tint: this.#tints[item]! };
    const surface = this.#parts.createSurface(sidePx, sidePx);
    drawCard(surface.context, art, sidePx, (radiusPx.card / cardPx) * sidePx);
    return surface.bitmap;
  }

  /** Captions are for all pictures or for none: some with and some without look like a mistake. */
  #layoutCaptions(): readonly (TextBlock | null)[] {
    const { cardPx, minTextPx } = this.layout;
    const { measure, pictures } = this.#parts;
    if (cardPx > MOST_SPRITE_PX) return [];
    const captions = this.#names.map((name, item) =>
      pictures[item] === null || name === '' ? null : captionOnCard(name, cardPx, minTextPx, measure),
    );
    const everyOneFits = this.#names.every(
      (name, item) => pictures[item] === null || name === '' || captions[item] !== null,
    );
    return everyOneFits ? captions : [];
  }

  /**
   * Text goes through a bitmap of its own, since shaping it anew for every frame of an animation is what costs; text of
   * a window many times the canvas is drawn as it is.
   */
  #drawBlock(context: Canvas2D, block: TextBlock, box: Box, ink: string, align: 'left' | 'center' | 'right'): void {
    const margin = Math.ceil(block.sizePx * 0.3);
    const [width, height] = [Math.ceil(box.width) + 2 * margin, Math.ceil(box.height) + 2 * margin];
    if (width * height > MOST_TEXT_PX) {
      context.fillStyle = ink;
      drawText(context, block, box.x, box.y, box.width, align);
      return;
    }
    let bitmap = this.#texts.get(block);
    if (bitmap === undefined) {
      const surface = this.#parts.createSurface(width, height);
      surface.context.fillStyle = ink;
      drawText(surface.context, block, margin, margin, box.width, align);
      bitmap = surface.bitmap;
      this.#texts.set(block, bitmap);
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(bitmap, box.x - margin, box.y - margin, width, height);
  }
}

function strokeInside(context: Canvas2D, box: Box, radiusPx: number, linePx: number, style: string): void {
  context.beginPath();
  context.roundRect(
    box.x + linePx / 2,
    box.y + linePx / 2,
    Math.max(0, box.width - linePx),
    Math.max(0, box.height - linePx),
    Math.max(0, radiusPx - linePx / 2),
  );
  context.strokeStyle = style;
  context.lineWidth = linePx;
  context.stroke();
}
