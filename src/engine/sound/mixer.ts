import { AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { type ChannelLayout, SoftwareResampleContext } from 'node-av/lib';
import { ExportError, type Issue } from '../../errors.ts';
import { type AudioClip, type AudioPlan, SOUND_BUSES } from '../../plan/model/audio-plan.ts';
import type { Adder } from '../../sound/clip-envelope.ts';
import { ClipSound } from '../../sound/clip-sound.ts';
import type { Stereo } from '../../sound/dsp/stereo.ts';
import type { SoundSource } from '../../sound/dsp/time-stretch.ts';
import { duckings } from '../../sound/ducking.ts';
import { KeptSound } from '../../sound/kept-sound.ts';
import { madeSound } from '../../sound/made-sounds.ts';
import { type Range, SAMPLE_RATE, sampleAtMicros } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { NoiseReducer } from './noise-reducer.ts';
import { channelBytes, STEREO_LAYOUT } from './planar-frame.ts';
import { SoundReader } from './sound-reader.ts';

interface Playing {
  readonly sound: ClipSound;
  /** The clip's index in the plan. */
  readonly index: number;
  /** Between its reader and its sound; null: there is no noise to reduce, undefined: not yet analysed. */
  reducer: NoiseReducer | null | undefined;
  /** Failures of its reader when it was lent, to find the clip that caused them. */
  failuresBefore: number;
  /** It is silent, because its file has no usable sound. */
  mute: boolean;
}

/**
 * Sums the clips of a plan, block by block in order of time. The cost of a block depends on the clips that sound in it,
 * not on those of the plan; nothing is scaled down. (R15)
 */
export class Mixer implements AsyncDisposable {
  readonly #clips: readonly { readonly clip: AudioClip; readonly index: number }[];
  readonly #pool: ReaderPool;
  readonly #signal: AbortSignal;
  readonly #warnings: Issue[] = [];
  /** The duckings of everything that was added before and with a bus. */
  readonly #duckings: ReturnType<typeof duckings>;
  #next = 0;
  #playing: Playing[] = [];

  /**
   * @param voice when there is voice on the timeline, in samples.
   * @param files by source index.
   */
  constructor(
    { clips, duckDb }: Pick<AudioPlan, 'clips' | 'duckDb'>,
    voice: readonly Range<number>[],
    files: ReadonlyMap<number, string>,
    limits: MediaLimits,
    signal: AbortSignal,
  ) {
    this.#clips = clips
      .map((clip, index) => ({ clip, index }))
      .sort((a, b) => a.clip.slot.start - b.clip.slot.start || a.index - b.index);
    this.#signal = signal;
    this.#pool = new ReaderPool(files, limits, signal);
    this.#duckings = duckings(clips, voice, duckDb);
  }

  /** Faults that did not stop the mix, each at its entry's path. */
  get warnings(): readonly Issue[] {
    return this.#warnings;
  }

  /**
   * Adds everything that sounds from the timeline's sample `at` on to `bus`.
   *
   * @throws the error of an unreadable file, at the path of the entry that needs it.
   */
  async addTo(bus: Stereo, at: number): Promise<void> {
    const end = at + bus.left.length;
    for (; this.#next < this.#clips.length && this.#clips[this.#next]!.clip.slot.start < end; this.#next++) {
      const { clip, index } = this.#clips[this.#next]!;
      if (clip.gain <= 0) continue;
      const sound = new ClipSound(clip, new BusAdder(clip.gain));
      this.#playing.push({ sound, index, reducer: undefined, failuresBefore: 0, mute: false });
    }
    let ended = false;
    const add = async (playing: Playing): Promise<void> => {
      if (playing.sound.end > at && !playing.mute) {
        const source = await this.#source(playing);
        if (source !== null) playing.sound.addTo(bus, at, source);
      }
      if (playing.sound.end <= end) {
        this.#finish(playing);
        ended = true;
      }
    };
    for (const name of SOUND_BUSES) {
      for (const playing of this.#playing) if (playing.sound.clip.bus === name) await add(playing);
      this.#duckings[name]?.lower(bus, at);
    }
    if (ended) this.#playing = this.#playing.filter(({ sound }) => sound.end > end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { sound, reducer } of this.#playing.splice(0)) {
      sound[Symbol.dispose]();
      reducer?.[Symbol.dispose]();
    }
    await this.#pool[Symbol.asyncDispose]();
  }

  async #source(playing: Playing): Promise<SoundSource | null> {
    const { source, denoise, trim } = playing.sound.clip;
    if (typeof source === 'string') return new KeptSound(madeSound(source));
    const reader = this.#pool.held(playing.index) ?? (await this.#borrow(playing, source));
    if (reader === null || !denoise) return reader;
    if (playing.reducer === undefined) {
      const range = { start: sampleAtMicros(trim.start), end: sampleAtMicros(trim.end) };
      playing.reducer = await NoiseReducer.open(reader, range, this.#signal);
    }
    // The pool may have closed the reader it had before.
    playing.reducer?.readFrom(reader);
    return playing.reducer ?? reader;
  }

  async #borrow(playing: Playing, source: number): Promise<SoundReader | null> {
    const { clip } = playing.sound;
    try {
      const reader = await this.#pool.borrow(playing.index, source);
      playing.failuresBefore = reader?.failures ?? 0;
      playing.mute = reader === null;
      return reader;
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      // Players show the picture of such a file in silence; where sound is all there is, they refuse it.
      if (error.code === 'sound.undecodable' && clip.lane === 'videos') {
        this.#warn(clip, 'sound.undecodable', 'The sound of this clip could not be decoded; it is silent.');
        playing.mute = true;
        return null;
      }
      throw new ExportError(error.kind, error.code, error.message, { path: clip.path, cause: error });
    }
  }

  #finish({ sound, index, reducer, failuresBefore }: Playing): void {
    sound[Symbol.dispose]();
    reducer?.[Symbol.dispose]();
    const reader = this.#pool.held(index);
    if (reader === null) return;
    if (reader.failures > failuresBefore) {
      this.#warn(sound.clip, 'sound.damaged', 'Parts of the sound of this clip are damaged; they are silent.');
    }
    this.#pool.giveBack(index);
  }

  #warn({ path }: AudioClip, code: string, message: string): void {
    if (this.#warnings.some((warning) => warning.path === path && warning.code === code)) return;
    this.#warnings.push({ path, code, message });
  }
}

