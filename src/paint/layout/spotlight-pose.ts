import type { Flight } from '../../plan/reveal/board-state.ts';
import { part } from '../../plan/reveal/curves.ts';
import { EVENT_STYLES, hasLanded } from '../../plan/reveal/event-styles.ts';
import { type SpotlightLook, STAMP_LARGE } from '../../plan/reveal/spotlight.ts';
import type { Pose } from '../../plan/theme/theme-motion.ts';
import { type Box, between, flattened, scaledAboutCentre, translated } from '../boxes.ts';
import type { BoardPose } from './board-pose.ts';
import type { SpotlightPlace } from './spotlight-place.ts';

/** A card in the spotlight at one moment, or leaving it. */
export interface LitCard {
  readonly item: number;
  /** The one it is revealed in; `NO_LANE` until its stamp falls, or if that is not decided. (R36) */
  readonly lane: number;
  readonly place: SpotlightPlace;
  readonly look: SpotlightLook;
  readonly card: Box;
  /** How much of the proportions of a held card it has; the others are those of its slot. (R43) */
  readonly held: number;
  /**
   * The opacity of the card and of its name, and the brightness of the glow around it; 0 until it comes onto the stage.
   */
  readonly alpha: number;
  readonly nameAlpha: number;
  readonly glow: number;
  /** How much of the glow has its row's colour. */
  readonly color: number;
  /** How much of it is seen, from its left edge. */
  readonly shown: number;
  /** Its own stamp, beside it or on it; null if it is not visible. */
  readonly stamp: { readonly box: Box; readonly alpha: number; readonly shown: number } | null;
}

/** No row: its colour is that of the pool. */
export const NO_LANE = -1;
/** How long a stamp takes to fade beside its card, after take-off; no other card shows until then. */
const FADED_SECONDS = 0.1;
/** The same for cards that share the stage: they cross each other's way. */
const FADED_AMONG_SECONDS = 0.04;
/** How much smaller it gets meanwhile. */
const SHRUNK = 0.5;
const CLEARED_SECONDS = 0.18;
/** A slammed card falls in front: stamps fade first, so that none shows behind it. */
export const SLAM_CLEARED = { stamps: 0.05, shows: 0.08 } as const;
/** How far a stamp pushes its card, as a share of its width. */
const KICK = 0.008;
/** How far a verdict in the bottom row presses its card down: 8 pixels of a card of 500. */
const DROP = 0.016;
const ARC = 0.05;

/**
 * Where spotlit cards and their stamps are, back to front: a card that leaves is in front of the one that comes. Its
 * stamp has faded before another card shows, so a stamp is never seen beside another card. (R26)
 *
 * @param flights spotlights that are not over, earliest first, each with its place.
 * @param slams slams that are not over.
 */
export function litCards(
  flights: readonly (Flight & { readonly place: SpotlightPlace })[],
  slams: readonly Flight[],
  pose: BoardPose,
  panel: Box,
): LitCard[] {
  const lit = flights
    .filter(({ clock }) => !hasLanded(clock))
    .map(({ event, clock, place }): LitCard => {
      const look = EVENT_STYLES.spotlight.look(clock);
      const earlier = flights.filter((other) => other.event.at < event.at && !hasLanded(other.clock));
      const shows = earlier.reduce(
        (rest, other) => rest * part(other.clock.takeOff, FADED_SECONDS, CLEARED_SECONDS),
        1,
      );
      const entrance = look.entrance * shows;
      const isAlone = flights.every((other) => other.event === event || other.event.at !== event.at);
      const card = cardAt(event.item, place, { ...look, entrance }, pose, panel);
      const stampAlpha = slams
        .filter((slam) => slam.event.at > event.at)
        .reduce((rest, slam) => rest * (1 - part(slam.clock.start, 0, SLAM_CLEARED.stamps)), look.stampAlpha);
      return {
        item: event.item,
        lane: event.isUndecided || clock.verdict < 0 ? NO_LANE : pose.laneOf.get(event.item)!,
        ...{ place, look, card },
        held: (pose.origins.has(event.item) ? entrance : 1) * (1 - look.flight),
        // One that was on the board before waits there.
        ...(pose.origins.has(event.item) ? { alpha: 1, shown: 1 } : { alpha: look.alpha * shows, shown: look.shown }),
        nameAlpha: look.name * shows,
        glow: look.glow * shows,
        color: look.color,
        stamp: placedStamp(
          place,
          { ...look, stampAlpha },
          card,
          part(clock.takeOff, 0, isAlone ? FADED_SECONDS : FADED_AMONG_SECONDS),
          panel,
        ),
      };
    });
  return lit.reverse();
}

