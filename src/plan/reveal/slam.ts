import { easeInOut, part } from './curves.ts';
import { type EventStyle, settling, sinceLanding } from './event-style.ts';

/** How a slammed card looks until it hits. */
export type SlamLook = {
  /** 0: outside, 1: in its slot. */
  readonly approach: number;
};

const LANDING = { seconds: 0.6, landsAt: 0.2 };

/** Ever faster from outside to its slot; the board shakes under it. (R13) */
export const SLAM: EventStyle<SlamLook> = {
  ...LANDING,
  room: (progress) => easeInOut(part(progress * LANDING.seconds, 0, 0.18)),
  look: (progress) => ({ approach: part(progress * LANDING.seconds, 0, LANDING.landsAt) ** 1.5 }),
  landed: settling(LANDING),
  shake: (progress) => {
    const since = sinceLanding(LANDING, progress);
    const length = LANDING.seconds - LANDING.landsAt;
    if (since < 0 || since >= length) return { x: 0, y: 0 };
    const left = (1 - since / length) ** 2;
    return { x: 0.5 * left * Math.sin(since * 61), y: left * Math.cos(since * 47) };
  },
};
