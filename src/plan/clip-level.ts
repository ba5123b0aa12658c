import { micros, SAMPLE_RATE, sampleAtMicros, samplesFilled } from '../time.ts';
import type { AudioClip } from './render-plan.ts';

/** Every sound comes and goes within this many samples at least: 5 ms. (R15) */
export const EDGE_SAMPLES = Math.round(0.005 * SAMPLE_RATE);

/** What a clip's level depends on. */
export type Levelled = Pick<AudioClip, 'slot' | 'gain' | 'fadeIn' | 'fadeOut'>;

/**
 * The level of a clip at one of its samples: its gain, the 5 ms at each edge against clicks, and the fades asked for (C36). As many
 * samples from the end as from the beginning, it is the same.
 *
 * Asked-for fades follow a sine, so that two overlapping clips, one fading out while the other fades in, keep their power.
 *
 * @param heard how many samples of it are heard. Edges are those of what is heard; fades belong to the slot, as those of the
 *   picture do, even where the sound ends before it.
 */
export function clipLevel({ slot, gain, fadeIn, fadeOut }: Levelled, heard: number, place: number): number {
  const edge = Math.min(EDGE_SAMPLES, Math.floor(heard / 2));
  const after = place + 0.5;
  const heardBefore = heard - after;
  const slotBefore = slot.end - slot.start - after;
  if (after < 0 || heardBefore < 0) return 0;
  let level = gain;
  if (after < edge) level *= after / edge;
  if (heardBefore < edge) level *= heardBefore / edge;
  if (after < fadeIn) level *= Math.sin((Math.PI / 2) * (after / fadeIn));
  if (slotBefore < fadeOut) level *= Math.sin((Math.PI / 2) * (slotBefore / fadeOut));
  return level;
}

/** Which samples of its source a clip plays, and how many samples of the timeline one pass through them fills. */
export interface ClipPass {
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
