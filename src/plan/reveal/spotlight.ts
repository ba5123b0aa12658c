import type { Pose } from '../theme/theme-motion.ts';
import { answer, type EventClock, SECONDS } from './course.ts';
import { easeInOut, easeOut, hump, part, restingAt } from './curves.ts';
import { type EventStyle, settled } from './event-style.ts';
import { FADE_UNSEEN, passed, poseAfter } from './passage.ts';

/** How a spotlit card looks until it lands. */
export type SpotlightLook = Pose & {
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
  /** The label beside it: its relative size, its opacity, and how much of it is seen from its left edge. */
  readonly stamp: number;
  readonly stampAlpha: number;
  readonly stampShown: number;
  /** How much nearer the card has come while it is held and by the push of its stamp: its size, 1 at first. (R41) */
  readonly nearness: number;
  /** How far the stamp pushes the card, as a share of the farthest. */
  readonly kick: number;
  /** How far a verdict in the bottom row has pressed the card down, as a share of the farthest. (R41) */
  readonly drop: number;
};

const { entrance: ENTERED, stamp: STAMPED } = SECONDS.spotlight;
/**
 * As fast as a lamp goes out, and a little slower back: all of the canvas changes meanwhile, which is the most
 * expensive part of a frame.
 */
const DIMMED = 0.07;
const LIGHTENED = 0.1;
/** How long the glow takes from neutral to the colour of the row. (R36) */
const COLORED = 0.1;
/** When the stamp hits. */
const HITS = 0.11;
/** How large a stamp is at most: it covers more than its card as it falls, and every pixel of that is painted. */
export const STAMP_LARGE = 1.7;
/** Of a flight: until its row has made room, and from where on the stamp fades. */
const ROOM_MADE = 0.78;
const STAMP_FADES = 0.45;
/** How long a name takes to go, in seconds, at most. */
const NAME_GOES = 0.15;
/** How much nearer the card comes while it is held, and how far a stamp pushes it. */
const NEARER = 0.04;
const PUSHED = 0.02;
/** How far a verdict in the top or the bottom row shakes the picture, as a share of a slam. */
const ANSWERED = 0.5;
/** Of the few pixels by which the card is pushed. */
const KICK_UNSEEN = 0.01;

/** Large on the stage, with its name and then its verdict; then off to its slot, the stamp with it. (R19, R26) */
export const SPOTLIGHT: EventStyle<SpotlightLook> = {
  room: ({ takeOff, motion: { leave } }) => {
    return easeInOut(passed({ curve: 'even', seconds: ROOM_MADE * leave.seconds }, takeOff));
  },
  look: (clock) => {
    const { start, takeOff, motion } = clock;
    const { enter, leave } = motion;
    const here = restingAt(1, Math.min(1, passed(enter, start)), FADE_UNSEEN);
    const left = passed({ curve: 'even', seconds: leave.seconds }, takeOff);
    const named = passed({ curve: 'even', seconds: Math.min(NAME_GOES, leave.seconds) }, takeOff);
    return {
      ...poseAfter(enter, start),
      entrance: restingAt(1, passed({ curve: 'settle', seconds: Math.min(ENTERED, enter.seconds) }, start)),
      flight: passed(leave, takeOff),
      name: here * (1 - easeInOut(named)),
      glow: here * (1 - left),
      color: part(clock.verdict, 0, COLORED),
      ...stampLook(clock, left),
    };
  },
  landed: settled,
  dim: ({ start, lightens, lands, motion: { enter, leave } }) => {
    const dimmed = passed({ curve: 'settle', seconds: Math.min(DIMMED, enter.seconds) }, start);
    const lightened = passed({ curve: 'swing', seconds: Math.min(LIGHTENED, leave.seconds) }, lightens);
    return lands >= 0 ? 0 : dimmed * (1 - lightened);
  },
  shake: ({ verdict, weight }) => answer(weight === undefined ? -1 : verdict - HITS, ANSWERED),
};

/** How much of the way a held card has come nearer: in steps, so that its pictures repeat where it is slow. */
function nearing({ start, motion: { hold } }: EventClock): number {
  return Math.round(hold.steps * passed(hold, start - ENTERED)) / hold.steps;
}

/** The stamp comes as its theme lets it, the card recoils, and it is gone when the card lands. `left`: how far the card has gone. */
function stampLook(
  clock: EventClock,
  left: number,
): Pick<SpotlightLook, 'stamp' | 'stampAlpha' | 'stampShown' | 'nearness' | 'kick' | 'drop'> {
  const { verdict, weight, motion } = clock;
  const nearness = 1 + NEARER * nearing(clock);
  const { scale: stamp, alpha, shown: stampShown } = poseAfter(motion.verdict, verdict);
  if (verdict < 0) return { stamp, stampAlpha: 0, stampShown, nearness, kick: 0, drop: 0 };
  const hit = restingAt(0, hump(easeOut(part(verdict, HITS - 0.03, STAMPED))), KICK_UNSEEN);
  return {
    ...{ stamp, stampShown },
    stampAlpha: alpha * (1 - easeInOut(part(left, STAMP_FADES, 1))),
    nearness: nearness + PUSHED * hit,
    kick: hit,
    drop: weight === 'bottom' ? easeOut(part(verdict, HITS, STAMPED)) : 0,
  };
}
