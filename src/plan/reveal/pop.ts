import type { Pose } from '../theme/theme-motion.ts';
import { answer, SECONDS } from './course.ts';
import { easeOut, part } from './curves.ts';
import { AT_REST, type EventStyle } from './event-style.ts';
import { poseAfter } from './passage.ts';

/** How a popped card looks in front of the board. */
export type PopLook = Pose & {
  /** How far the ring around its slot has grown, from 0 to 1. */
  readonly ring: number;
};

const LARGE = 1.6;
/** How far a landing in the top or the bottom row shakes the picture, as a share of a slam. (R41) */
const ANSWERED = 0.3;
const { lands: drop, settles: ringed } = SECONDS.pop;

/** The card comes into its slot as its theme lets it: where it changes its size, from above. A ring spreads from it. (R30, R37) */
export const POP: EventStyle<PopLook> = {
  room: ({ start }) => easeOut(part(start, 0, 0.6 * drop)),
  look: ({ start, lands, motion: { enter, land } }) => {
    const from = enter.from.scale === undefined ? enter.from : { ...enter.from, scale: LARGE };
    const ring = land.echo === 0 ? 1 : easeOut(part(lands, 0, ringed));
    return { ...poseAfter({ ...enter, from, seconds: Math.min(drop, enter.seconds) }, start), ring };
  },
  landed: () => AT_REST,
  dim: null,
  shake: ({ lands, weight }) => answer(weight === undefined ? -1 : lands, ANSWERED),
};
