import type { Arrangement, BoardState, Flight } from '../../../plan/reveal/board-state.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import { around, grown, scaledAboutCentre } from '../../boxes.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { posed } from '../../layout/spotlight-pose.ts';
import { rgba } from '../color.ts';
import {
  drawWiped,
  type FrontDrawing,
  type FrontPainter,
  type FrontTools,
  laneColor,
  longer,
  roomAround,
  shadowsOf,
} from './front-drawing.ts';

/** How far the ring runs out, and how thick it is at first, as shares of the card's longer side. */
const RING_REACH = 0.16;
const RING_LINE = 0.05;

/** Cards that drop onto their slots. */
export class PoppedCards implements FrontPainter {
  readonly #tools: FrontTools;

  constructor(tools: FrontTools) {
    this.#tools = tools;
  }

  drawings(flights: readonly Flight[], { lanes }: BoardState, pose: BoardPose): FrontDrawing[] {
    return flights.map((flight) => this.#drawing(flight, lanes, pose));
  }

  #drawing({ event: { item }, clock }: Flight, lanes: Arrangement, pose: BoardPose): FrontDrawing {
    const { parts, cards, soft } = this.#tools;
    const shadows = shadowsOf(parts.theme);
    const slot = pose.cards.get(item)!;
    const lane = pose.laneOf.get(item)!;
    const look = EVENT_STYLES.pop.look(clock);
    const { alpha, ring } = look;
    const card = posed(slot, look);
    const reach = longer(slot) * RING_REACH;
    const isAloft = !hasLanded(clock);
    // A card that is moved starts from its current place.
    const origin = isAloft ? pose.origins.get(item) : undefined;
    return {
      box: around([
        ...(isAloft ? [roomAround(card, parts.theme, shadows)] : []),
        ...(origin === undefined ? [] : [origin]),
        grown(slot, reach + longer(slot) * RING_LINE),
      ]),
      draw: (context) => {
        if (isAloft) {
          context.globalAlpha = 1 - alpha;
          const from = lanes.findIndex((items) => items.includes(item));
          if (origin !== undefined) cards.draw(context, item, from, scaledAboutCentre(origin, 1 - alpha / 2));
          context.globalAlpha = alpha;
          drawWiped(context, card, look.shown, () => {
            soft.draw(context, card, shadows);
            // The board's sprite: the card is larger for a few frames only.
            cards.draw(context, item, lane, card);
          });
          return;
        }
        const line = longer(slot) * RING_LINE * (1 - ring);
        const { x, y, width, height } = grown(slot, reach * ring);
        context.globalAlpha = 1 - ring;
        context.lineWidth = line;
        context.strokeStyle = rgba(laneColor(parts, lane), 1);
        context.beginPath();
        context.roundRect(x, y, width, height, parts.layout.radiusPx.card + reach * ring);
        if (line > 0) context.stroke();
      },
    };
  }
}
