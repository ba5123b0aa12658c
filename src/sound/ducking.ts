import type { AudioClip } from '../plan/render-plan.ts';
import { SAMPLE_RATE } from '../time.ts';
import type { Stereo } from './dsp/stereo.ts';

/** By how much all else goes down while a tile sounds: 6 dB. (C45) */
const DUCKED = 10 ** (-6 / 20);
/** It is down when the sound begins, and comes back in its wake, softly both times. */
const DOWN_SAMPLES = Math.round(0.03 * SAMPLE_RATE);
const UP_SAMPLES = Math.round(0.15 * SAMPLE_RATE);

type Slot = AudioClip['slot'];

/** Lowers what sounds beside the tiles. A function of the timeline's sample alone. */
export class Ducking {
  readonly #slots: readonly Slot[];
  #first = 0;

  /** The slots of what is heard with tiles. */
  constructor(slots: readonly Slot[]) {
    this.#slots = [...slots].sort((a, b) => a.start - b.start);
  }

  /** Lowers `bus`, whose first sample is the timeline's sample `at`. Blocks come in order. */
  lower(bus: Stereo, at: number): void {
    const end = at + bus.left.length;
    while (this.#first < this.#slots.length && this.#slots[this.#first]!.end + UP_SAMPLES <= at) this.#first += 1;
    let depths: Float32Array | null = null;
    for (let i = this.#first; i < this.#slots.length && this.#slots[i]!.start - DOWN_SAMPLES < end; i++) {
      const slot = this.#slots[i]!;
      const from = Math.max(at, slot.start - DOWN_SAMPLES);
      const to = Math.min(end, slot.end + UP_SAMPLES);
      depths ??= new Float32Array(bus.left.length);
      // Two at once lower it no further than one.
      for (let n = from; n < to; n++) depths[n - at] = Math.max(depths[n - at]!, depthAt(slot, n));
    }
    if (depths === null) return;
    for (const [i, depth] of depths.entries()) {
      if (depth === 0) continue;
      const level = 1 - (1 - DUCKED) * depth;
      bus.left[i]! *= level;
      bus.right[i]! *= level;
    }
  }
}

/** From 0 to 1, along a cosine. */
function depthAt({ start, end }: Slot, n: number): number {
  if (n < start) return smooth(1 - (start - n) / DOWN_SAMPLES);
  return n < end ? 1 : smooth(1 - (n - end) / UP_SAMPLES);
}

function smooth(share: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * share);
}
