import { SECONDS } from './course.ts';
import { easeInOut, easeOut, part } from './curves.ts';
import { type EventStyle, settled } from './event-style.ts';

/** How a card looks that goes from one place to another. */
export type MoveLook = {
  /** 0: on the board, 1: as high above it as it goes. */
  readonly lift: number;
  /** The opacity of the sign that shows the number of tiers. */
  readonly sign: number;
};

const { lands: LANDS } = SECONDS.move;

/** Up, across as its room opens, and down again. (C44) */
export const MOVE: EventStyle<MoveLook> = {
  room: ({ start }) => easeInOut(part(start, 0.18, LANDS)),
  look: ({ start }) => ({
    lift: easeOut(part(start, 0, 0.25)) * (1 - easeInOut(part(start, LANDS - 0.2, LANDS))),
    sign: easeOut(part(start, 0.08, 0.25)) * (1 - easeInOut(part(start, LANDS + 0.2, LANDS + 0.4))),
  }),
  landed: settled,
  dim: null,
  shake: null,
};
