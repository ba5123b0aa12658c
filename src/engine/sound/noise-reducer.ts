import { setImmediate } from 'node:timers/promises';
import { AV_BUFFERSRC_FLAG_PUSH, AVERROR_EAGAIN } from 'node-av/constants';
import { type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import { type Stereo, StereoQueue, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import type { SoundSource } from '../../sound/dsp/time-stretch.ts';
import { type Range, SAMPLE_RATE } from '../../time.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { planarFrame, STEREO_LAYOUT } from './planar-frame.ts';

/** By how many decibels noise is lowered: clearly heard, and soft syllables stay. */
const REDUCTION_DB = 12;
/**
 * afftdn removes sound below its floor; noise reaches this far above its mean. It accepts floors from −80 to −20 dB.
 */
const PEAKS_DB = 9;
const FLOORS = { min: -80, max: -20 };
/** How many samples afftdn is late at 48 kHz. */
const DELAY = 1200;
const BLOCK = 4800;
/** How far back a time stretch may look, in samples. */
const KEPT = 2 * SAMPLE_RATE;

/**
 * A sound within its trim, with less noise, by FFmpeg's `afftdn`. Its filter first gets half a second of the noise alone,
 * then the trim from its start: the result of a read does not depend on earlier reads. (C80)
 */
export class NoiseReducer implements SoundSource, Disposable {
  #source: SoundSource;
  readonly #trim: Range<number>;
  readonly #noise: FoundNoise;
  #filter: NoiseFilter;
  /** The last output of the filter, from place `#keptAt` on. */
  readonly #kept = new StereoQueue();
  #keptAt: number;
  #fedTo: number;

  private constructor(source: SoundSource, trim: Range<number>, noise: FoundNoise) {
    this.#source = source;
    this.#trim = trim;
    this.#noise = noise;
    this.#filter = new NoiseFilter(noise);
    this.#keptAt = trim.start;
    this.#fedTo = trim.start;
  }

  /** @returns null if no part of the trim is noise alone: then there is none to reduce, or none to learn from. */
  static async open(source: SoundSource, trim: Range<number>, signal: AbortSignal): Promise<NoiseReducer | null> {
    const finder = new NoiseFinder();
    const room = silentStereo(SAMPLE_RATE);
    for (let at = trim.start; at < trim.end; at += SAMPLE_RATE) {
      signal.throwIfAborted();
      const block = stereoView(room, 0, Math.min(SAMPLE_RATE, trim.end - at));
      source.read(at, block);
      finder.push(block);
      await setImmediate();
    }
    const found = finder.find();
    if (found === null) return null;
    const sound = silentStereo(found.length);
    source.read(trim.start + found.at, sound);
    return new NoiseReducer(source, trim, { level: found.level, sound });
  }

  /** From now on it reads from another reader of the same file. */
  readFrom(source: SoundSource): void {
    this.#source = source;
  }

  read(at: number, into: Stereo): void {
    const end = at + into.left.length;
    if (at < this.#keptAt) this.#restart();
    while (this.#keptAt + this.#kept.length < end) {
      this.#feed();
      // On the way to a place far ahead, samples that will not be read are dropped.
      this.#drop(Math.min(at - this.#keptAt, this.#kept.length) - KEPT);
    }
    const skipped = at - this.#keptAt;
    const sound = this.#kept.peek(skipped + into.left.length);
    into.left.set(sound.left.subarray(skipped));
    into.right.set(sound.right.subarray(skipped));
    this.#drop(Math.min(skipped, this.#kept.length - KEPT));
  }

  [Symbol.dispose](): void {
    this.#filter[Symbol.dispose]();
  }

  #restart(): void {
    const filter = new NoiseFilter(this.#noise);
    this.#filter[Symbol.dispose]();
    this.#filter = filter;
    this.#kept.clear();
    this.#keptAt = this.#trim.start;
    this.#fedTo = this.#trim.start;
  }

  /** Behind the trim there is silence. */
  #feed(): void {
    const block = silentStereo(BLOCK);
    const there = Math.max(0, Math.min(BLOCK, this.#trim.end - this.#fedTo));
    this.#source.read(this.#fedTo, stereoView(block, 0, there));
    this.#fedTo += BLOCK;
    for (const sound of this.#filter.process(block)) this.#kept.push(sound);
  }

  #drop(count: number): void {
    if (count <= 0) return;
    this.#kept.drop(count);
    this.#keptAt += count;
  }
}

/**
 * The running filter, which has learnt the noise. It returns as many samples as it takes, with a delay, and none of the
 * noise it learnt from.
 */
class NoiseFilter implements Disposable {
  readonly #graph = new FilterGraph();
  readonly #input: FilterContext;
  readonly #output: FilterContext;
  #at = 0;
  #late: number;

  constructor({ level, sound }: FoundNoise) {
    const floor = Math.min(FLOORS.max, Math.max(FLOORS.min, level + PEAKS_DB));
    const source = `abuffer@in=sample_rate=${SAMPLE_RATE}:sample_fmt=fltp:channel_layout=stereo:time_base=1/${SAMPLE_RATE}`;
    const filters = `${source},afftdn@reduce=nr=${REDUCTION_DB}:nf=${floor.toFixed(2)},abuffersink@out`;
    this.#graph.alloc();
    try {
      mustSucceed(this.#graph.parse2(filters), filters);
      mustSucceed(this.#graph.configSync(), `configuring ${filters}`);
      this.#input = this.#graph.getFilter('abuffer@in')!;
      this.#output = this.#graph.getFilter('abuffersink@out')!;
      this.#late = sound.left.length + DELAY;
      this.#command('start');
      this.process(sound);
      this.#command('stop');
    } catch (error) {
      this.#graph.free();
      throw error;
    }
  }

  process(sound: Stereo): Stereo[] {
    const { frame, room } = planarFrame(STEREO_LAYOUT, SAMPLE_RATE, sound.left.length);
    room.left.set(sound.left);
    room.right.set(sound.right);
    frame.pts = BigInt(this.#at);
    this.#at += sound.left.length;
    const added = this.#input.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_PUSH);
    frame.free();
    mustSucceed(added, 'av_buffersrc_add_frame');
    return [...this.#pulled()];
  }

  [Symbol.dispose](): void {
    this.#graph.free();
  }

  *#pulled(): Generator<Stereo> {
    for (;;) {
      using frame = new Frame();
      frame.alloc();
      const got = this.#output.buffersinkGetFrameSync(frame);
      if (got === AVERROR_EAGAIN) return;
      mustSucceed(got, 'av_buffersink_get_frame');
      const [left, right] = frame.extendedData!.map((plane) =>
        new Float32Array(plane.buffer, plane.byteOffset, frame.nbSamples).slice(),
      );
      const skipped = Math.min(this.#late, frame.nbSamples);
      this.#late -= skipped;
      if (skipped < frame.nbSamples) yield { left: left!.subarray(skipped), right: right!.subarray(skipped) };
    }
  }

  #command(value: 'start' | 'stop'): void {
    const result = this.#graph.sendCommand('afftdn@reduce', 'sample_noise', value);
    if (typeof result === 'number') mustSucceed(result, `sample_noise ${value}`);
  }
}

/** Samples between two levels: 10 ms. */
const STEP = SAMPLE_RATE / 100;
/** A stretch that a filter can learn from: half a second, in levels. */
const STRETCH = 50;
/** In dB of full scale: quieter sound is not room noise. */
const SILENCE = -80;
/** How far noise is below the loudest, at least: otherwise it may be voice. */
const MIN_RANGE = 15;

/** Noise alone, and how loud it is in dB of full scale. */
interface FoundNoise {
  readonly level: number;
  readonly sound: Stereo;
}

/** Looks for the quietest half second of a sound that is not silence. */
class NoiseFinder {
  readonly #energies: number[] = [];
  #sum = 0;
  #count = 0;

  /** Takes the next samples. */
  push({ left, right }: Stereo): void {
    for (let i = 0; i < left.length; i++) {
      this.#sum += (left[i]! * left[i]! + right[i]! * right[i]!) / 2;
      this.#count += 1;
      if (this.#count < STEP) continue;
      this.#energies.push(this.#sum / STEP);
      this.#sum = 0;
      this.#count = 0;
    }
  }

  /** Its range in all samples so far; null if none is quiet enough compared with the rest. */
  find(): { readonly at: number; readonly length: number; readonly level: number } | null {
    const energies = this.#energies;
    const silence = 10 ** (SILENCE / 10);
    let best: { at: number; energy: number } | null = null;
    for (let at = 0; at + STRETCH <= energies.length; at += 5) {
      const stretch = energies.slice(at, at + STRETCH);
      if (stretch.some((energy) => energy < silence)) continue;
      const energy = stretch.reduce((sum, each) => sum + each, 0) / STRETCH;
      if (best === null || energy < best.energy) best = { at, energy };
    }
    if (best === null) return null;
    const loudest = energies.toSorted((a, b) => a - b)[Math.floor(0.99 * (energies.length - 1))]!;
    if (decibels(loudest) - decibels(best.energy) < MIN_RANGE) return null;
    return { at: best.at * STEP, length: STRETCH * STEP, level: decibels(best.energy) };
  }
}

function decibels(energy: number): number {
  return 10 * Math.log10(energy);
}
