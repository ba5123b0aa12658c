import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { type Micros, micros } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import type { JoinedPart } from '../input/parts/joined-parts.ts';
import type { SourceClock } from '../input/source-clock.ts';
import type { FrameSource, PictureStream } from './frame-source.ts';
import { PictureDecoder, type PictureDecoderOptions } from './picture-decoder.ts';

/** The pictures of a file that was joined from several, one part open at a time. (R21) */
export class JoinedFrames implements FrameSource {
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
