import { REACH, waveAt } from './dsp/interpolation.ts';
import { type Stereo, StereoQueue, silentStereo, stereoView } from './dsp/stereo.ts';
import { type FrameGrid, JITTER_SECONDS, SoundLag } from './sound-lag.ts';

/** Decoded sound. The samples may be in the decoder's memory: they are valid until the next call of the stream. */
export interface DecodedSound {
  /** Its presentation timestamp, in samples at the stream's own rate from source time 0; it can be fractional. */
  readonly ptsSamples: number | null;
  /** Whether another part of a joined file begins here. */
  readonly newPart: boolean;
  readonly sound: Stereo;
}

/** A file's sound, frame by frame, with the times that its clock gives them. */
export interface ClockedSound {
  /** Samples a second of every frame. */
  readonly rate: number;
  /** Whether the file has a clock that its samples can drift against. */
  readonly drifts: boolean;
  /** Where frames begin, if all are of a length (or of multiples of one), the first possibly cut short. */
  readonly grid: FrameGrid;
  /** How many samples a tick of the file's clock lasts, which is also the error of its timestamps. */
  readonly tickSamples: number;
  /** Makes the next frame one that begins at or before `at`, if the stream goes back that far. */
  seek(at: number): void;
  /** The next frame, or null at the end. */
  next(): DecodedSound | null;
}

/**
 * Sound and its place: `at` counts samples at the stream's own rate from source time 0. The samples are valid until the
 * next call.
 */
export interface SoundBlock {
  readonly at: number;
  readonly sound: Stereo;
}

/** Samples per block when the sound is resampled. */
const MADE_AT_ONCE = 2048;

/**
 * The sound of a stream in step with its timestamps. Frames are counted, since most clocks are coarser than a sample; where
 * count and clock drift apart, the sound is resampled by as much, without a hole or a cut. (R21) Where timestamps leave a
 * gap, places do too.
 */
export class SteadySound {
  readonly #stream: ClockedSound;
  readonly #grid: FrameGrid;
  readonly #lag: SoundLag | null;
  /** Frames that follow each other without a gap, and the count of the first sample that is still here. */
  readonly #run = new StereoQueue();
  #runFrom = 0;
  /** The count of the next sample; null before the first. */
  #count: number | null = null;
  #at = 0;
  #from = 0;
  /** A frame that does not continue the run. It starts the next one. */
  #next: { readonly frame: DecodedSound; readonly count: number; readonly newClock: boolean } | null = null;
  #ended = false;
  readonly #made = silentStereo(MADE_AT_ONCE);

  /** `stream` stays the caller's. */
  constructor(stream: ClockedSound) {
    this.#stream = stream;
    this.#grid = stream.grid;
    this.#lag = stream.drifts ? new SoundLag(stream.rate, stream.grid) : null;
  }

  /** Makes the next block one that begins at or before `at`, if the stream goes back that far. */
  seek(at: number): void {
    this.#stream.seek(this.#lag === null ? at : Math.min(at, this.#lag.reachOf(at)));
    this.#lag?.restart(at);
    this.#run.clear();
    this.#count = null;
    this.#from = at;
    this.#next = null;
    this.#ended = false;
  }

