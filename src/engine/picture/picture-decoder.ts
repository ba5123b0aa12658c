import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_MPEG2VIDEO,
  AV_CODEC_ID_MPEG4,
  AV_CODEC_ID_VP8,
  AV_FRAME_FLAG_CORRUPT,
  AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL,
  type AVCodecID,
  AVDISCARD_ALL,
  AVDISCARD_DEFAULT,
  AVDISCARD_NONREF,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVERROR_INVALIDDATA,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, CodecContext, Dictionary, type Frame, type Packet, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { vpxSizes } from '../../image-header/vpx-sizes.ts';
import type { Micros } from '../../time.ts';
import { isConvertible } from '../color/picture-color.ts';
import { CODEC_WHITELIST, findDecoder, hasSideAlpha } from '../input/find-decoder.ts';
import type { FilePart } from '../input/find-parts.ts';
import { type InputFile, type PicturePlane, READ_ERRORS_IN_A_ROW } from '../input/input-file.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { openInput } from '../input/open-input.ts';
import { presentationStart } from '../input/presentation-start.ts';
import { SourceClock } from '../input/source-clock.ts';
import { libavCause, mustSucceed, requireMemory } from '../libav/libav-call.ts';
import type { FrameSource } from './frame-source.ts';
import { PicturePackets } from './picture-packets.ts';

/** How a decoder is opened. */
export interface PictureDecoderOptions {
  /** Decoding threads; 0 (the default) lets libav take one a core. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  /** Reads these bytes alone, as a file. */
  readonly part?: FilePart;
  /** Which picture of the file. */
  readonly plane?: PicturePlane;
  /** Whether a frame that lacks pixels counts as broken. Otherwise it is returned, as players show it. */
  readonly whole?: boolean;
}

/**
 * Decodes one file's picture, forward from the beginning or from a key frame. Owns demuxer, decoder and packets. Frames
 * that a decoder starting in mid-stream cannot decode correctly (those that refer to earlier frames) are never
 * returned, so a frame is bit for bit the same wherever decoding began. (R4)
 */
export class PictureDecoder implements FrameSource {
  readonly clock: SourceClock;
  readonly #open: () => Promise<InputFile>;
  readonly #options: PictureDecoderOptions;
  readonly #limits: MediaLimits;
  readonly #origin: Micros;
  #input: InputFile;
  #packets: PicturePackets;
  #codec: PictureCodec;
  #ended = false;
  /** Whether the decoder has received the end of packets. */
  #drained = false;
  #broken = 0;
  /** Whether decoding began with the file's first packet rather than at some key frame. */
  #fromStart = true;
  /** Source time of the frame decoding began at; null until its packet is seen. */
  #first: number | null = null;
  /** Whether a frame that can be trusted has come since decoding began. */
  #clean = false;
  #lastTime = 0;
  /** How much later than its timestamp a frame without one is decoded; null until the first frame shows it. */
  #decodingDelay: number | null = null;
  /** Frames before this source time are not needed. */
  #wantedFrom = Number.NEGATIVE_INFINITY;

