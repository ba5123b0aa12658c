import type { CurveName, Passage, Pose, Timing } from '../theme/theme-motion.ts';
import { easeIn, easeOut, part, restingAt, swing } from './curves.ts';

const REST: Pose = { scale: 1, alpha: 1, x: 0, y: 0, shown: 1, squash: 0 };
/** A fade that is this close to its end looks over. (R22) */
export const FADE_UNSEEN = 0.02;
/** Of a fall: when it hits, and how far it is pressed beyond its rest. */
const HITS = 0.61;
const PRESSED = 0.05;
/** A tube that is switched on: its brightness over time, one dip only. (R19) */
const FLICKER: readonly (readonly [at: number, light: number])[] = [
  [0, 0],
  [0.1, 0.75],
  [0.3, 0.75],
  [0.4, 0.3],
  [0.55, 0.3],
  [0.7, 1],
  [1, 1],
];

const CURVES: Readonly<Record<CurveName, (t: number) => number>> = {
  even: (t) => t,
  settle: easeOut,
  swing,
  overshoot: (t) => 1 - (1 - t) * Math.exp(-3.2 * t) * Math.cos(8 * t),
  fall: (t) => (t < HITS ? (1 + PRESSED) * easeIn(t / HITS) : 1 + PRESSED * (1 - easeOut((t - HITS) / (1 - HITS)))),
  flicker: (t) => {
    const next = FLICKER.findIndex(([at]) => at > t);
    if (next === -1) return 1;
    const [[from, before], [to, after]] = [FLICKER[next - 1]!, FLICKER[next]!];
    return before + (after - before) * part(t, from, to);
  },
};

/** How far something is that began so many seconds ago: from 0 to 1, where it overshoots a little beyond. */
export function passed({ curve, seconds: length }: Timing, seconds: number): number {
  if (seconds >= length) return 1;
  return seconds <= 0 ? 0 : CURVES[curve](seconds / length);
}

/** The pose so many seconds after a passage began. */
export function poseAfter(passage: Passage<keyof Pose>, seconds: number): Pose {
  const share = passed(passage, seconds);
  const from: Pose = { ...REST, ...passage.from };
  const at = (of: keyof Pose, unseen?: number) => restingAt(REST[of], from[of] + (REST[of] - from[of]) * share, unseen);
  return {
    scale: at('scale'),
    alpha: Math.min(1, at('alpha', FADE_UNSEEN)),
    x: at('x'),
    y: at('y'),
    shown: Math.min(1, at('shown')),
    squash: at('squash'),
  };
}
