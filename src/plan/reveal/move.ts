import { easeInOut, easeOut, part } from './curves.ts';
import { type EventStyle, settling } from './event-style.ts';

/** How a card looks that goes from one place to another. */
export type MoveLook = {
  /** 0: on the board, 1: as high above it as it goes. */
  readonly lift: number;
  /** How much of the sign shows that says by how many tiers. */
  readonly sign: number;
};

const LANDING = { seconds: 1.2, landsAt: 0.8 };
const { seconds: END, landsAt: LANDS } = LANDING;

/** Up, across as its room opens, and down again. (C44) */
export const MOVE: EventStyle<MoveLook> = {
  ...LANDING,
  room: (progress) => easeInOut(part(progress * END, 0.18, LANDS)),
  look: (progress) => {
    const seconds = progress * END;
    return {
      lift: easeOut(part(seconds, 0, 0.25)) * (1 - easeInOut(part(seconds, LANDS - 0.2, LANDS))),
      sign: easeOut(part(seconds, 0.08, 0.25)) * (1 - easeInOut(part(seconds, END - 0.2, END))),
    };
  },
  landed: settling(LANDING),
  shake: null,
};
