import { SECONDS } from './course.ts';
import { easeInOut, easeOut, part } from './curves.ts';
import { type EventStyle, settled } from './event-style.ts';

/** How a slammed card looks until it hits. */
export type SlamLook = {
  /** 0: it hangs, 1: in its slot. */
  readonly approach: number;
  /** How far it has risen to where it hangs, from 0 to 1; also the opacity of a card without a start. */
  readonly rise: number;
};

const SHAKEN = 0.35;
const SQUASHED = 0.16;
const { hangs, lands: hits } = SECONDS.slam;

/**
 * The card hangs above its slot, accelerates as it falls and is squashed on impact, and everything behind it shakes.
 * (R30)
 */
export const SLAM: EventStyle<SlamLook> = {
  // Its row makes room as it falls, not before: until then nothing shows which row it is. (R36)
  room: ({ start }) => easeInOut(part(start, hangs, hits)),
  look: ({ start }) => ({ approach: part(start, hangs, hits) ** 2, rise: easeOut(part(start, 0, 0.8 * hangs)) }),
  landed: (clock) => ({ ...settled(clock), scale: 1, squash: 1 - easeOut(part(clock.lands, 0, SQUASHED)) }),
  dim: null,
  shake: ({ lands }) => {
    if (lands < 0 || lands >= SHAKEN) return { x: 0, y: 0 };
    const left = (1 - lands / SHAKEN) ** 2;
    return { x: 0.5 * left * Math.sin(lands * 61), y: left * Math.cos(lands * 47) };
  },
};
