import { type Frames, secondsOf } from '../../../time.ts';
import { type Performance, retimed } from '../../document/take/performance.ts';
import { playhead, rate } from '../../session/session.ts';
import { type TakeTimes, takeSeconds } from '../clock/take-times.ts';
import { isRecorded, pageSpans, startFrame } from './take-state.ts';

/** The times of the take on the page's clock. */
export function pageTimes(): TakeTimes {
  return { line: { rate: 1, offset: 0 }, ticksPerSecond: 1000, delayMs: 0, spans: pageSpans.peek().spans };
}

/** Converts the times of actions to seconds: from page time, or from timeline time if nothing is recorded. */
export function inSeconds(acted: Performance, times: TakeTimes): Performance {
  return retimed(acted, (at) => (isRecorded() ? takeSeconds(times, at) : at / 1000));
}

/** The time of an event for the performance. */
export function momentOf(eventMs: number): number {
  if (isRecorded()) return eventMs;
  return secondsOf(Math.max(0, playhead.value - startFrame.value) as Frames, rate.value) * 1000;
}
