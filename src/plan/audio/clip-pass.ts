import { micros, SAMPLE_RATE, sampleAtMicros, samplesFilled } from '../../time.ts';
import type { AudioClip } from './audio-plan.ts';

/** Which samples of its source a clip plays. */
interface ClipPass {
  readonly from: number;
  readonly to: number;
  /** How much of the slot is heard: all of it where it loops. */
  readonly heard: number;
}

export function clipPass(clip: Pick<AudioClip, 'slot' | 'window' | 'speed' | 'loop'>): ClipPass {
  const { slot, window, loop } = clip;
  const slotLength = slot.end - slot.start;
  return {
    from: sampleAtMicros(window.start),
    to: sampleAtMicros(window.end),
    heard: loop ? slotLength : Math.min(slotLength, passStart(clip, 1)),
  };
}

/** The samples of its slot, counted from its start, that one pass through a clip's window fills. */
interface PassSpan {
  /** Counts from 0. */
  readonly pass: number;
  readonly start: number;
  readonly end: number;
}

/** The pass that sample `at` of a clip's slot is in. */
export function passAt(clip: Pick<AudioClip, 'window' | 'speed'>, at: number): PassSpan {
  const length = Math.max(1, ((clip.window.end - clip.window.start) * SAMPLE_RATE) / clip.speed);
  const near = Math.floor(at / length);
  const pass = passStart(clip, near) > at ? near - 1 : passStart(clip, near + 1) <= at ? near + 1 : near;
  return { pass, start: passStart(clip, pass), end: passStart(clip, pass + 1) };
}

/** Rounded for each pass: the fraction of a sample does not accumulate over passes. */
function passStart({ window, speed }: Pick<AudioClip, 'window' | 'speed'>, pass: number): number {
  const length = micros(window.end - window.start);
  return length * SAMPLE_RATE < speed ? pass : samplesFilled(micros(pass * length), speed);
}
