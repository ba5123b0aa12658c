import { SECONDS } from './course.ts';
import { easeInOut, part } from './curves.ts';
import { type EventStyle, settled } from './event-style.ts';

/** How a slammed card looks until it hits. */
export type SlamLook = {
  /** 0: outside, 1: in its slot. */
  readonly approach: number;
};

const SHAKEN = 0.4;

/** Ever faster from outside to its slot; the board shakes under it. (R13) */
export const SLAM: EventStyle<SlamLook> = {
  room: ({ start }) => easeInOut(part(start, 0, 0.18)),
  look: ({ start }) => ({ approach: part(start, 0, SECONDS.slam.lands) ** 1.5 }),
  landed: settled,
  shake: ({ lands }) => {
    if (lands < 0 || lands >= SHAKEN) return { x: 0, y: 0 };
    const left = (1 - lands / SHAKEN) ** 2;
    return { x: 0.5 * left * Math.sin(lands * 61), y: left * Math.cos(lands * 47) };
  },
};
