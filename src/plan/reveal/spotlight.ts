import { answer, type EventClock, SECONDS } from './course.ts';
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
  /** How much of the name shows. */
  readonly name: number;
  /** How bright the glow is around it. */
  readonly glow: number;
  /** How much of its row's colour shows: none before the stamp. (R36) */
  readonly color: number;
  /** The label beside it: its relative size, its turn in degrees, and its opacity. */
  readonly stamp: number;
  readonly stampTurn: number;
  readonly stampAlpha: number;
  /** How much nearer the card has come while it is held and by the push of its stamp: its size, 1 at first. (R41) */
  readonly nearness: number;
  /** How far the stamp pushes the card, as a share of the farthest. */
  readonly kick: number;
  /** How far a verdict in the bottom row has pressed the card down, as a share of the farthest. (R41) */
  readonly drop: number;
};

const { entrance: ENTERED, flight: FLOWN, stamp: STAMPED, nears: NEARS } = SECONDS.spotlight;
/**
 * As fast as a lamp goes out, and a little slower back: all of the canvas changes meanwhile, which is the most
 * expensive part of a frame.
 */
const DIMMED = 0.07;
const LIGHTENED = 0.1;
/** How long the glow takes from neutral to the colour of the row. (R36) */
const COLORED = 0.1;
/** When the stamp hits, and how large it is at first and when it hits. */
const HITS = 0.11;
export const STAMP_LARGE = 2.2;
const STAMP_PRESSED = 0.94;
export const STAMP_TURNED = -6;
/** How much nearer the card comes while it is held, and how far a stamp pushes it. */
const NEARER = 0.04;
const PUSHED = 0.02;
/** How far a verdict in the top or the bottom row shakes the picture, as a share of a slam. */
const ANSWERED = 0.5;
/** Of the few pixels by which the card is pushed. */
const KICK_UNSEEN = 0.01;

/** Large on the stage, with its name and then its verdict; then off to its slot, the stamp with it. (R19, R26) */
export const SPOTLIGHT: EventStyle<SpotlightLook> = {
  room: ({ takeOff }) => easeInOut(part(takeOff, 0, 0.35)),
  look: (clock) => {
    const { start, takeOff } = clock;
    const entrance = easeOut(part(start, 0, 0.22));
    const entered = spring(part(start, 0, ENTERED));
    return {
      scale: restingAt(1, 0.7 + 0.3 * entered),
      alpha: easeOut(part(start, 0, 0.12)),
      entrance: restingAt(1, entered),
      flight: swing(part(takeOff, 0, FLOWN)),
      name: entrance * (1 - easeInOut(part(takeOff, 0, 0.15))),
      glow: entrance * (1 - part(takeOff, 0, FLOWN)),
      color: part(clock.verdict, 0, COLORED),
      ...stampLook(clock),
    };
  },
  landed: settled,
  dim: ({ start, lightens, lands }) =>
    lands >= 0 ? 0 : easeOut(part(start, 0, DIMMED)) * (1 - swing(part(lightens, 0, LIGHTENED))),
  shake: ({ verdict, weight }) => answer(weight === undefined ? -1 : verdict - HITS, ANSWERED),
};

/** How much of the way a held card has come nearer: in steps, so that its pictures repeat where it is slow. */
function nearing(start: number): number {
  return Math.round(NEARS.steps * easeInOut(part(start, ENTERED, ENTERED + NEARS.seconds))) / NEARS.steps;
}

/** The stamp comes down, recoils with the card, and is gone when the card lands. */
function stampLook({
  verdict,
  start,
  takeOff,
  weight,
}: EventClock): Pick<SpotlightLook, 'stamp' | 'stampTurn' | 'stampAlpha' | 'nearness' | 'kick' | 'drop'> {
  const nearness = 1 + NEARER * nearing(start);
  if (verdict < 0) {
    return { stamp: STAMP_LARGE, stampTurn: STAMP_TURNED, stampAlpha: 0, nearness, kick: 0, drop: 0 };
  }
  const hit = restingAt(0, hump(easeOut(part(verdict, HITS - 0.03, STAMPED))), KICK_UNSEEN);
  const falls = easeIn(part(verdict, 0, HITS));
  const rises = easeOut(part(verdict, HITS, STAMPED));
  return {
    stamp: restingAt(1, STAMP_LARGE + (STAMP_PRESSED - STAMP_LARGE) * falls + (1 - STAMP_PRESSED) * rises),
    stampTurn: STAMP_TURNED * (1 - falls),
    stampAlpha: (0.6 + 0.4 * part(verdict, 0, 0.05)) * (1 - easeInOut(part(takeOff, 0.2, FLOWN))),
    nearness: nearness + PUSHED * hit,
    kick: hit,
    drop: weight === 'bottom' ? easeOut(part(verdict, HITS, STAMPED)) : 0,
  };
}