/** A box in a pose, except for how much of it is seen. */
export function posed(box: Box, { scale, squash, x, y }: Pose): Box {
  return translated(flattened(scaledAboutCentre(box, scale), squash), { x: x * box.width, y: y * box.width });
}

function cardAt(item: number, place: SpotlightPlace, look: SpotlightLook, pose: BoardPose, panel: Box): Box {
  const slot = pose.cards.get(item)!;
  const origin = pose.origins.get(item);
  const entered = origin === undefined ? posed(place.card, look) : between(origin, place.card, look.entrance);
  const near = scaledAboutCentre(entered, look.nearness);
  const pressed = translated(near, { x: 0, y: look.drop * DROP * place.card.width });
  const way = between(kicked(pressed, place, look.kick), slot, look.flight);
  // A slight arc, but never out of the panel.
  const arc = Math.sin(Math.PI * look.flight) * ARC * panel.height;
  return { ...way, y: way.y - Math.min(arc, Math.max(0, way.y - panel.y)) };
}

/** Pushed away from its stamp. */
function kicked(box: Box, { card, stamp }: SpotlightPlace, kick: number): Box {
  if (stamp === null || kick === 0) return box;
  const x = card.x + card.width / 2 - stamp.box.x - stamp.box.width / 2;
  const y = card.y + card.height / 2 - stamp.box.y - stamp.box.height / 2;
  const by = (kick * KICK * card.width) / Math.max(1, Math.hypot(x, y));
  return translated(box, { x: x * by, y: y * by });
}

/** Beside its card, and never over it: as it was placed, then smaller and fainter while the card sets out. (R41) */
function placedStamp(
  { card: still, stamp }: SpotlightPlace,
  look: SpotlightLook,
  card: Box,
  faded: number,
  panel: Box,
): LitCard['stamp'] {
  const alpha = look.stampAlpha * (1 - faded);
  if (stamp === null || alpha === 0) return null;
  // Until it takes off the card alone is pushed, not the stamp.
  if (faded === 0 && look.flight === 0) {
    return { box: stampedWithin(stamp.box, look, panel), alpha, shown: look.stampShown };
  }
  // Beside the card as it was when it took off.
  const near = translated(scaledAboutCentre(still, look.nearness), { x: 0, y: look.drop * DROP * still.width });
  const scale = { x: card.width / near.width, y: card.height / near.height };
  const beside = {
    x: card.x + (stamp.box.x - near.x) * scale.x,
    y: card.y + (stamp.box.y - near.y) * scale.y,
    width: stamp.box.width * scale.y,
    height: stamp.box.height * scale.y,
  };
  const box = shrunkTowards(card, beside, 1 - SHRUNK * faded);
  return { box, alpha, shown: look.stampShown };
}

/** A box that gets smaller about the point of another one that is nearest to its middle. */
function shrunkTowards(other: Box, { x, y, width, height }: Box, scale: number): Box {
  const nearest = (from: number, length: number, at: number) => Math.min(from + length, Math.max(from, at));
  const anchorX = nearest(other.x, other.width, x + width / 2);
  const anchorY = nearest(other.y, other.height, y + height / 2);
  return {
    x: anchorX + (x - anchorX) * scale,
    y: anchorY + (y - anchorY) * scale,
    width: width * scale,
    height: height * scale,
  };
}

/** A falling stamp, shifted and shrunk so that all of it is inside the panel. */
function stampedWithin(still: Box, { stamp }: SpotlightLook, panel: Box): Box {
  const scale = Math.min(panel.width / still.width, panel.height / still.height);
  const larger = Math.min(1, Math.max(0, scale - 1) / (STAMP_LARGE - 1));
  const box = scaledAboutCentre(still, stamp > 1 ? 1 + (stamp - 1) * larger : stamp);
  const aside = (from: number, length: number, start: number, room: number) =>
    Math.max(start - from, Math.min(0, start + room - from - length));
  return translated(box, {
    x: aside(box.x, box.width, panel.x, panel.width),
    y: aside(box.y, box.height, panel.y, panel.height),
  });
}
