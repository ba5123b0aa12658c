import type { BoardState, Flight } from '../../../plan/board-state.ts';
import { easeOut, part } from '../../../plan/reveal/curves.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { between, grown, scaledAboutCentre } from '../../layout/box.ts';
import { spotlightPx } from '../../layout/spotlight-place.ts';
import { type FrontPainter, type FrontPiece, type FrontTools, longer, SHADOW } from './front-piece.ts';
import { softReach } from './soft-shapes.ts';

/** What a card has that comes flying from outside, against its slot. */
const SLAMMED = 3;

/** By when a card that leaps up from the board is large, as a share of its way. */
const LEAPT = 0.3;

/** Cards that are about to hit the board. */
export class SlammedCards implements FrontPainter {
  readonly #tools: FrontTools;

  constructor(tools: FrontTools) {
    this.#tools = tools;
  }

  pieces(flights: readonly Flight[], _state: BoardState, pose: BoardPose): FrontPiece[] {
    return flights.filter(({ clock }) => !hasLanded(clock)).map((flight) => this.#piece(flight, pose));
  }

  #piece({ event: { item }, clock }: Flight, pose: BoardPose): FrontPiece {
    const { parts, cards, soft } = this.#tools;
    const { layout } = parts;
    const slot = pose.cards.get(item)!;
    const lane = pose.laneOf.get(item)!;
    const scale = Math.max(1, Math.min(SLAMMED, spotlightPx(layout) / slot.width));
    const large = scaledAboutCentre(slot, scale);
    // From above, and from the middle: there it is seen longest.
    const middle = layout.panel.x + layout.panel.width / 2;
    const outside = { ...large, x: large.x + (middle - large.x - large.width / 2) * 0.35, y: -large.height * 1.15 };
    // A card that is moved leaps up from where it stands.
    const origin = pose.origins.get(item);
    const start = origin === undefined ? outside : scaledAboutCentre(origin, scale);
    const { approach } = EVENT_STYLES.slam.look(clock);
    const leapt = origin === undefined ? 1 : 1 / scale + (1 - 1 / scale) * easeOut(part(approach, 0, LEAPT));
    // Large almost to the end: it grows smaller as what falls away from the eye does.
    const centre = between(start, large, approach);
    const card = scaledAboutCentre(centre, leapt * (1 + (1 / scale - 1) * approach ** 2));
    return {
      dim: 0,
      box: grown(card, longer(card) * softReach([SHADOW])),
      draw: (context) => {
        context.globalAlpha = 1;
        soft.draw(context, card, [SHADOW]);
        cards.drawLarge(context, item, lane, large, card);
      },
    };
  }
}
