import { kenBurns } from '../../../plan/place/clips/ken-burns.ts';
import type { Seconds } from '../../../time.ts';
import type { Entry } from './entries.ts';
import { toMicros } from './slot.ts';

type Motion = NonNullable<Entry['motion']>;

/** How many seconds a motion starts before an entry, or ends after it. */
interface Beyond {
  readonly before?: Seconds;
  readonly after?: Seconds;
}

/** A part of an entry that moves as the whole does. (C59) @param name of the whole, which seeds `ken_burns`. */
export function withMotionBeyond(entry: Entry, name: string, beyond: Beyond): Entry {
  const { motion, presets } = entry;
  const places = Object.entries((presets ?? {}) as Record<string, { motion?: Motion | undefined }>);
  return {
    ...entry,
    ...(motion !== undefined && { motion: longer(motion, name, beyond) }),
    ...(places.some(([, place]) => place.motion !== undefined) && {
      presets: Object.fromEntries(
        places.map(([preset, place]) => [
          preset,
          place.motion === undefined ? place : { ...place, motion: longer(place.motion, name, beyond) },
        ]),
      ),
    }),
  };
}

function longer(motion: Motion, name: string, beyond: Beyond): Motion {
  const given: Exclude<Motion, string> = motion === 'ken_burns' ? kenBurns(name) : motion;
  const sum = (side: keyof Beyond) => toMicros((given[side] ?? 0) + (beyond[side] ?? 0));
  const [before, after] = [sum('before'), sum('after')];
  return { ...given, ...(before > 0 && { before }), ...(after > 0 && { after }) };
}
