import { type FrameRate, type Frames, frameAt, frames, framesToPass, secondsOf } from '../../time.ts';
import type { Course, Weight } from '../model/board-scene.ts';
import type { ThemeMotion } from '../theme/theme-motion.ts';

/** The effects of a landing: the label of its row jumps, light comes up and sweeps along the row. In seconds. (R26) */
export const LANDING = { bump: 0.22, lit: 0.06, sweep: 0.46 } as const;

/**
 * How long everything takes, in seconds: with `LANDING` the only table of times. The stage, the pictures and the sounds
 * use the frames that `Course` derives from it. (R13, R26)
 */
export const SECONDS = {
  none: { lands: 0, settles: 0 },
  pop: { lands: 0.28, settles: 0.35 },
  slam: {
    hangs: 0.12,
    lands: 0.29,
    settles: LANDING.sweep,
    /** A spotlit card sets out at least this long before a slam, if its verdict has room for it. */
    cleared: 0.25,
  },
  move: { lands: 0.8, settles: LANDING.sweep },
  spotlight: {
    entrance: 0.35,
    /** A hold that the tile does not set, and a verdict, are shortened at most to this. If that is not enough, the tile becomes a pop. */
    minHold: 0.25,
    verdict: 0.78,
    minVerdict: 0.25,
    stamp: 0.18,
    /** From take-off to the landing, at most: a theme may take less. (R37) */
    flight: 0.45,
    settles: LANDING.sweep,
    /** From take-off to where the picture lightens again. */
    lightens: 0.1,
    /** Between spotlights closer than this the picture stays dim. */
    staysDim: 0.3,
  },
} as const;

/** How much longer than others a card of the top row waits for its verdict, and the last one of the video. (R41) */
export const LONGER_HOLD = { top: 4 / 3, last: 2 } as const;

/** The picture answers a verdict in the top or the bottom row for three frames of a 30th of a second. (R41) */
const ANSWER = { seconds: 0.1, swings: 1.5 };

/** Everything that a frame of an event starts is at rest after this many seconds. */
export const LONGEST_MOTION = 2;

/** How far an event is: seconds since each of its frames, below 0 before it. The same at every frame rate. (R19) */
export type EventClock = { readonly [Frame in Exclude<keyof Course, 'at' | 'end'>]: number } & {
  readonly start: number;
  readonly isOver: boolean;
  /** Absent: any other row. */
  readonly weight?: Weight | undefined;
  /** How its theme moves. */
  readonly motion: ThemeMotion;
};

/** The course of an event that depends on the table alone. */
export function plainCourse(style: Exclude<keyof typeof SECONDS, 'spotlight'>, at: Frames, rate: FrameRate): Course {
  const { lands: flight, settles } = SECONDS[style];
  const lands = frames(at + framesToPass(flight, rate));
  const end = frames(lands + framesToPass(settles, rate));
  return { at, verdict: lands, takeOff: at, lightens: at, lands, end };
}

/** The course of a spotlight with a known verdict and take-off. `flight`: in seconds. */
export function spotlightCourse(
  { at, verdict, takeOff, staysDim }: Pick<Course, 'at' | 'verdict' | 'takeOff'> & { readonly staysDim: boolean },
  rate: FrameRate,
  flight: number,
): Course {
  const { settles, lightens } = SECONDS.spotlight;
  const lands = frames(takeOff + framesToPass(flight, rate));
  const end = frames(lands + framesToPass(settles, rate));
  const clears = frames(Math.min(lands, takeOff + frameAt(lightens, rate)));
  return { at, verdict, takeOff, lightens: staysDim ? lands : clears, lands, end };
}

/** How far the picture swings, this many seconds after it was hit: up to `share`, and at rest after three frames. */
export function answer(seconds: number, share: number): { readonly x: number; readonly y: number } {
  if (seconds < 0 || seconds >= ANSWER.seconds) return { x: 0, y: 0 };
  const passed = seconds / ANSWER.seconds;
  return { x: 0, y: share * (1 - passed) * Math.cos(2 * Math.PI * ANSWER.swings * passed) };
}

export function clockAt(
  course: Course & { readonly weight?: Weight },
  frame: Frames,
  rate: FrameRate,
  motion: ThemeMotion,
): EventClock {
  const since = (milestone: Frames) => inSteps(secondsOf((frame - milestone) as Frames, rate), motion);
  return {
    start: since(course.at),
    verdict: since(course.verdict),
    takeOff: since(course.takeOff),
    lightens: since(course.lightens),
    lands: since(course.lands),
    isOver: frame >= course.end,
    motion,
    ...(course.weight !== undefined && { weight: course.weight }),
  };
}

/** The last step of a theme that moves in steps. (R37) */
export function inSteps(seconds: number, { steps }: Pick<ThemeMotion, 'steps'>): number {
  return steps === null ? seconds : Math.floor(seconds * steps + STEP_UNSEEN) / steps;
}

/** Of a step: a frame that a rounding puts just before one belongs to it. */
const STEP_UNSEEN = 1e-6;
