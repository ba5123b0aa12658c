import { SAMPLE_RATE } from '../../src/time.ts';
import type { Stereo } from './stereo.ts';

/** Delays that share no divisor, so that echoes never pile up on one beat. */
const LEFT_DELAYS = [1557, 1811, 2053, 2381];
const RIGHT_DELAYS = [1601, 1867, 2111, 2339];

/** Puts a sound into a large soft room: adds its reverberation, `wet` times. */
export function addRoom({ left, right }: Stereo, wet: number): void {
  addReverberation(left, LEFT_DELAYS, wet);
  addReverberation(right, RIGHT_DELAYS, wet);
}

/** Throws each sound back from the other side, again and again. */
export function addEcho({ left, right }: Stereo, seconds: number, feedback: number): void {
  const delay = Math.round(seconds * SAMPLE_RATE);
  for (let n = delay; n < left.length; n++) {
    const [fromLeft, fromRight] = [left[n - delay]!, right[n - delay]!];
    left[n]! += fromRight * feedback;
    right[n]! += fromLeft * feedback;
  }
}

/** Four combs whose echoes get duller each time, smeared by two all-passes. (Schroeder, Moorer) */
function addReverberation(channel: Float32Array, delays: readonly number[], wet: number): void {
  const room = new Float32Array(channel.length);
  for (const delay of delays) {
    const line = new Float32Array(delay);
    let dull = 0;
    for (let n = 0, at = 0; n < channel.length; n++) {
      const out = line[at]!;
      dull += (out - dull) * 0.45;
      line[at] = channel[n]! + dull * 0.86;
      room[n]! += out;
      at = at + 1 === delay ? 0 : at + 1;
    }
  }
  for (const delay of [223, 557]) {
    const line = new Float32Array(delay);
    for (let n = 0, at = 0; n < room.length; n++) {
      const held = line[at]!;
      const into = room[n]! + held * 0.6;
      line[at] = into;
      room[n] = held - into * 0.6;
      at = at + 1 === delay ? 0 : at + 1;
    }
  }
  for (let n = 0; n < channel.length; n++) channel[n]! += room[n]! * wet * 0.25;
}
