import type { Frames } from '../../time.ts';
import { type Entry, entryAt, frameSlot, ofLane, withEntry } from './entries.ts';
import type { TimelineData } from './project.ts';

type Transition = NonNullable<Entry['transition']>;

/** The default, minimum and maximum length of a transition. (C58) */
const SECONDS = { usual: 0.5, min: 0.1, max: 3 };

/** Where one clip that fills the canvas follows another. */
export interface Cut {
  /** The index of the clip that starts there. */
  readonly index: number;
  readonly at: Frames;
  readonly transition: Transition | undefined;
}

/** The cuts that can have a transition: both clips fill the canvas, are in the same layer, and meet exactly. (C58) */
export const cutsOf = ofLane((videos, rules): readonly Cut[] => {
  const whole = videos.map((entry, index) => ({ entry, index })).filter(({ entry }) => !hasBox(entry));
  const ends = new Set(whole.map(({ entry }) => `${entry.layer} ${frameSlot(entry, rules).end}`));
  return whole.flatMap(({ entry, index }) => {
    const at = frameSlot(entry, rules).start;
    return ends.has(`${entry.layer} ${at}`) ? [{ index, at, transition: entry.transition }] : [];
  });
});

function hasBox({ x_percent: x, y_percent: y, width_percent: width, height_percent: height }: Entry): boolean {
  return [x, y, width, height].some((side) => side !== undefined);
}

export function transitionLength(transition: Transition | undefined): number {
  return transition?.duration ?? SECONDS.usual;
}

/** Sets or removes the transition of a clip. */
export function withTransition(timeline: TimelineData, index: number, kind: Transition['kind'] | null): TimelineData {
  const ref = { lane: 'videos', index } as const;
  const { transition, ...rest } = entryAt(timeline, ref)!;
  return withEntry(timeline, ref, kind === null ? rest : { ...rest, transition: { ...transition, kind } });
}

/** Sets the length of a transition, in steps of a twentieth of a second. Does nothing if there is none. */
export function withTransitionLength(timeline: TimelineData, index: number, seconds: number): TimelineData {
  const ref = { lane: 'videos', index } as const;
  const entry = entryAt(timeline, ref)!;
  if (entry.transition === undefined) return timeline;
  const duration = Math.round(Math.min(SECONDS.max, Math.max(SECONDS.min, seconds)) * 20) / 20;
  return withEntry(timeline, ref, { ...entry, transition: { ...entry.transition, duration } });
}
