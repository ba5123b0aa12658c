import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_FLTP,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_AAC,
} from 'node-av/constants';
import { avChannelLayoutDefault, Codec, CodecContext, Frame, Packet, Rational } from 'node-av/lib';
import type { PacketSink } from '../../src/engine/encode/video-encoder.ts';
import { mustSucceed } from '../../src/engine/libav/libav-call.ts';
import { SAMPLE_RATE } from '../../src/time.ts';
import type { Stereo } from './stereo.ts';

/** AAC, fed from a sound that is there as a whole. Owns the codec. */
export class SoundEncoder implements Disposable {
  readonly context: CodecContext;
  readonly #sound: Stereo;
  readonly #packet = new Packet();
  #sent = 0;

  private constructor(context: CodecContext, sound: Stereo) {
    this.context = context;
    this.#sound = sound;
    this.#packet.alloc();
  }

  static async open(sound: Stereo, bitRate = 160_000n): Promise<SoundEncoder> {
    const codec = Codec.findEncoderByName(FF_ENCODER_AAC);
    if (codec === null) throw new Error('this libavcodec has no AAC');
    const context = new CodecContext();
    context.allocContext3(codec);
    try {
      context.sampleRate = SAMPLE_RATE;
      context.timeBase = new Rational(1, SAMPLE_RATE);
      context.sampleFormat = AV_SAMPLE_FMT_FLTP;
      context.channelLayout = avChannelLayoutDefault(2);
      context.bitRate = bitRate;
      context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
      mustSucceed(await context.open2(codec, null), 'opening AAC');
      return new SoundEncoder(context, sound);
    } catch (error) {
      context.freeContext();
      throw error;
    }
  }

  /** Encodes what sounds before `seconds`, to the end of a frame. */
  async encodeUntil(seconds: number, sink: PacketSink): Promise<void> {
    const { left, right } = this.#sound;
    while (this.#sent < Math.min(left.length, seconds * SAMPLE_RATE)) {
      const end = Math.min(left.length, this.#sent + this.context.frameSize);
      const planes = [left, right].map((channel) => Buffer.from(channel.slice(this.#sent, end).buffer));
      using frame = Frame.fromAudioBuffer(Buffer.concat(planes), {
        nbSamples: end - this.#sent,
        format: AV_SAMPLE_FMT_FLTP,
        sampleRate: SAMPLE_RATE,
        channelLayout: avChannelLayoutDefault(2),
        timeBase: this.context.timeBase,
        pts: BigInt(this.#sent),
      });
      mustSucceed(await this.context.sendFrame(frame), 'avcodec_send_frame');
      this.#sent = end;
      this.#drain(sink);
    }
  }

  /** Encodes what is left and hands everything out. */
  async finish(sink: PacketSink): Promise<void> {
    await this.encodeUntil(Number.POSITIVE_INFINITY, sink);
    mustSucceed(await this.context.sendFrame(null), 'avcodec_send_frame');
    this.#drain(sink);
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.context.freeContext();
  }

  #drain(sink: PacketSink): void {
    for (;;) {
      const result = this.context.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      mustSucceed(result, 'avcodec_receive_packet');
      sink(this.#packet);
      this.#packet.unref();
    }
  }
}
