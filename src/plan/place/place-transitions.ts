import { type FrameRate, type Frames, frameAt, type Range, type Seconds } from '../../time.ts';
import type { ComingAndGoing, TransitionName } from '../../timeline/export-request.ts';
import type { Transition } from '../render-plan.ts';

/** How an entry comes and goes where it does not say so itself. */
export interface DefaultTransitions {
  readonly enter: TransitionName;
  readonly exit: TransitionName;
}

export const JUST_THERE: DefaultTransitions = { enter: 'none', exit: 'none' };

/** Coming and going as frames: their inner ends are positions, and the two share a short entry without crossing. (C48) */
export function placeTransitions(
  { enter, exit, duration }: ComingAndGoing,
  { start, end }: Range<Seconds>,
  shows: Range<Frames>,
  rate: FrameRate,
  defaults: DefaultTransitions,
): { enter: Transition | null; exit: Transition | null } {
  const length = shows.end - shows.start;
  const coming = enter ?? defaults.enter;
  const going = exit ?? defaults.exit;
  const enterFrames = coming === 'none' ? 0 : Math.min(length, frameAt(start + duration, rate) - shows.start);
  const wanted = frameAt(end, rate) - frameAt(Math.max(0, end - duration), rate);
  const exitFrames = going === 'none' ? 0 : Math.min(length - enterFrames, wanted);
  return { enter: transition(coming, enterFrames), exit: transition(going, exitFrames) };
}

function transition(kind: TransitionName, frames: number): Transition | null {
  return kind === 'none' || frames <= 0 ? null : { kind, frames: frames as Frames };
}
