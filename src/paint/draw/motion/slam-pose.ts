import type { Flight } from '../../../plan/board-state.ts';
import { part } from '../../../plan/reveal/curves.ts';
import { EVENT_STYLES, hasLanded } from '../../../plan/reveal/event-styles.ts';
import type { FrameRate } from '../../../time.ts';
import type { BoardLayout } from '../../layout/board-layout.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { type Box, between, scaledAboutCentre } from '../../layout/box.ts';
import { spotlightPx } from '../../layout/spotlight-place.ts';
import { SLAM_CLEARED } from '../../layout/spotlight-pose.ts';

/** A card that is about to hit the board. */
export interface SlammedCard {
  readonly item: number;
  readonly lane: number;
  /** Where it is largest. */
  readonly large: Box;
  /** Now, then at moments before, over half of a frame's time: motion blur. (R30) */
  readonly moments: readonly Box[];
  /** How much of it shows. */
  readonly alpha: number;
}

/** The size of a card that hangs above the board, relative to its slot. */
const SLAMMED = 3;
/** How far above its slot it hangs, as a share of its height. */
const HANGS = 0.8;
const BLUR_STEPS = 8;
const SHUTTER = 0.5;

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
  const step = (SHUTTER * rate.den) / rate.num / (BLUR_STEPS - 1);
  return flights.map(({ event: { item, at }, clock }) => {
    const waits = lights.some((light) => light.event.at < at && !hasLanded(light.clock));
    const shows = waits ? part(clock.start, SLAM_CLEARED.stamps, SLAM_CLEARED.shows) : 1;
    // Not blurred: a leap of a few frames would be only streaks.
    const rise = EVENT_STYLES.slam.look(clock).rise * shows;
    const { large, boxAt } = pathOf(item, pose, layout);
    return {
      item,
      lane: pose.laneOf.get(item)!,
      large,
      moments: Array.from({ length: BLUR_STEPS }, (_, n) => {
        const { approach } = EVENT_STYLES.slam.look({ ...clock, start: clock.start - n * step });
        return boxAt(approach, rise);
      }),
      alpha: pose.origins.has(item) ? 1 : rise,
    };
  });
}

/** A card's way from where it hangs, or from where it was, to its slot. */
function pathOf(item: number, { cards, origins }: BoardPose, layout: BoardLayout) {
  const { panel } = layout;
  const slot = cards.get(item)!;
  const scale = Math.max(1, Math.min(SLAMMED, spotlightPx(layout) / slot.width));
  const large = scaledAboutCentre(slot, scale);
  // Towards the middle, where all of it is seen.
  const middle = panel.x + panel.width / 2;
  const hung = {
    ...large,
    x: large.x + (middle - large.x - large.width / 2) * 0.35,
    y: Math.max(panel.y, large.y - large.height * HANGS),
  };
  const origin = origins.get(item);
  const boxAt = (approach: number, rise: number): Box => {
    // A card that is moved leaps up from its current place.
    const start = origin === undefined ? hung : between(scaledAboutCentre(origin, scale), hung, rise);
    const leapt = origin === undefined ? 1 : 1 / scale + (1 - 1 / scale) * rise;
    // Large almost to the end: it shrinks like something that falls away from the viewer.
    return scaledAboutCentre(between(start, large, approach), leapt * (1 + (1 / scale - 1) * approach ** 2));
  };
  return { large, boxAt };
}
