import type { BoardState, Flight } from '../../../plan/board-state.ts';
import type { EventClock } from '../../../plan/reveal/course.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { around, type Box, between, grown, scaledAboutCentre } from '../../layout/box.ts';
import { spotlightPx } from '../../layout/spotlight-place.ts';
import { type FrontPainter, type FrontPiece, type FrontTools, longer, SHADOW } from './front-piece.ts';
import { softReach } from './soft-shapes.ts';

/** What a card that hangs above the board has, against its slot. */
const SLAMMED = 3;
/** How far above its slot it hangs, as a share of its height. */
const HANGS = 0.8;
/** Motion blur: the card at so many moments of half a frame's time. (R30) */
const BLUR_STEPS = 8;
const SHUTTER = 0.5;

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
    const { layout, scene, createSurface } = parts;
    const slot = pose.cards.get(item)!;
    const lane = pose.laneOf.get(item)!;
    const scale = Math.max(1, Math.min(SLAMMED, spotlightPx(layout) / slot.width));
    const large = scaledAboutCentre(slot, scale);
    // Towards the middle, where all of it is seen.
    const middle = layout.panel.x + layout.panel.width / 2;
    const hung = {
      ...large,
      x: large.x + (middle - large.x - large.width / 2) * 0.35,
      y: Math.max(layout.panel.y, large.y - large.height * HANGS),
    };
    // A card that is moved leaps up from where it stands.
    const origin = pose.origins.get(item);
    const at = (moment: EventClock): Box => {
      const { approach, rise } = EVENT_STYLES.slam.look(moment);
      const start = origin === undefined ? hung : between(scaledAboutCentre(origin, scale), hung, rise);
      const leapt = origin === undefined ? 1 : 1 / scale + (1 - 1 / scale) * rise;
      // Large almost to the end: it grows smaller as what falls away from the eye does.
      return scaledAboutCentre(between(start, large, approach), leapt * (1 + (1 / scale - 1) * approach ** 2));
    };
    // Back in time, so that a card that still hangs is not blurred by what it does next: equal looks are equal pictures.
    const step = (SHUTTER * scene.rate.den) / scene.rate.num / (BLUR_STEPS - 1);
    const card = at(clock);
    const moments = Array.from({ length: BLUR_STEPS }, (_, n) => at({ ...clock, start: clock.start - n * step }));
    const isStill = moments.every(({ x, y, width }) => x === card.x && y === card.y && width === card.width);
    const alpha = origin === undefined ? EVENT_STYLES.slam.look(clock).rise : 1;
    return {
      dim: 0,
      box: around(moments.map((box) => grown(box, longer(box) * softReach([SHADOW])))),
      draw: (context) => {
        context.globalAlpha = alpha;
        soft.draw(context, card, [SHADOW]);
        if (isStill) {
          cards.drawLarge(context, item, lane, large, card);
          return;
        }
        // The mean of all moments, by themselves: what lies behind must not add to them.
        const { x, y, width, height } = around(moments);
        const { bitmap, context: blurred } = createSurface(Math.ceil(width) + 1, Math.ceil(height) + 1);
        blurred.translate(-Math.floor(x), -Math.floor(y));
        blurred.globalCompositeOperation = 'lighter';
        blurred.globalAlpha = 1 / moments.length;
        for (const box of moments) cards.drawLarge(blurred, item, lane, large, box);
        context.drawImage(bitmap, Math.floor(x), Math.floor(y), bitmap.width, bitmap.height);
      },
    };
  }
}
