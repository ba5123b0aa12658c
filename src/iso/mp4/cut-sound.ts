import type { AssembledPlan } from './assembled-tracks.ts';
import type { PacketIndex } from './packet-index.ts';
import { unreadablePart } from './sample-table.ts';

/** A packet comes out right only after the one before it (the `roll` of its track). */
const ROLL_PACKETS = 1;

/**
 * The packets for a range of a sound, with times from the start of the range. As with the whole sound, samples that are
 * decoded but not heard come before time 0, and are skipped to the sample: nothing is encoded again. (C52, R16)
 *
 * @throws `chunk.unreadable` if the sound is shorter than that.
 */
export function cutSound(
  sound: PacketIndex,
  { soundStart, audio }: Pick<AssembledPlan, 'soundStart' | 'audio'>,
): PacketIndex {
  if (soundStart === undefined) return sound;
  const after = sound.times.findIndex((time) => time > soundStart);
  const end = sound.times.findIndex((time) => time >= soundStart + audio.totalSamples);
  const heard = (after === -1 ? sound.times.length : after) - 1;
  if (heard < 0) throw unreadablePart();
  const range = [Math.max(0, heard - ROLL_PACKETS), end === -1 ? sound.times.length : end] as const;
  return {
    ...sound,
    offsets: sound.offsets.slice(...range),
    sizes: sound.sizes.slice(...range),
    keys: sound.keys.slice(...range),
    times: sound.times.slice(...range).map((time) => time - soundStart),
  };
}
