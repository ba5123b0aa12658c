import { easeOut, part } from './curves.ts';
import type { EventStyle, NoLook } from './event-style.ts';

const OVERSHOOT = 1.9;

/** On the board from the start, the card grows past its size a little and settles. (R13) */
export const POP: EventStyle<NoLook> = {
  seconds: 0.35,
  landsAt: 0,
  room: (progress) => easeOut(part(progress, 0, 0.55)),
  look: () => ({}),
  landed: (progress) => {
    const left = part(progress, 0.1, 1) - 1;
    const back = 1 + (OVERSHOOT + 1) * left ** 3 + OVERSHOOT * left ** 2;
    return { scale: 0.5 + 0.5 * back, alpha: easeOut(part(progress, 0.05, 0.5)), flash: 0 };
  },
  shake: null,
};
