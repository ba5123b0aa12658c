import { AV_NOPTS_VALUE } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { type Micros, micros } from '../../time.ts';
import { identifyMedia, isHeifContainer } from '../input/identify-media.ts';
import { type JoinedPart, joinedParts } from '../input/joined-parts.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import type { SourceClock } from '../input/source-clock.ts';
import type { FrameSource, PictureStream } from './frame-source.ts';
import { HeifDecoder } from './heif-decoder.ts';
import { MaskedFrames } from './masked-frames.ts';
import { PictureDecoder, type PictureDecoderOptions } from './picture-decoder.ts';
import { factTags, laterFacts, type PictureFacts, pictureFacts } from './picture-facts.ts';

/** Going ahead by this much, it pays to look which frames can be left out. */
const SKIP_AHEAD_MICROS = 150_000;
/** A jump of this much is faster with a seek than with reading. */
const SEEK_AHEAD_MICROS = 10_000_000;
/** The first step back where a seek landed behind its target; each further one is twice as long. */
const STEP_BACK_MICROS = 500_000;

/** With a longer step than this, in lengths of a field, whole frames look smoother. */
const MAX_FIELDS_PER_STEP = 1.5;

/** A decoded frame and the source time from which it is shown. */
interface Shown {
  readonly frame: Frame;
  time: number;
}

/**
 * Returns the frame a file shows at a source time. (R5) Source time 0 is the file's `presentationStart`. For ascending
 * times it decodes each frame once; for earlier or much later times it seeks. In both cases the result depends only on
 * the file and the time. (R4) Stills and animations work the same; the caller restarts an animation.
 */
export class PictureReader implements AsyncDisposable {
  /** As the first frame shows them. */
  readonly picture: PictureFacts;
  readonly #decoder: FrameSource;
  /** Two frames are enough: they swap roles. */
  readonly #frames: readonly [Shown, Shown];
  /** The frame that was returned last. */
  #current: Shown;
  /** The one after it, or null at the end of the file. */
  #upcoming: Shown | null;
  /** Where the picture begins in source time: not at 0 if the sound begins before it. */
  readonly #firstTime: number;
  /** Whether `#current` is the first frame, which is also shown at all times before it. */
  #atFirst = true;
  #facts: { readonly tags: string; readonly facts: PictureFacts };