/**
 * The two channels of the bus, then the two of the sound. libav's names of these four do not matter: the matrix
 * decides.
 */
const BUS_AND_SOUND: ChannelLayout = { nbChannels: 4, order: AV_CHANNEL_ORDER_NATIVE, mask: 0x33n };

/**
 * Adds sound at one gain to a bus. The sum is a mixing matrix of swresample, which has vector instructions for it: eight
 * times as fast as a loop in JavaScript.
 */
export class BusAdder implements Adder {
  readonly #context = new SoftwareResampleContext();

  constructor(gain: number) {
    const bus = [STEREO_LAYOUT, AV_SAMPLE_FMT_FLTP, SAMPLE_RATE] as const;
    const both = [BUS_AND_SOUND, AV_SAMPLE_FMT_FLTP, SAMPLE_RATE] as const;
    mustSucceed(this.#context.allocSetOpts2(...bus, ...both), 'swr_alloc_set_opts2');
    mustSucceed(this.#context.setMatrix([1, 0, gain, 0, 0, 1, 0, gain], 4), 'swr_set_matrix');
    mustSucceed(this.#context.init(), 'swr_init');
  }

  add(sound: Stereo, bus: Stereo): void {
    const count = sound.left.length;
    if (count === 0) return;
    const onto = channelBytes(bus);
    mustSucceed(this.#context.convertSync(onto, count, [...onto, ...channelBytes(sound)], count), 'swr_convert');
  }

  [Symbol.dispose](): void {
    this.#context.free();
  }
}

/**
 * Open files cost memory by their index; a timeline may sound in more places at once than is wise to hold open. Each part of a joined
 * file is one.
 */
const MAX_OPEN = 32;

/**
 * Lends readers to the clips that sound. A clip keeps its reader from block to block; a returned reader serves the next
 * clip of the same file, and beyond `MAX_OPEN` files the least recently used one is closed. A read never depends on
 * those before it, so any clip can use any reader of its file.
 */
export class ReaderPool implements AsyncDisposable {
  readonly #files: ReadonlyMap<number, string>;
  readonly #limits: MediaLimits;
  readonly #signal: AbortSignal;
  /** By borrower (`lent`), or null; the first entry was used least recently. */
  readonly #open: { source: number; borrower: number | null; readonly reader: SoundReader }[] = [];
  readonly #silent = new Set<number>();

  /** `files` by source index. */
  constructor(files: ReadonlyMap<number, string>, limits: MediaLimits, signal: AbortSignal) {
    this.#files = files;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** The reader `borrower` had last time, if it is still there. */
  held(borrower: number): SoundReader | null {
    const index = this.#open.findIndex((entry) => entry.borrower === borrower);
    if (index < 0) return null;
    const [entry] = this.#open.splice(index, 1);
    this.#open.push(entry!);
    return entry!.reader;
  }

  /**
   * A reader of `source` for `borrower`; null if that file has no sound.
   *
   * @throws the errors of `SoundReader.open`.
   */
  async borrow(borrower: number, source: number): Promise<SoundReader | null> {
    if (this.#silent.has(source)) return null;
    const index = this.#open.findIndex((entry) => entry.source === source && entry.borrower === null);
    if (index >= 0) {
      const [entry] = this.#open.splice(index, 1);
      entry!.borrower = borrower;
      this.#open.push(entry!);
      return entry!.reader;
    }
    const file = this.#files.get(source);
    if (file === undefined) throw new Error(`no file was given for source ${source}`);
    const reader = await SoundReader.open(file, this.#limits, this.#signal);
    if (reader === null) {
      this.#silent.add(source);
      return null;
    }
    while (this.#openFiles + reader.openFiles > MAX_OPEN && this.#open.length > 0) {
      await this.#open.shift()!.reader[Symbol.asyncDispose]();
    }
    this.#open.push({ source, borrower, reader });
    return reader;
  }

  /** Ends a loan; the reader waits for the next clip of its file. */
  giveBack(borrower: number): void {
    const entry = this.#open.find((candidate) => candidate.borrower === borrower);
    if (entry !== undefined) entry.borrower = null;
  }

  get #openFiles(): number {
    return this.#open.reduce((sum, { reader }) => sum + reader.openFiles, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { reader } of this.#open.splice(0)) await reader[Symbol.asyncDispose]();
  }
}