  private constructor(
    input: InputFile,
    codec: PictureCodec,
    open: () => Promise<InputFile>,
    limits: MediaLimits,
    options: PictureDecoderOptions,
  ) {
    this.#input = input;
    this.#codec = codec;
    this.#open = open;
    this.#limits = limits;
    this.#options = options;
    this.#origin = presentationStart(input);
    this.clock = new SourceClock(this.stream.timeBase, this.#origin);
    this.#packets = new PicturePackets(input, this.clock);
  }

  /** @throws the errors of `openInput`, and `media.no_frames` if there is no picture that can be decoded. */
  static async open(file: string, limits: MediaLimits, options: PictureDecoderOptions): Promise<PictureDecoder> {
    const open = async () => {
      const input = await openInput(file, limits, options.signal, options.part, options.plane);
      if (input.audio !== null) input.audio.discard = AVDISCARD_ALL;
      return input;
    };
    const input = await open();
    try {
      return new PictureDecoder(input, await PictureCodec.open(input, limits, options), open, limits, options);
    } catch (error) {
      await input[Symbol.asyncDispose]();
      throw error;
    }
  }

  get stream(): Stream {
    return this.#input.video!;
  }

  get input(): InputFile {
    return this.#input;
  }

  /** Packets that could not be read or decoded so far, those met again after a seek counted again. */
  get brokenPackets(): number {
    return this.#broken + this.#packets.broken;
  }

  /** Whether decoding can begin in mid-file. In animations every frame is painted over the one before. */
  get seekable(): boolean {
    return !this.#input.still && !this.#input.animation;
  }

  /**
   * Decodes the next frame in presentation order into `frame`, which is emptied first.
   *
   * @returns its source time, or null at the end.
   */
  async next(frame: Frame): Promise<number | null> {
    frame.unref();
    let errors = 0;
    while (!this.#ended) {
      const result = await this.#codec.receive(frame);
      if (result >= 0) {
        const time = this.#accept(frame);
        if (time !== null) return time;
        frame.unref();
      } else if (result === AVERROR_EOF) {
        this.#ended = true;
      } else if (result === AVERROR_EAGAIN) {
        this.#options.signal?.throwIfAborted();
        if (this.#drained) this.#ended = true;
        else await this.#feed();
      } else {
        this.#countBroken(result, 'avcodec_receive_frame');
        // For a truncated file, libjxl returns errors forever and never the end.
        errors++;
        if (this.#drained && errors >= READ_ERRORS_IN_A_ROW) this.#ended = true;
      }
    }
    return null;
  }

  /** The source time of the latest key frame that was read, decoded or not. */
  get lastKey(): number {
    return this.#packets.lastKey;
  }

  /**
   * Declares that no frame before the one due at `at` is needed. Skips everything that does not affect later frames:
   * all in front of a key frame, and frames no other refers to.
   *
   * @returns whether decoding restarts, at a key frame due at `at`; otherwise it goes on.
   */
  skipTo(at: Micros): boolean {
    if (!this.#ordered) return false;
    const { lastDue, atKey } = this.#packets.skipTo(at);
    if (atKey) {
      this.#codec.flush();
      this.#restarted();
      this.#fromStart = false;
    }
    this.#wantedFrom = lastDue ?? this.#wantedFrom;
    return atKey;
  }

  /**
   * Continues at the last key frame at or before source time `at`, according to the container; `next` may still begin
   * later, which the caller must check.
   */
  async seek(at: number): Promise<void> {
    const timestamp = BigInt(Math.floor(at)) + BigInt(this.#origin);
    const result = await this.#input.seekPicture(timestamp);
    if (result < 0) return this.rewind();
    this.#packets.clear();
    this.#codec.flush();
    this.#restarted();
    this.#fromStart = false;
  }

  /** Starts over, from the file's first packet, whether or not its container can seek. */
  async rewind(): Promise<void> {
    const input = await this.#open();
    const codec = await PictureCodec.open(input, this.#limits, this.#options).catch(async (error) => {
      await input[Symbol.asyncDispose]();
      throw error;
    });
    this.#broken += this.#packets.broken;
    await this[Symbol.asyncDispose]();
    this.#input = input;
    this.#codec = codec;
    this.#packets = new PicturePackets(input, this.clock);
    this.#restarted();
    this.#fromStart = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#packets[Symbol.dispose]();
    this.#codec[Symbol.dispose]();
    await this.#input[Symbol.asyncDispose]();
  }

  #restarted(): void {
    this.#ended = false;
    this.#drained = false;
    this.#first = null;
    this.#clean = false;
    this.#lastTime = 0;
    this.#wantedFrom = Number.NEGATIVE_INFINITY;
  }

  /** Sends one packet of the picture, or the end of the file, to the decoder. */
  async #feed(): Promise<void> {
    let next = this.#packets.next();
    // In mid-file decoding begins with a key frame. A file's own first frame may lack the mark of a key frame.
    while (!this.#fromStart && this.#first === null && next !== null && !next.key) next = this.#packets.next();
    if (next === null) {
      await this.#codec.finish();
      this.#drained = true;
      return;
    }
    this.#first ??= next.time ?? 0;
    const sent = await this.#codec.send(next.packet, next.time !== null && next.time < this.#wantedFrom);
    if (sent < 0) this.#countBroken(sent, 'avcodec_send_packet');
  }

  /** The frame's source time, or null if it must not be shown. */
  #accept(frame: Frame): number | null {
    if (!isConvertible(avGetPixFmtName(frame.format as AVPixelFormat) ?? '')) {
      this.#broken++;
      return null;
    }
    const time = this.#timeOf(frame);
    if (!this.#clean) {
      // Frames shown before the one decoding began at refer to others that are not there.
      if (time < this.#first! || frame.hasFlags(AV_FRAME_FLAG_CORRUPT)) return null;
      this.#clean = true;
    }
    // Cameras append previews and second views to a still; it is its first picture all the same.
    this.#ended = this.#input.still;
    this.#lastTime = Math.max(time, this.#lastTime);
    return this.#lastTime;
  }

  /** A decoder's own best guess depends on earlier frames, and so on where decoding began: it is not used. */
  #timeOf(frame: Frame): number {
    const presented = this.#ordered ? this.clock.sourceTime(frame.pts) : null;
    if (presented !== null) return presented;
    const decoded = this.clock.sourceTime(frame.pktDts);
    if (decoded === null) return this.#lastTime + this.#frameInterval();
    this.#decodingDelay ??= decoded - this.#first!;
    return decoded - this.#decodingDelay;
  }

  /** AVI knows the order of decoding only, in which frames come out later than shown by the decoder's constant delay. */
  get #ordered(): boolean {
    return this.#input.container !== 'avi';
  }

  /**
   * The duration of a frame according to the container; frames that even lack a decoding time are the last few of a
   * file.
   */
  #frameInterval(): number {
    const { num, den } = this.stream.avgFrameRate;
    return num > 0 && den > 0 ? (den * 1_000_000) / num : 0;
  }

