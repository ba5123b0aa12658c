import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_FLTP,
  AVFMT_FLAG_BITEXACT,
  FF_ENCODER_AAC,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, Packet, Rational, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { libavCause, mustSucceed } from '../libav-call.ts';
import type { Stereo } from './stereo.ts';
import { StereoQueue } from './stereo-queue.ts';

const STEREO = { nbChannels: 2, order: AV_CHANNEL_ORDER_NATIVE, mask: 0x3n };
const FRAME_SAMPLES = 1024;

/** From here on libavcodec's fast search is, by its own documentation, the better one as well. */
const FAST_CODER_KBPS = 96;

/**
 * Writes AAC-LC into an MP4 of its own. The encoder's delay is told by an edit list, and the last frame's length by the
 * sample table, so that players and demuxers see exactly what was written, from time 0. The same samples give the same
 * bytes. (R16, R18)
 *
 * Encoding runs beside the caller: `write` returns while the latest frame is still being encoded.
 */
export class AacWriter implements AsyncDisposable {
  readonly #encoder: CodecContext;
  readonly #format: FormatContext;
  readonly #stream: Stream;
  readonly #packet = new Packet();
  readonly #waiting = new StereoQueue();
  #encoding: Promise<number> | null = null;
  #written = 0;

  private constructor(encoder: CodecContext, format: FormatContext, stream: Stream) {
    this.#encoder = encoder;
    this.#format = format;
    this.#stream = stream;
    this.#packet.alloc();
  }

  /** @throws `sound.unwritable` where the file cannot be made. */
  static async create(file: string, bitrateKbps: number): Promise<AacWriter> {
    await using owned = new AsyncDisposableStack();
    const encoder = new CodecContext();
    const codec = Codec.findEncoderByName(FF_ENCODER_AAC);
    encoder.allocContext3(codec);
    owned.defer(() => encoder.freeContext());
    encoder.sampleRate = SAMPLE_RATE;
    encoder.sampleFormat = AV_SAMPLE_FMT_FLTP;
    encoder.channelLayout = STEREO;
    encoder.bitRate = BigInt(bitrateKbps) * 1000n;
    encoder.timeBase = new Rational(1, SAMPLE_RATE);
    encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT);
    using options = Dictionary.fromObject({ aac_coder: bitrateKbps >= FAST_CODER_KBPS ? 'fast' : 'twoloop' });
    mustSucceed(await encoder.open2(codec, options), 'avcodec_open2');

    const format = new FormatContext();
    mustSucceed(format.allocOutputContext2(null, 'mp4', file), 'avformat_alloc_output_context2');
    owned.defer(() => format.closeOutput());
    format.setFlags(AVFMT_FLAG_BITEXACT);
    const stream = format.newStream(null);
    stream.timeBase = encoder.timeBase;
    mustSucceed(stream.codecpar.fromContext(encoder), 'avcodec_parameters_from_context');
    mustWrite(await format.openOutput(), 'avio_open');
    mustWrite(await format.writeHeader(null), 'avformat_write_header');
    owned.move();
    return new AacWriter(encoder, format, stream);
  }

  /** Appends `sound`. @throws `sound.unwritable` */
  async write(sound: Stereo): Promise<void> {
    this.#waiting.push(sound);
    while (this.#waiting.length >= FRAME_SAMPLES) await this.#encode(FRAME_SAMPLES);
  }

  /** Encodes the rest and completes the file. @throws `sound.unwritable` */
  async finish(): Promise<void> {
    if (this.#waiting.length > 0) await this.#encode(this.#waiting.length);
    await this.#settle();
    mustSucceed(await this.#encoder.sendFrame(null), 'avcodec_send_frame');
    this.#takePackets();
    mustWrite(await this.#format.writeTrailer(), 'av_write_trailer');
    await this.#format.closeOutput();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#encoding?.catch(() => undefined);
    this.#packet.free();
    this.#encoder.freeContext();
    await this.#format.closeOutput();
  }

  async #encode(count: number): Promise<void> {
    await this.#settle();
    const { left, right } = this.#waiting.peek(count);
    const planes = new Float32Array(2 * count);
    planes.set(left);
    planes.set(right, count);
    const frame = Frame.fromAudioBuffer(Buffer.from(planes.buffer), {
      nbSamples: count,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: SAMPLE_RATE,
      channelLayout: STEREO,
      pts: BigInt(this.#written),
      timeBase: { num: 1, den: SAMPLE_RATE },
    });
    this.#waiting.drop(count);
    this.#written += count;
    this.#encoding = this.#encoder.sendFrame(frame).finally(() => frame.free());
  }

  async #settle(): Promise<void> {
    if (this.#encoding === null) return;
    mustSucceed(await this.#encoding, 'avcodec_send_frame');
    this.#encoding = null;
    this.#takePackets();
  }

  #takePackets(): void {
    while (this.#encoder.receivePacketSync(this.#packet) >= 0) {
      this.#packet.streamIndex = this.#stream.index;
      this.#packet.rescaleTs(this.#encoder.timeBase, this.#stream.timeBase);
      mustWrite(this.#format.interleavedWriteFrameSync(this.#packet), 'av_interleaved_write_frame');
    }
  }
}

function mustWrite(result: number, call: string): void {
  if (result >= 0) return;
  throw new ExportError('unavailable', 'sound.unwritable', 'The sound could not be written: the disk may be full.', {
    cause: libavCause(result, call),
  });
}