  /** @param frames the first holds the file's first frame. */
  private constructor(decoder: FrameSource, frames: readonly [Shown, Shown]) {
    this.#decoder = decoder;
    this.#frames = frames;
    this.#current = frames[0];
    this.#upcoming = null;
    this.#firstTime = this.#current.time;
    this.picture = pictureFacts(decoder.stream, this.#current.frame);
    this.#facts = { tags: factTags(this.#current.frame), facts: this.picture };
  }

  /**
   * Opens the file and decodes its first frame.
   *
   * @throws the errors of `openInput`, and `media.no_frames` if no frame can be decoded.
   */
  static async open(file: string, limits: MediaLimits, options: PictureDecoderOptions): Promise<PictureReader> {
    const decoder = await openFrames(file, limits, options);
    const frames = [allocate(), allocate()] as const;
    try {
      if (!(await advance(decoder, frames[0]))) {
        throw new ExportError('invalid', 'media.no_frames', 'The file’s picture could not be decoded.');
      }
      const reader = new PictureReader(decoder, frames);
      await reader.#decodeUpcoming();
      return reader;
    } catch (error) {
      for (const { frame } of frames) frame.free();
      await decoder[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Packets that could not be decoded so far. Their content is concealed or missing, as in a player. */
  get brokenPackets(): number {
    return this.#decoder.brokenPackets;
  }

  /**
   * The last frame whose timestamp is at or before `at`; the first frame before that, the last one after the end. (R5)
   *
   * One call at a time.
   *
   * @returns a frame that stays the reader's: read or reference it before the next call, do not change or free it.
   */
  async frameAt(at: Micros): Promise<Frame> {
    const { clock } = this.#decoder;
    if (!clock.isDue(this.#current.time, at) && !this.#atFirst) await this.#restartBefore(at);
    else if (this.#upcoming !== null && this.#decoder.seekable) await this.#skipTowards(at, this.#upcoming);
    while (this.#upcoming !== null && clock.isDue(this.#upcoming.time, at)) {
      this.#current = this.#upcoming;
      this.#atFirst = false;
      await this.#decodeUpcoming();
    }
    return this.#current.frame;
  }

  /** The properties of the last returned frame. (R23) */
  get facts(): PictureFacts {
    const { frame } = this.#current;
    const tags = factTags(frame);
    if (tags !== this.#facts.tags) {
      this.#facts = { tags, facts: laterFacts(this.picture, this.#decoder.stream, frame) };
    }
    return this.#facts.facts;
  }

  /**
   * The field of the last returned frame that is shown at `at`; always the first if the frame is not interlaced. The
   * second one is due half-way to the next frame, and shown only if a caller with this `step` in microseconds has
   * enough frames for it.
   */
  fieldAt(at: Micros, step: Micros): 'first' | 'second' {
    if (!this.facts.interlaced) return 'first';
    const half = this.#frameInterval() / 2;
    return step <= half * MAX_FIELDS_PER_STEP && this.#decoder.clock.isDue(this.#current.time + half, at)
      ? 'second'
      : 'first';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { frame } of this.#frames) frame.free();
    await this.#decoder[Symbol.asyncDispose]();
  }

  /** Until the next frame; after the last one, its duration by the file. */
  #frameInterval(): number {
    const { frame, time } = this.#current;
    if (this.#upcoming !== null) return this.#upcoming.time - time;
    const { num, den } = this.#decoder.stream.timeBase;
    return (Number(frame.duration) * num * 1_000_000) / den;
  }

  /** If `at` is far ahead, skips as many frames between as it can. */
  async #skipTowards(at: Micros, upcoming: Shown): Promise<void> {
    const distance = at - upcoming.time;
    if (distance < SKIP_AHEAD_MICROS) return;
    // Where key frames are far apart a seek may well lead back to the one behind us, and all would be decoded again.
    if (distance > Math.max(SEEK_AHEAD_MICROS, 2 * (upcoming.time - this.#decoder.lastKey)))
      return this.#restartBefore(at);
    if (!this.#decoder.skipTo(at)) return;
    // Decoding cannot start at a broken key frame.
    if (!(await advance(this.#decoder, this.#current)) || !this.#decoder.clock.isDue(this.#current.time, at)) {
      return this.#restartBefore(at);
    }
    this.#atFirst = false;
    await this.#decodeUpcoming();
  }

  /** Decodes the next frame into the object that is not the current one. */
  async #decodeUpcoming(): Promise<void> {
    const other = this.#frames[this.#current === this.#frames[0] ? 1 : 0];
    this.#upcoming = (await advance(this.#decoder, other)) ? other : null;
  }

  /** Restarts decoding at a frame that is due at `at`, or at the first frame of the file if none is. */
  async #restartBefore(at: Micros): Promise<void> {
    if (!(await this.#seekBefore(at))) {
      await this.#decoder.rewind();
      if (!(await advance(this.#decoder, this.#current))) throw new Error('a file that could be decoded no longer can');
    }
    this.#atFirst = this.#current.time <= this.#firstTime;
    await this.#decodeUpcoming();
  }

  /** Whether seeking led to such a frame, which is then the current one. */
  async #seekBefore(at: Micros): Promise<boolean> {
    for (let back = 0; this.#decoder.seekable; back = back * 2 || STEP_BACK_MICROS) {
      const target = Math.max(at - back, this.#firstTime);
      await this.#decoder.seek(target);
      // Containers seek by decoding time, by guess or to a frame that refers to earlier ones: see where it led.
      if (await advance(this.#decoder, this.#current)) {
        const { time } = this.#current;
        if (this.#decoder.clock.isDue(time, at) || time <= this.#firstTime) return true;
      }
      if (target === this.#firstTime) break;
    }
    return false;
  }
}

async function openFrames(file: string, limits: MediaLimits, options: PictureDecoderOptions): Promise<FrameSource> {
  const { container } = await identifyMedia(file, limits);
  if (isHeifContainer(container)) return HeifDecoder.open(file, limits, options);
  const parts = options.part === undefined ? await joinedParts(file, limits) : null;
  if (parts !== null) return JoinedFrames.open(file, parts, limits, options);
  const colors = await PictureDecoder.open(file, limits, options);
  if (colors.input.alpha === null) return colors;
  try {
    return new MaskedFrames(colors, await PictureDecoder.open(file, limits, { ...options, plane: 'alpha' }));
  } catch (error) {
    await colors[Symbol.asyncDispose]();
    throw error;
  }
}

function allocate(): Shown {
  const frame = new Frame();
  frame.alloc();
  return { frame, time: 0 };
}

/** Decodes the next frame into `into`; false at the end. */
async function advance(decoder: FrameSource, into: Shown): Promise<boolean> {
  const time = await decoder.next(into.frame);
  into.time = time ?? Number.POSITIVE_INFINITY;
  return time !== null;
}

/** The pictures of a file that was joined from several, one part open at a time. (R21) */
class JoinedFrames implements FrameSource {
  readonly clock: SourceClock;
  readonly #parts: readonly JoinedPart[];
  readonly #open: (part: JoinedPart) => Promise<PictureDecoder>;
  #decoder: PictureDecoder;
  #index = 0;
  /** Of the parts that are closed. */
  #broken = 0;

  private constructor(
    parts: readonly JoinedPart[],
    decoder: PictureDecoder,
    open: (part: JoinedPart) => Promise<PictureDecoder>,
  ) {
    this.#parts = parts;
    this.#decoder = decoder;
    this.#open = open;
    this.clock = decoder.clock;
  }

  /** @throws the errors of `PictureDecoder.open`. */
  static async open(
    file: string,
    parts: readonly JoinedPart[],
    limits: MediaLimits,
    options: PictureDecoderOptions,
  ): Promise<JoinedFrames> {
    const open = (part: JoinedPart) => PictureDecoder.open(file, limits, { ...options, part });
    const shown = parts.filter(({ hasPicture }) => hasPicture);
    return new JoinedFrames(shown, await open(shown[0] ?? parts[0]!), open);
  }

  get stream(): PictureStream {
    return this.#decoder.stream;
  }

  get brokenPackets(): number {
    return this.#broken + this.#decoder.brokenPackets;
  }

  get seekable(): boolean {
    return this.#decoder.seekable;
  }

  get lastKey(): number {
    return this.#start + this.#decoder.lastKey;
  }

  async next(frame: Frame): Promise<number | null> {
    for (;;) {
      const time = await this.#decoder.next(frame);
      if (time !== null) {
        this.#retime(frame);
        return this.#start + time;
      }
      if (this.#index + 1 >= this.#parts.length) return null;
      await this.#enter(this.#index + 1);
    }
  }

  skipTo(at: Micros): boolean {
    const next = this.#parts[this.#index + 1];
    if (next !== undefined && at >= next.start) return false;
    return this.#decoder.skipTo(micros(Math.max(0, at - this.#start)));
  }

  async seek(at: number): Promise<void> {
    const index = Math.max(
      0,
      this.#parts.findLastIndex(({ start }) => start <= at),
    );
    if (index !== this.#index) await this.#enter(index);
    await this.#decoder.seek(at - this.#start);
  }

  async rewind(): Promise<void> {
    if (this.#index === 0) await this.#decoder.rewind();
    else await this.#enter(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#decoder[Symbol.asyncDispose]();
  }

  get #start(): number {
    return this.#parts[this.#index]!.start;
  }

  async #enter(index: number): Promise<void> {
    const decoder = await this.#open(this.#parts[index]!);
    this.#broken += this.#decoder.brokenPackets;
    await this.#decoder[Symbol.asyncDispose]();
    this.#decoder = decoder;
    this.#index = index;
  }

  /** Frames are identified by their timestamps, which are those of the part. */
  #retime(frame: Frame): void {
    const { num, den } = this.stream.timeBase;
    const ticks = BigInt(Math.round((this.#start * den) / (num * 1_000_000)));
    if (frame.pts !== AV_NOPTS_VALUE) frame.pts += ticks;
    if (frame.pktDts !== AV_NOPTS_VALUE) frame.pktDts += ticks;
  }
}
