import type { BoardState, Flight } from '../../../plan/reveal/board-state.ts';
import { part } from '../../../plan/reveal/curves.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import type { FrameRate } from '../../../time.ts';
import { around, type Box, between, grown } from '../../boxes.ts';
import type { BoardLayout } from '../../layout/board-layout.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { spotlightPx } from '../../layout/spotlight-place.ts';
import { NO_LANE, SLAM_CLEARED } from '../../layout/spotlight-pose.ts';
import {
  cardReach,
  type FrontDrawing,
  type FrontPainter,
  type FrontTools,
  longer,
  shadowsOf,
  softReach,
} from './front-drawing.ts';

/** Cards that are about to hit the board. */
export class SlammedCards implements FrontPainter {
  readonly #tools: FrontTools;

  constructor(tools: FrontTools) {
    this.#tools = tools;
  }

  drawings(flights: readonly Flight[], { inFlight }: BoardState, pose: BoardPose): FrontDrawing[] {
    const { layout, scene } = this.#tools.parts;
    const falling = flights.filter(({ clock }) => !hasLanded(clock));
    const lights = inFlight.filter(({ event }) => event.style === 'spotlight');
    return slammedCards(falling, lights, pose, layout, scene.rate).map((card) => this.#drawing(card));
  }

  prepare(flights: readonly Flight[], { inFlight }: BoardState, pose: BoardPose): boolean {
    const { parts, cards, soft, ahead } = this.#tools;
    const falling = flights.filter(({ clock }) => !hasLanded(clock));
    const lights = inFlight.filter(({ event }) => event.style === 'spotlight');
    for (const { item, lane, large } of slammedCards(falling, lights, pose, parts.layout, parts.scene.rate)) {
      ahead.draw(cards.heldCard(item, lane, large));
      ahead.draw(soft.shapeAround(large, shadowsOf(parts.theme)));
    }
    return true;
  }

  #drawing({ item, lane, large, moments, held, alpha }: SlammedCard): FrontDrawing {
    const { parts, cards, soft } = this.#tools;
    const { theme } = parts;
    const shadows = shadowsOf(theme);
    const card = moments[0]!;
    const isStill = moments.every(({ x, y, width }) => x === card.x && y === card.y && width === card.width);
    return {
      box: around(moments.map((box) => grown(box, longer(box) * Math.max(cardReach(theme), softReach(shadows))))),
      draw: (context) => {
        context.globalAlpha = alpha;
        soft.draw(context, card, shadows);
        if (isStill) {
          cards.drawHeld(context, item, lane, large, card, held);
          return;
        }
        // At the moments before, the same picture is drawn; coarser where it moves too fast to be seen sharp.
        const k = travel(moments) >= FAST_PX ? 0.5 : 1;
        const { createSurface } = parts;
        const reach = grown(card, longer(card) * cardReach(theme));
        const once = createSurface(Math.ceil(reach.width * k) + 1, Math.ceil(reach.height * k) + 1);
        once.context.scale(k, k);
        once.context.translate(-reach.x, -reach.y);
        cards.drawHeld(once.context, item, lane, large, card, held);
        // The mean of all moments, drawn separately: the background must not add to them. Each moment is weighed against the mean
        // so far: the sum of eighths loses up to seven levels of 255, because every eighth is rounded to a whole level.
        const all = around(moments.map((box) => grown(box, longer(box) * cardReach(theme))));
        const [x, y] = [Math.floor(all.x), Math.floor(all.y)];
        const mean = createSurface(Math.ceil((all.width + 1) * k) + 1, Math.ceil((all.height + 1) * k) + 1);
        mean.context.imageSmoothingQuality = 'low';
        for (const [index, box] of fewest(moments).entries()) {
          const weight = 1 / (index + 1);
          mean.context.globalCompositeOperation = 'destination-in';
          mean.context.globalAlpha = 1 - weight;
          mean.context.fillRect(0, 0, mean.bitmap.width, mean.bitmap.height);
          mean.context.globalCompositeOperation = 'lighter';
          mean.context.globalAlpha = weight;
          const [wide, high] = [box.width / card.width, box.height / card.height];
          const [left, top] = [box.x + (reach.x - card.x) * wide - x, box.y + (reach.y - card.y) * high - y];
          const { width, height } = once.bitmap;
          mean.context.drawImage(once.bitmap, left * k, top * k, width * wide, height * high);
        }
        context.imageSmoothingQuality = 'low';
        context.drawImage(mean.bitmap, x, y, mean.bitmap.width / k, mean.bitmap.height / k);
      },
    };
  }
}

/** As many of the moments, from the first to the last, as it takes to look like all. */
function fewest(moments: readonly Box[]): Box[] {
  const count = Math.min(moments.length, Math.ceil(travel(moments) / STEP_PX) + 2);
  return Array.from({ length: count }, (_, n) => moments[Math.round((n * (moments.length - 1)) / (count - 1))]!);
}

