import { firstIndex } from '../../collections.ts';
import { SAMPLE_RATE } from '../../time.ts';
import type { AudioClip } from '../model/audio-plan.ts';

/** Every sound fades in and out within at least this many samples: 5 ms. (R15) */
export const EDGE_SAMPLES = Math.round(0.005 * SAMPLE_RATE);

/** −60 dB. */
const SILENT_GAIN = 0.001;

/** The values that a clip's level depends on. */
export type SoundEnvelope = Pick<AudioClip, 'slot' | 'gain' | 'volumePoints' | 'fadeIn' | 'fadeOut'>;

/**
 * The level of a clip at one of its samples: its gain and volume points (C80), the 5 ms at each edge against clicks,
 * and the requested fades (C36). Requested fades follow a sine, so that two overlapping clips, one fading out while the
 * other fades in, keep their power.
 *
 * @param heard how many samples of it are heard. Edges are those of the audible part; fades belong to the slot, as
 * those of the picture do, even if the sound ends before it.
 */
export function clipLevel(clip: SoundEnvelope, heard: number, place: number): number {
  const { slot, gain, volumePoints, fadeIn, fadeOut } = clip;
  const edge = edgeOf(heard);
  const after = place + 0.5;
  const heardBefore = heard - after;
  const slotBefore = slot.end - slot.start - after;
  if (after < 0 || heardBefore < 0) return 0;
  let level = volumePoints.length === 0 ? gain : gain * pointLevel(volumePoints, place);
  if (after < edge) level *= after / edge;
  if (heardBefore < edge) level *= heardBefore / edge;
  if (after < fadeIn) level *= Math.sin((Math.PI / 2) * (after / fadeIn));
  if (slotBefore < fadeOut) level *= Math.sin((Math.PI / 2) * (slotBefore / fadeOut));
  return level;
}

/** The samples of a clip, from its first on, at which its level is its gain alone; empty if `end` is not after `start`. */
export function steadyPart(clip: SoundEnvelope, heard: number): { start: number; end: number } {
  const { slot, volumePoints, fadeIn, fadeOut } = clip;
  if (volumePoints.length > 0) return { start: 0, end: 0 };
  const edge = edgeOf(heard);
  return { start: Math.max(edge, fadeIn), end: Math.min(heard - edge, slot.end - slot.start - fadeOut) };
}

/** Two edges share a sound that is shorter than both. */
function edgeOf(heard: number): number {
  return Math.min(EDGE_SAMPLES, Math.floor(heard / 2));
}

/** Linear in decibels between two points, flat outside of them. (C80) */
function pointLevel(points: SoundEnvelope['volumePoints'], place: number): number {
  const next = firstIndex(points.length, (index) => points[index]!.at > place);
  const [before, after] = [points[next - 1], points[next]];
  if (before === undefined || after === undefined) return audible((before ?? after)!.gain);
  const share = (place - before.at) / (after.at - before.at);
  return audible(before.gain) * (audible(after.gain) / audible(before.gain)) ** share;
}

/** Silence has no decibels: it counts as −60. */
function audible(gain: number): number {
  return Math.max(SILENT_GAIN, gain);
}
