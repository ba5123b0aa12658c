import { clipPass, passAt } from '../plan/frame/clip-pass.ts';
import { EDGE_SAMPLES } from '../plan/frame/sound-envelope.ts';
import type { AudioClip } from '../plan/model/audio-plan.ts';
import { type Adder, ClipEnvelope } from './clip-envelope.ts';
import { type Stereo, silentStereo, stereoView } from './dsp/stereo.ts';
import { type SoundSource, TimeStretch } from './dsp/time-stretch.ts';

const NORMAL_SPEED = 1_000_000;
/** How much further than the due place a stretch may look, in samples of the source. */
const STRETCH_REACH = 24_000;

/**
 * The sound of one clip of the plan: its trim at its speed, repeated if it loops, under its envelope, from the first
 * sample of its slot to the last. Blocks are read in order, from anywhere in the slot.
 */
export class ClipSound implements Disposable {
  readonly clip: AudioClip;
  /** The sample of the timeline behind the last one that can be heard. */
  readonly end: number;
  readonly #from: number;
  readonly #to: number;
  readonly #envelope: ClipEnvelope;
  readonly #seam: LoopSeam | null;
  #stretch: TimeStretch | null = null;
  #scratch = silentStereo(0);
  readonly #last = silentStereo(1);

  /** @param steady adds at the clip's gain; this sound owns it. */
  constructor(clip: AudioClip, steady: Adder) {
    const { from, to, heard } = clipPass(clip);
    this.clip = clip;
    this.#from = from;
    this.#to = to;
    this.end = clip.slot.start + heard;
    this.#envelope = new ClipEnvelope(heard, clip, steady);
    this.#seam = clip.loop ? new LoopSeam() : null;
  }

  /** Adds the audible part of the clip to `bus`, whose first sample is the timeline's sample `busAt`. */
  addTo(bus: Stereo, busAt: number, source: SoundSource): void {
    const from = Math.max(busAt, this.clip.slot.start);
    const to = Math.min(busAt + bus.left.length, this.end);
    if (to <= from) return;
    const sound = this.#room(to - from);
    const at = from - this.clip.slot.start;
    this.#play(sound, at, source);
    this.#envelope.mix(sound, at, bus, from - busAt);
  }

  /**
   * The part of the source that is read to play the timeline's samples from `from` to `to`, within one pass: a source
   * that is read in order can be prepared for each pass.
   */
  need(from: number, to: number): { readonly until: number; readonly from: number; readonly to: number } {
    const at = from - this.clip.slot.start;
    const { start, end } = passAt(this.clip, at);
    const place = at - start;
    const count = Math.min(to - from, end - at);
    const due = this.#due(place);
    const until = from + count;
    if (this.clip.speed === NORMAL_SPEED) return { until, from: due, to: due + count };
    const read = Math.ceil((count * this.clip.speed) / NORMAL_SPEED);
    return {
      until,
      from: Math.max(this.#from, due - STRETCH_REACH),
      to: Math.min(this.#to, due + read + STRETCH_REACH),
    };
  }

  [Symbol.dispose](): void {
    this.#envelope[Symbol.dispose]();
  }

  #play(sound: Stereo, at: number, source: SoundSource): void {
    for (let done = 0; done < sound.left.length; ) {
      const { pass, start, end } = passAt(this.clip, at + done);
      const place = at + done - start;
      const count = Math.min(sound.left.length - done, end - at - done);
      const part = stereoView(sound, done, done + count);
      this.#playPass(part, place, source);
      this.#seam?.smooth(part, pass, place);
      done += count;
    }
  }

  #playPass(part: Stereo, place: number, source: SoundSource): void {
    if (this.clip.speed === NORMAL_SPEED) {
      this.#readHeld(part, this.#due(place), source);
      return;
    }
    // Entered in the middle, a stretch begins there: it sounds the same, but is not the same to the sample.
    if (place === 0 || this.#stretch === null) {
      this.#stretch = new TimeStretch(this.#due(place), this.#to, this.clip.speed);
    }
    this.#stretch.read(source, part);
  }

  /** Reads within the trim. A pass may be a sample longer than it: the last one is then held. */
  #readHeld(part: Stereo, from: number, source: SoundSource): void {
    const count = part.left.length;
    const there = Math.min(count, Math.max(0, this.#to - from));
    source.read(from, stereoView(part, 0, there));
    for (const side of ['left', 'right'] as const) {
      if (there > 0) this.#last[side][0] = part[side][there - 1]!;
      part[side].fill(this.#last[side][0]!, there);
    }
  }

  /** The source's sample that a place in a pass plays. */
  #due(place: number): number {
    return this.#from + Math.round((place * this.clip.speed) / NORMAL_SPEED);
  }

  #room(length: number): Stereo {
    if (this.#scratch.left.length < length) this.#scratch = silentStereo(length);
    return stereoView(this.#scratch, 0, length);
  }
}

/**
 * Joins the passes of a loop without a click, a dip or a shift in time: where the next pass does not begin at the level at
 * which the last one left off, the difference is added to it and dies away over 5 ms. A loop that fits stays untouched.
 */
class LoopSeam {
  readonly #left = new SeamSide();
  readonly #right = new SeamSide();

  /** Call it with everything that is played, in order; `pass` counts from 0 and `at` from the beginning of the pass. */
  smooth(sound: Stereo, pass: number, at: number): void {
    this.#left.smooth(sound.left, pass, at);
    this.#right.smooth(sound.right, pass, at);
  }
}

class SeamSide {
  #last = 0;
  #lastButOne = 0;
  #step = 0;

  smooth(samples: Float32Array, pass: number, at: number): void {
    if (samples.length === 0) return;
    if (at === 0) this.#step = pass === 0 ? 0 : this.#stepTo(samples[0]!);
    const end = Math.min(samples.length, EDGE_SAMPLES - at);
    if (this.#step !== 0) for (let i = 0; i < end; i++) samples[i]! -= this.#step * (1 - (at + i) / EDGE_SAMPLES);
    this.#lastButOne = samples.length > 1 ? samples[samples.length - 2]! : this.#last;
    this.#last = samples[samples.length - 1]!;
  }

  /** How far `next` is from the continuation of the wave, or from its last value, whichever is nearer. */
  #stepTo(next: number): number {
    const fromHeld = next - this.#last;
    const fromHeading = fromHeld - (this.#last - this.#lastButOne);
    return Math.abs(fromHeading) < Math.abs(fromHeld) ? fromHeading : fromHeld;
  }
}