/** A card that is about to hit the board. */
export interface SlammedCard {
  readonly item: number;
  /** None before it is on the board: its colours are neutral. (R36) */
  readonly lane: typeof NO_LANE;
  /** Where it is largest. */
  readonly large: Box;
  /** Now, then at moments before, over half of a frame's time: motion blur. (R30) */
  readonly moments: readonly Box[];
  /** How much of the proportions of a held card it has now; the others are those of its slot. (R43) */
  readonly held: number;
  /** How much of it shows. */
  readonly alpha: number;
}

/** The size of a card that hangs above the board, relative to its slot. */
const SLAMMED = 3;
/** How far down the panel its middle hangs, and how far apart cards hang that come together, in widths. */
const HANGS = 0.4;
const APART = 1.06;
const BLUR_STEPS = 8;
const SHUTTER = 0.5;
/** A card whose blur is this long, on any canvas, shows little detail; and how far apart its moments are, at the most. */
const FAST_PX = 9;
const STEP_PX = 3;

/** How far a card gets from its first moment to its last. */
function travel(moments: readonly Box[]): number {
  const [from, to] = [moments[0]!, moments.at(-1)!];
  return Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y), Math.abs(from.width - to.width));
}

/**
 * Where slammed cards are until they hit. A card waits until the stamps of spotlights before it have faded. (R26)
 *
 * @param flights slams that have not hit.
 * @param lights spotlights that are not over.
 */
export function slammedCards(
  flights: readonly Flight[],
  lights: readonly Flight[],
  pose: BoardPose,
  layout: BoardLayout,
  rate: FrameRate,
): SlammedCard[] {
  // Back in time, so that a hanging card is not blurred by its next movement: equal looks are equal pictures.
  const shutter = (SHUTTER * rate.den) / rate.num / (BLUR_STEPS - 1);
  return flights.map(({ event: { item, at }, clock }) => {
    // What moves in steps is not blurred between them.
    const step = clock.motion.steps === null ? shutter : 0;
    const together = flights.filter(({ event }) => event.at === at).map(({ event }) => event.item);
    const waits = lights.some((light) => light.event.at < at && !hasLanded(light.clock));
    const shows = waits ? part(clock.start, SLAM_CLEARED.stamps, SLAM_CLEARED.shows) : 1;
    // Not blurred: a leap of a few frames would be only streaks.
    const rise = EVENT_STYLES.slam.look(clock).rise * shows;
    const { large, at: placeAt } = pathOf(item, together, pose, layout);
    const moments = Array.from({ length: BLUR_STEPS }, (_, n) => {
      const { approach } = EVENT_STYLES.slam.look({ ...clock, start: clock.start - n * step });
      return placeAt(approach, rise);
    });
    return {
      item,
      lane: NO_LANE,
      large,
      moments: moments.map(({ box }) => box),
      held: moments[0]!.held,
      alpha: pose.origins.has(item) ? 1 : rise,
    };
  });
}

/** A card's way from where it hangs, or from where it was, to its slot. */
function pathOf(item: number, together: readonly number[], { cards, origins }: BoardPose, layout: BoardLayout) {
  const { panel } = layout;
  const slot = cards.get(item)!;
  const room = { ...layout, ...layout.held };
  const scale = Math.max(1, Math.min(SLAMMED, spotlightPx(room) / room.cardPx));
  const large = about(slot, room.cardPx * scale, room.cardHeightPx * scale);
  // In the middle of the panel, wherever its slot is: where it hangs does not show its row. (R36)
  const aside = (together.indexOf(item) - (together.length - 1) / 2) * APART;
  const pitch = Math.min(large.width, (panel.width - large.width) / (APART * Math.max(1, together.length - 1)));
  const hung = {
    ...large,
    x: panel.x + (panel.width - large.width) / 2 + aside * pitch,
    y: Math.max(panel.y, panel.y + panel.height * HANGS - large.height / 2),
  };
  const origin = origins.get(item);
  const at = (approach: number, rise: number): { readonly box: Box; readonly held: number } => {
    // A card that is moved leaps up from its current place.
    const start = origin === undefined ? hung : between(about(origin, large.width, large.height), hung, rise);
    // Large almost to the end: it shrinks like something that falls away from the viewer.
    const held = (origin === undefined ? 1 : rise) * (1 - approach ** 2);
    const { width, height } = between(slot, large, held);
    return { box: about(between(start, large, approach), width, height), held };
  };
  return { large, at };
}

/** The box of that size around the centre of another. */
function about({ x, y, ...of }: Box, width: number, height: number): Box {
  return { x: x + (of.width - width) / 2, y: y + (of.height - height) / 2, width, height };
}
