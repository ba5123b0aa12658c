import { SAMPLE_RATE } from '../../time.ts';
import type { AudioClip } from '../render-plan.ts';

/** Every sound comes and goes within this many samples at least: 5 ms. (R15) */
export const EDGE_SAMPLES = Math.round(0.005 * SAMPLE_RATE);

/** How a sound comes and goes: what a clip's level depends on. */
export type SoundEnvelope = Pick<AudioClip, 'slot' | 'gain' | 'fadeIn' | 'fadeOut'>;

/**
 * The level of a clip at one of its samples: its gain, the 5 ms at each edge against clicks, and the fades asked for (C36). As many
 * samples from the end as from the beginning, it is the same.
 *
 * Asked-for fades follow a sine, so that two overlapping clips, one fading out while the other fades in, keep their power.
 *
 * @param heard how many samples of it are heard. Edges are those of what is heard; fades belong to the slot, as those of the
 *   picture do, even where the sound ends before it.
 */
export function clipLevel({ slot, gain, fadeIn, fadeOut }: SoundEnvelope, heard: number, place: number): number {
  const edge = edgeOf(heard);
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

/** The samples of a clip, from its first on, at which its level is its gain alone; empty where `end` is not after `start`. */
export function steadyPart({ slot, fadeIn, fadeOut }: SoundEnvelope, heard: number): { start: number; end: number } {
  const edge = edgeOf(heard);
  return { start: Math.max(edge, fadeIn), end: Math.min(heard - edge, slot.end - slot.start - fadeOut) };
}

/** Two edges share a sound that is shorter than both. */
function edgeOf(heard: number): number {
  return Math.min(EDGE_SAMPLES, Math.floor(heard / 2));
}
