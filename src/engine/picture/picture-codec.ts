import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_MPEG2VIDEO,
  AV_CODEC_ID_MPEG4,
  AV_CODEC_ID_VP8,
  AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL,
  type AVCodecID,
  AVDISCARD_DEFAULT,
  AVDISCARD_NONREF,
  AVERROR_INVALIDDATA,
} from 'node-av/constants';
import { CodecContext, Dictionary, type Frame, type Packet, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { vpxSizes } from '../../image-header/vpx-sizes.ts';
import { CODEC_WHITELIST, findDecoder, hasSideAlpha } from '../input/find-decoder.ts';
import type { InputFile } from '../input/input-file.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { libavCause, mustSucceed } from '../libav/libav-call.ts';

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
export class PictureCodec implements Disposable {
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
   * @param threads decoding threads; 0 lets libav use one a core.
   * @throws `media.no_frames` if there is no picture, or none that can be decoded.
   */
  static async open(input: InputFile, limits: MediaLimits, threads = 0): Promise<PictureCodec> {
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
      using options = Dictionary.fromObject({ codec_whitelist: CODEC_WHITELIST, max_pixels: pixels });
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
