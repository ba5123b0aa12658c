import { addRoom } from '../making/room.ts';
import { play, type Stereo, silence, toPeak } from '../making/stereo.ts';
import { bell, whoosh } from './instruments.ts';

/** How long each of the robot's chimes is, one after the other from the clip's start. */
export const CHIME_SECONDS = 0.8;

/** One chime a planet, in the order of the reveals; each fits the chord it will sound over. */
const CHIMES: readonly (readonly [number, number])[] = [
  [76, 81],
  [78, 81],
  [78, 85],
  [79, 83],
  [81, 85],
  [83, 86],
  [83, 90],
  [85, 88],
  [88, 93],
];

/** A whoosh that is at its strongest after 2.4 s, and a little air before and after it. */
export function starFlightSound(seconds: number): Stereo {
  const sound = silence(seconds);
  play(sound, whoosh(3.6, 2.4), 0, 1, -0.5);
  play(sound, whoosh(3.4, 2.3), 0.1, 1, 0.5);
  toPeak(sound, 0.6);
  return sound;
}

/** A low hum, as of something very large very far away. */
export function orbitViewSound(seconds: number): Stereo {
  const sound = silence(seconds);
  const air = whoosh(seconds, seconds / 2);
  play(sound, air, 0, 0.4, 0);
  toPeak(sound, 0.08);
  return sound;
}

/** What the robot has to say: nine chimes in a row. */
export function robotHostSound(seconds: number): Stereo {
  const sound = silence(seconds);
  CHIMES.forEach(([first, second], n) => {
    const at = n * CHIME_SECONDS;
    play(sound, bell(first, CHIME_SECONDS), at, 0.5, -0.25);
    play(sound, bell(second, CHIME_SECONDS - 0.09), at + 0.08, 0.7, 0.25);
  });
  addRoom(sound, 0.08);
  toPeak(sound, 0.7);
  return sound;
}
