import type { AudioClip } from '../../plan/render-plan.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { BusAdder } from './bus-adder.ts';
import { type Stereo, stereoView } from './dsp/stereo.ts';

/** Every sound comes and goes within this many samples at least: 5 ms. (R15) */
export const EDGE_SAMPLES = Math.round(0.005 * SAMPLE_RATE);

/**
 * The level of a clip over its length: its gain, the 5 ms at each edge against clicks, and the fades asked for (C36).
 *
 * Asked-for fades follow a sine, so that two overlapping clips, one fading out while the other fades in, keep their power.
 */
export class ClipEnvelope implements Disposable {
  readonly #heard: number;
  readonly #slot: number;
  readonly #gain: number;
  readonly #edge: number;
  readonly #fadeIn: number;
  readonly #fadeOut: number;
  readonly #steady: BusAdder;

  /**
   * All in samples. Edges are those of what is heard; fades belong to the slot, as those of the picture do, even where the
   * sound ends before it.
   */
  constructor(heard: number, clip: Pick<AudioClip, 'slot' | 'gain' | 'fadeIn' | 'fadeOut'>) {
    this.#heard = heard;
    this.#slot = clip.slot.end - clip.slot.start;
    this.#gain = clip.gain;
    this.#edge = Math.min(EDGE_SAMPLES, Math.floor(heard / 2));
    this.#fadeIn = clip.fadeIn;
    this.#fadeOut = clip.fadeOut;
    this.#steady = new BusAdder(clip.gain);
  }

  /** Adds `sound`, whose first sample is the clip's sample `at`, at its level to `bus` from sample `busFrom` on. */
  mix(sound: Stereo, at: number, bus: Stereo, busFrom: number): void {
    const count = sound.left.length;
    const steadyFrom = Math.max(this.#edge, this.#fadeIn) - at;
    const steadyTo = Math.min(this.#heard - this.#edge, this.#slot - this.#fadeOut) - at;
    const from = Math.min(count, Math.max(0, steadyFrom));
    const to = Math.max(from, Math.min(count, steadyTo));
    this.#mixFading(sound, at, bus, busFrom, 0, from);
    this.#steady.add(stereoView(sound, from, to), stereoView(bus, busFrom + from, busFrom + to));
    this.#mixFading(sound, at, bus, busFrom, to, count);
  }

  /** The level at one sample of the clip; as many samples from the end as from the beginning, it is the same. */
  levelAt(place: number): number {
    const after = place + 0.5;
    const heardBefore = this.#heard - after;
    const slotBefore = this.#slot - after;
    if (after < 0 || heardBefore < 0) return 0;
    let level = this.#gain;
    if (after < this.#edge) level *= after / this.#edge;
    if (heardBefore < this.#edge) level *= heardBefore / this.#edge;
    if (after < this.#fadeIn) level *= Math.sin((Math.PI / 2) * (after / this.#fadeIn));
    if (slotBefore < this.#fadeOut) level *= Math.sin((Math.PI / 2) * (slotBefore / this.#fadeOut));
    return level;
  }

  [Symbol.dispose](): void {
    this.#steady[Symbol.dispose]();
  }

  #mixFading(sound: Stereo, at: number, bus: Stereo, busFrom: number, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const level = this.levelAt(at + i);
      bus.left[busFrom + i]! += level * sound.left[i]!;
      bus.right[busFrom + i]! += level * sound.right[i]!;
    }
  }
}
