import { type Arrangement, afterEvents, type BoardState, type Flight } from '../../../plan/reveal/board-state.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import { around, grown, scaledAboutCentre } from '../../boxes.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { drawSign } from './draw-spotlight.ts';
import {
  cardReach,
  type FrontDrawing,
  type FrontPainter,
  type FrontTools,
  longer,
  shadowsOf,
  softReach,
} from './front-drawing.ts';

/** How much larger a card is at the height of its way from row to row. */
const LIFTED = 0.28;

/** Cards on their way from one place to another. */
export class LiftedCards implements FrontPainter {
  readonly #tools: FrontTools;

  constructor(tools: FrontTools) {
    this.#tools = tools;
  }

  drawings(flights: readonly Flight[], state: BoardState, pose: BoardPose): FrontDrawing[] {
    return flights.map((flight) => {
      const before = state.inFlight.slice(0, state.inFlight.indexOf(flight)).map(({ event }) => event);
      return this.#drawing(flight, afterEvents(state.lanes, before), pose);
    });
  }

  #drawing({ event: { item }, clock }: Flight, lanes: Arrangement, pose: BoardPose): FrontDrawing {
    const { parts, cards, soft } = this.#tools;
    const shadows = shadowsOf(parts.theme);
    const { lift, sign } = EVENT_STYLES.move.look(clock);
    const from = lanes.findIndex((items) => items.includes(item));
    const to = pose.laneOf.get(item)!;
    const slot = pose.cards.get(item)!;
    const card = scaledAboutCentre(slot, 1 + LIFTED * lift);
    const rows = parts.scene.rows.length;
    const tiers = from >= 0 && from < rows && to < rows ? from - to : 0;
    const signPx = slot.height * 0.34;
    const signBox = {
      x: card.x + card.width - signPx * 1.1,
      y: card.y - signPx * 0.35,
      width: signPx * 1.7,
      height: signPx,
    };
    return {
      box: around([
        grown(card, longer(card) * Math.max(cardReach(parts.theme), softReach(shadows))),
        ...(tiers === 0 || sign === 0 ? [] : [grown(signBox, 2)]),
      ]),
      draw: (context) => {
        context.globalAlpha = lift;
        if (lift > 0) soft.draw(context, card, shadows);
        context.globalAlpha = 1;
        if (!hasLanded(clock)) {
          cards.drawLarge(context, item, from, scaledAboutCentre(slot, 1 + LIFTED), card);
        }
        context.globalAlpha = sign;
        if (tiers !== 0 && sign > 0) drawSign(context, parts, tiers, signBox);
      },
    };
  }
}
