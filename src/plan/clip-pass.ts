import { micros, sampleAtMicros, samplesFilled } from '../time.ts';
import type { AudioClip } from './render-plan.ts';

/** Which samples of its source a clip plays, and how many samples of the timeline one pass through them fills. */
interface ClipPass {
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** How much of the slot is heard: all of it where it loops. */
  readonly heard: number;
}

export function clipPass({
  slot,
  window,
  speed,
  loop,
}: Pick<AudioClip, 'slot' | 'window' | 'speed' | 'loop'>): ClipPass {
  const length = Math.max(1, samplesFilled(micros(window.end - window.start), speed));
  const slotLength = slot.end - slot.start;
  return {
    from: sampleAtMicros(window.start),
    to: sampleAtMicros(window.end),
    length,
    heard: loop ? slotLength : Math.min(slotLength, length),
  };
}
