import type { AssembledPlan } from './assembled-tracks.ts';
import type { PacketIndex } from './packet-index.ts';
import { unreadablePart } from './sample-table.ts';

/** A packet comes out right only after the one before it (the `roll` of its track). */
const ROLL_PACKETS = 1;

/**
 * The packets that a stretch of a sound is heard from, at their times from its beginning. As with the whole, what has to be
 * decoded and is not heard comes before time 0, and is skipped to the sample: nothing is encoded again. (C52, R16)
 *
 * @throws `chunk.unreadable` where the sound is shorter than that.
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
