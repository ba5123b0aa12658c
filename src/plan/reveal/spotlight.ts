import { type EventClock, SECONDS } from './course.ts';
import { easeIn, easeInOut, easeOut, hump, part, restingAt, spring, swing } from './curves.ts';
import { type EventStyle, settled } from './event-style.ts';

/** How a spotlit card looks until it lands. */
export type SpotlightLook = {
  /** Its size against the one it has in the spotlight; a spring. */
  readonly scale: number;
  /** How much of it shows. */
  readonly alpha: number;
  /** How far it is on the way from the board to the stage, if it was there before. */
  readonly entrance: number;
  /** 0: on the stage, 1: in its slot. */
  readonly flight: number;
  /** How much everything else is dimmed, from 0 to 1. */
  readonly dim: number;
  /** How much of the name shows. */
  readonly name: number;
  /** How bright the glow is around it. */
  readonly glow: number;
  /** The label beside it: its relative size, its turn in degrees, and its opacity. */
  readonly stamp: number;
  readonly stampTurn: number;
  readonly stampAlpha: number;
  /** How far the stamp pushes the card, as a share of the farthest. */
  readonly kick: number;
};

const { entrance: ENTERED, flight: FLOWN, stamp: STAMPED } = SECONDS.spotlight;
/**
 * As fast as a lamp goes out, and a little slower back: all of the canvas changes meanwhile, which is the most
 * expensive part of a frame.
 */
const DIMMED = 0.07;
const LIGHTENED = 0.1;
/** When the stamp hits, and how large it is at first and when it hits. */
const HITS = 0.11;
export const STAMP_LARGE = 2.2;
const STAMP_PRESSED = 0.94;
export const STAMP_TURNED = -6;
/** Of the few pixels by which the card is pushed. */
const KICK_UNSEEN = 0.01;

/** Large on the stage, with its name and then its verdict; then off to its slot, the stamp with it. (R19, R26) */
export const SPOTLIGHT: EventStyle<SpotlightLook> = {
  room: ({ takeOff }) => easeInOut(part(takeOff, 0, 0.35)),
  look: (clock) => {
    const { start, takeOff, lightens } = clock;
    const entrance = easeOut(part(start, 0, 0.22));
    const entered = spring(part(start, 0, ENTERED));
    return {
      scale: restingAt(1, 0.7 + 0.3 * entered),
      alpha: easeOut(part(start, 0, 0.12)),
      entrance: restingAt(1, entered),
      flight: swing(part(takeOff, 0, FLOWN)),
      dim: easeOut(part(start, 0, DIMMED)) * (1 - swing(part(lightens, 0, LIGHTENED))),
      name: entrance * (1 - easeInOut(part(takeOff, 0, 0.15))),
      glow: entrance * (1 - part(takeOff, 0, FLOWN)),
      ...stampLook(clock),
    };
  },
  landed: settled,
  shake: null,
};

/** The stamp comes down, recoils with the card, and is gone when the card lands. */
function stampLook({
  verdict,
  takeOff,
}: EventClock): Pick<SpotlightLook, 'stamp' | 'stampTurn' | 'stampAlpha' | 'kick'> {
  if (verdict < 0) return { stamp: STAMP_LARGE, stampTurn: STAMP_TURNED, stampAlpha: 0, kick: 0 };
  const falls = easeIn(part(verdict, 0, HITS));
  const rises = easeOut(part(verdict, HITS, STAMPED));
  return {
    stamp: restingAt(1, STAMP_LARGE + (STAMP_PRESSED - STAMP_LARGE) * falls + (1 - STAMP_PRESSED) * rises),
    stampTurn: STAMP_TURNED * (1 - falls),
    stampAlpha: (0.6 + 0.4 * part(verdict, 0, 0.05)) * (1 - easeInOut(part(takeOff, 0.2, FLOWN))),
    kick: restingAt(0, hump(easeOut(part(verdict, HITS - 0.03, STAMPED))), KICK_UNSEEN),
  };
}
