import { SECONDS } from './course.ts';
import { easeOut, part } from './curves.ts';
import { AT_REST, type EventStyle, type NoLook } from './event-style.ts';

const OVERSHOOT = 1.9;
const { settles } = SECONDS.pop;

/** On the board from the start, the card grows past its size a little and settles. (R13) */
export const POP: EventStyle<NoLook> = {
  room: ({ start }) => easeOut(part(start, 0, 0.55 * settles)),
  look: () => ({}),
  landed: ({ start }) => {
    const left = part(start, 0.1 * settles, settles) - 1;
    const back = 1 + (OVERSHOOT + 1) * left ** 3 + OVERSHOOT * left ** 2;
    return { ...AT_REST, scale: 0.5 + 0.5 * back, alpha: easeOut(part(start, 0.05 * settles, 0.5 * settles)) };
  },
  shake: null,
};