  /** The next block, or null at the end. Places rise, but may leave gaps or overlap earlier blocks. */
  next(): SoundBlock | null {
    for (;;) {
      const block = this.#take();
      if (block !== null) return block;
      if (this.#next !== null) this.#begin(this.#next);
      else if (this.#ended) return null;
      else this.#receive(this.#stream.next());
    }
  }

  #receive(frame: DecodedSound | null): void {
    if (frame === null) {
      this.#ended = true;
      return;
    }
    const { ptsSamples, sound } = frame;
    if (sound.left.length === 0) return;
    if (ptsSamples !== null) this.#lag?.advance(ptsSamples);
    if (this.#count === null) {
      // A frame without a timestamp, and without a frame before it, has no place.
      if (ptsSamples !== null) this.#begin({ frame, count: this.#onGrid(ptsSamples), newClock: false });
      return;
    }
    const strayed = ptsSamples === null ? 0 : this.#strayed(ptsSamples, this.#count);
    if (ptsSamples === null || (strayed === 0 && !frame.newPart)) {
      this.#append(ptsSamples, sound);
      return;
    }
    const steps = Math.round(strayed / this.#grid.step) * this.#grid.step;
    // Missing frames leave a gap of their length, which is estimated from the clock.
    const missing = !frame.newPart && steps > 0 && Math.abs(strayed - steps) <= this.#stream.tickSamples + 1;
    this.#next = missing
      ? { frame: kept(frame), count: this.#count + steps, newClock: false }
      : { frame: kept(frame), count: Math.round(ptsSamples), newClock: true };
  }

  #begin({ frame, count, newClock }: { frame: DecodedSound; count: number; newClock: boolean }): void {
    this.#next = null;
    if (newClock) this.#lag?.startOver();
    this.#run.clear();
    this.#runFrom = count;
    this.#count = count;
    this.#at = Math.max(this.#from, Math.ceil(count + (this.#lag?.at(count) ?? 0)));
    this.#append(frame.ptsSamples, frame.sound);
  }

  #append(ptsSamples: number | null, sound: Stereo): void {
    if (ptsSamples !== null) this.#lag?.add(ptsSamples, this.#count!);
    this.#run.push(sound);
    this.#count! += sound.left.length;
  }

  /** How far a frame is from its place by count, if that is more than an unsteady clock explains. */
  #strayed(ptsSamples: number, count: number): number {
    if (this.#lag !== null) return this.#lag.strayed(ptsSamples, count);
    return Math.abs(ptsSamples - count) > JITTER_SECONDS * this.#stream.rate ? ptsSamples - count : 0;
  }

  /** After a seek a millisecond clock leaves a doubt of dozens of samples, which the frames' step settles. */
  #onGrid(ptsSamples: number): number {
    const { anchor, step } = this.#grid;
    const snapped = anchor + Math.round((ptsSamples - anchor) / step) * step;
    return Math.abs(snapped - ptsSamples) <= this.#stream.tickSamples + 1 ? snapped : Math.round(ptsSamples);
  }

  /** As much of the run as its lag is known for; null if more has to come. */
  #take(): SoundBlock | null {
    if (this.#count === null) return null;
    const isOver = this.#ended || this.#next !== null;
    const slope = this.#lag === null ? LEVEL : (this.#lag.slopeAt(this.#at) ?? (isOver ? this.#lag.last : null));
    if (slope === null) return null;
    const end = this.#lag?.endOf(slope) ?? Number.POSITIVE_INFINITY;
    const block = slope.from === slope.to ? this.#copy(slope.from, end) : this.#resample(slope, end, isOver);
    if (block !== null) this.#at += block.sound.left.length;
    return block;
  }

  /** Samples as they are, later by `lag`. */
  #copy(lag: number, end: number): SoundBlock | null {
    this.#at = Math.max(this.#at, this.#runFrom + lag);
    const at = this.#at;
    this.#forget(at - lag);
    const first = at - lag - this.#runFrom;
    const last = Math.min(this.#run.length, first + end - at);
    if (last <= first) return null;
    return { at, sound: stereoView(this.#run.peek(last), first, last) };
  }

  #resample(slope: { start: number; from: number; to: number }, end: number, isOver: boolean): SoundBlock | null {
    const at = this.#at;
    const lag = this.#lag!;
    this.#forget(at - lag.on(slope, at));
    const { left, right } = this.#run.peek(this.#run.length);
    const room = left.length - (isOver ? 1 : REACH);
    let made = 0;
    for (; made < MADE_AT_ONCE && at + made < end; made++) {
      const place = at + made - lag.on(slope, at + made) - this.#runFrom;
      if (place > room) break;
      this.#made.left[made] = waveAt(left, place);
      this.#made.right[made] = waveAt(right, place);
    }
    return made === 0 ? null : { at, sound: stereoView(this.#made, 0, made) };
  }

  /** Drops samples too far before `count` to be heard later. */
  #forget(count: number): void {
    const unused = Math.min(Math.floor(count) - REACH - this.#runFrom, this.#run.length);
    if (unused <= 0) return;
    this.#run.drop(unused);
    this.#runFrom += unused;
  }
}

const LEVEL = { start: Number.NEGATIVE_INFINITY, from: 0, to: 0 };

/** A copy of a frame, which stays valid after the next call of its stream. */
function kept({ ptsSamples, newPart, sound }: DecodedSound): DecodedSound {
  return { ptsSamples, newPart, sound: { left: sound.left.slice(), right: sound.right.slice() } };
}
