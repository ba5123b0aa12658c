import { ExportError, type Issue } from '../../errors.ts';
import { type AudioClip, type AudioPlan, SOUND_BUSES } from '../../plan/audio/audio-plan.ts';
import { ClipVoice } from '../../sound/clip-voice.ts';
import type { Stereo } from '../../sound/dsp/stereo.ts';
import type { SoundSource } from '../../sound/dsp/time-stretch.ts';
import { duckings } from '../../sound/ducking.ts';
import { KeptSound } from '../../sound/kept-sound.ts';
import { madeSound } from '../../sound/made-sounds.ts';
import { type Range, sampleAtMicros } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { BusAdder } from './bus-adder.ts';
import { NoiseReducer } from './noise-reducer.ts';
import { ReaderPool } from './reader-pool.ts';
import type { SoundReader } from './sound-reader.ts';

interface Playing {
  readonly voice: ClipVoice;
  /** The clip's index in the plan. */
  readonly index: number;
  /** Between its reader and its voice; null: there is no noise to reduce, undefined: not yet analysed. */
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
      const voice = new ClipVoice(clip, new BusAdder(clip.gain));
      this.#playing.push({ voice, index, reducer: undefined, failuresBefore: 0, mute: false });
    }
    let ended = false;
    const add = async (playing: Playing): Promise<void> => {
      if (playing.voice.end > at && !playing.mute) {
        const source = await this.#source(playing);
        if (source !== null) playing.voice.addTo(bus, at, source);
      }
      if (playing.voice.end <= end) {
        this.#finish(playing);
        ended = true;
      }
    };
    for (const name of SOUND_BUSES) {
      for (const playing of this.#playing) if (playing.voice.clip.bus === name) await add(playing);
      this.#duckings[name]?.lower(bus, at);
    }
    if (ended) this.#playing = this.#playing.filter(({ voice }) => voice.end > end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { voice, reducer } of this.#playing.splice(0)) {
      voice[Symbol.dispose]();
      reducer?.[Symbol.dispose]();
    }
    await this.#pool[Symbol.asyncDispose]();
  }

  async #source(playing: Playing): Promise<SoundSource | null> {
    const { source, denoise, window } = playing.voice.clip;
    if (typeof source === 'string') return new KeptSound(madeSound(source));
    const reader = this.#pool.held(playing.index) ?? (await this.#borrow(playing, source));
    if (reader === null || !denoise) return reader;
    if (playing.reducer === undefined) {
      const range = { start: sampleAtMicros(window.start), end: sampleAtMicros(window.end) };
      playing.reducer = await NoiseReducer.open(reader, range, this.#signal);
    }
    // The pool may have closed the reader it had before.
    playing.reducer?.readFrom(reader);
    return playing.reducer ?? reader;
  }

  async #borrow(playing: Playing, source: number): Promise<SoundReader | null> {
    const { clip } = playing.voice;
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

  #finish({ voice, index, reducer, failuresBefore }: Playing): void {
    voice[Symbol.dispose]();
    reducer?.[Symbol.dispose]();
    const reader = this.#pool.held(index);
    if (reader === null) return;
    if (reader.failures > failuresBefore) {
      this.#warn(voice.clip, 'sound.damaged', 'Parts of the sound of this clip are damaged; they are silent.');
    }
    this.#pool.giveBack(index);
  }

  #warn({ path }: AudioClip, code: string, message: string): void {
    if (this.#warnings.some((warning) => warning.path === path && warning.code === code)) return;
    this.#warnings.push({ path, code, message });
  }
}
