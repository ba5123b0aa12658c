import { answer, SECONDS } from './course.ts';
import { easeOut, part } from './curves.ts';
import { AT_REST, type EventStyle } from './event-style.ts';

/** How a popped card looks in front of the board. */
export type PopLook = {
  /** Its size against its slot's. */
  readonly scale: number;
  readonly alpha: number;
  /** How far the ring around its slot has grown, from 0 to 1. */
  readonly ring: number;
};

const LARGE = 1.6;
/** How far a landing in the top or the bottom row shakes the picture, as a share of a slam. (R41) */
const ANSWERED = 0.3;
const OVERSHOOT = 1.2;
const { lands: drop, settles: ringed } = SECONDS.pop;

/** The card drops onto its slot from slightly above it and is compressed a little. A ring spreads from it. (R30) */
export const POP: EventStyle<PopLook> = {
  room: ({ start }) => easeOut(part(start, 0, 0.6 * drop)),
  look: ({ start, lands }) => {
    const left = part(start, 0, drop) - 1;
    const dropped = 1 + (OVERSHOOT + 1) * left ** 3 + OVERSHOOT * left ** 2;
    return {
      scale: LARGE + (1 - LARGE) * dropped,
      alpha: easeOut(part(start, 0, 0.25 * drop)),
      ring: easeOut(part(lands, 0, ringed)),
    };
  },
  landed: () => AT_REST,
  dim: null,
  shake: ({ lands, weight }) => answer(weight === undefined ? -1 : lands, ANSWERED),
};