  #countBroken(result: number, call: string): void {
    requireMemory(result, call);
    this.#broken++;
  }
}

/**
 * Decoders that can discard frames no other frame refers to. (HEVC's non-reference pictures may still serve higher
 * temporal layers, and the others here know no such frames.)
 */
const DISCARDS: ReadonlySet<AVCodecID> = new Set([AV_CODEC_ID_H264, AV_CODEC_ID_MPEG4, AV_CODEC_ID_MPEG2VIDEO]);

/** Matroska puts an id in front of each block addition. */
const ADDITION_ID_BYTES = 8;

/**
 * The decoder of a file's picture. It accepts no picture over the limits and no codec outside our list, whatever the
 * stream requests later. Owns the native decoder.
 */
class PictureCodec implements Disposable {
  readonly #context: CodecContext;
  readonly #limits: MediaLimits;
  readonly #discards: boolean;
  /** Set where libvpx decodes. */
  readonly #vpx: 'vp8' | 'vp9' | null;
  #discarding = false;
  #draining = false;

  private constructor(context: CodecContext, stream: Stream, limits: MediaLimits) {
    const { codecId } = stream.codecpar;
    this.#context = context;
    this.#limits = limits;
    this.#discards = DISCARDS.has(codecId);
    this.#vpx = hasSideAlpha(stream) ? (codecId === AV_CODEC_ID_VP8 ? 'vp8' : 'vp9') : null;
  }

  /**
   * @throws `media.no_frames` if there is no picture, or none that can be decoded.
   */
  static async open(
    input: InputFile,
    limits: MediaLimits,
    { threads = 0, whole = false }: Pick<PictureDecoderOptions, 'threads' | 'whole'>,
  ): Promise<PictureCodec> {
    const decoder = input.video === null ? null : findDecoder(input.video);
    if (input.video === null || decoder === null) {
      throw new ExportError('invalid', 'media.no_frames', 'The file has no picture that can be decoded.');
    }
    const context = new CodecContext();
    context.allocContext3(decoder);
    try {
      mustSucceed(context.parametersToContext(input.video.codecpar), 'avcodec_parameters_to_context');
      context.pktTimebase = input.video.timeBase;
      context.threadCount = threads;
      const pixels = input.still || input.animation ? limits.imageMaxPixels : limits.maxWidth * limits.maxHeight;
      const strictness = whole ? { err_detect: 'explode' } : {};
      using options = Dictionary.fromObject({ codec_whitelist: CODEC_WHITELIST, max_pixels: pixels, ...strictness });
      const opened = await context.open2(decoder, options);
      if (opened >= 0) return new PictureCodec(context, input.video, limits);
      throw new ExportError('invalid', 'media.no_frames', 'The file’s picture could not be decoded.', {
        cause: libavCause(opened, 'avcodec_open2'),
      });
    } catch (error) {
      context.freeContext();
      throw error;
    }
  }

  /**
   * Decodes a packet.
   *
   * @param unwanted its frame is not needed: if no other refers to it, it is not decoded.
   * @returns libav's result.
   */
  async send(packet: Packet, unwanted: boolean): Promise<number> {
    this.#discard(unwanted);
    return this.#isTooLarge(packet) ? AVERROR_INVALIDDATA : this.#context.sendPacket(packet);
  }

  /** Signals the end of packets: the remaining frames can be received. */
  async finish(): Promise<void> {
    this.#draining = true;
    await this.#context.sendPacket(null);
  }

  /** Fills `frame` with the next picture. @returns libav's result. */
  async receive(frame: Frame): Promise<number> {
    // A packet is decoded when it is sent; receiving only returns the finished frame, so it may be synchronous.
    return this.#draining ? this.#context.receiveFrame(frame) : this.#context.receiveFrameSync(frame);
  }

  /** Discards the packets that were sent, to begin again with a key frame. */
  flush(): void {
    this.#draining = false;
    this.#context.flushBuffers();
  }

  [Symbol.dispose](): void {
    this.#context.freeContext();
  }

  /** Sets whether the decoder may discard the next packet if no other frame refers to it. */
  #discard(unwanted: boolean): void {
    if (unwanted === this.#discarding || !this.#discards) return;
    this.#context.setOption('skip_frame', unwanted ? AVDISCARD_NONREF : AVDISCARD_DEFAULT);
    this.#discarding = unwanted;
  }

  /** Whether a packet asks libvpx for more than the limits allow, in its picture or in the alpha beside it. */
  #isTooLarge(packet: Packet): boolean {
    const vpx = this.#vpx;
    if (vpx === null) return false;
    const beside = packet.getSideData(AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL);
    const parts = [packet.data, beside?.subarray(ADDITION_ID_BYTES)].filter((part) => part != null);
    const max = this.#limits.maxWidth * this.#limits.maxHeight;
    return parts.flatMap((part) => vpxSizes(vpx, part)).some(({ width, height }) => width * height > max);
  }
}
