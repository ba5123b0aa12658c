import {
  AV_CODEC_FLAG_CLOSED_GOP,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Packet, Rational } from 'node-av/lib';
import { mustSucceed } from '../../src/engine/libav/libav-call.ts';
import { h264Level } from '../../src/iso/h264/level-buffer.ts';
import type { Material } from './material.ts';

/** Settings of the encoder that might be chosen. */
export interface Candidate {
  readonly preset: string;
  readonly tune?: string;
  readonly params?: string;
}

/** The result of a candidate. */
export interface Encoded {
  readonly cpuMs: number;
  readonly bytes: number;
  readonly parameterSets: Buffer;
  readonly packets: readonly Packet[];
}

/** The fixed parameters of the render. */
const FIXED = '8x8dct=1:cpu-independent=1';
const THREADS = 4;
const LONGEST_FRAMES = 5;

/** Encodes the material as the render does, each picture once. */
export async function encode({ render, pictures }: Material, candidate: Candidate, crf: number): Promise<Encoded> {
  const { canvas, rate, encoder } = render.plan;
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)!;
  using context = new CodecContext();
  context.allocContext3(codec);
  context.width = canvas.width;
  context.height = canvas.height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(rate.den, rate.num);
  context.framerate = new Rational(rate.num, rate.den);
  context.gopSize = encoder.keyframeEvery;
  context.threadCount = THREADS;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_CLOSED_GOP);
  using options = Dictionary.fromObject({
    preset: candidate.preset,
    ...(candidate.tune === undefined ? {} : { tune: candidate.tune }),
    crf,
    profile: 'high',
    'forced-idr': 1,
    level: h264Level(canvas, rate),
    'x264-params': candidate.params === undefined ? FIXED : `${FIXED}:${candidate.params}`,
  });
  mustSucceed(await context.open2(codec, options), 'opening libx264');
  const packets: Packet[] = [];
  const before = process.cpuUsage();
  let [ticks, shown] = [0, 0];
  for (const { frame, frames } of pictures) {
    frame.pts = BigInt(ticks);
    const startsGroup =
      shown === 0 || Math.floor(shown / encoder.keyframeEvery) > Math.floor((shown - 1) / encoder.keyframeEvery);
    frame.pictType = startsGroup ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    ticks += Math.min(frames, LONGEST_FRAMES);
    shown += frames;
    mustSucceed(await context.sendFrame(frame), 'avcodec_send_frame');
    await receive(context, packets);
  }
  mustSucceed(await context.sendFrame(null), 'avcodec_send_frame');
  await receive(context, packets);
  const { user, system } = process.cpuUsage(before);
  const bytes = packets.reduce((sum, { size }) => sum + size, 0);
  return { cpuMs: (user + system) / 1000, bytes, parameterSets: Buffer.from(context.extraData!), packets };
}

/** Receives the packets that the encoder has ready. */
async function receive(context: CodecContext, packets: Packet[]): Promise<void> {
  for (;;) {
    const packet = new Packet();
    packet.alloc();
    const result = await context.receivePacket(packet);
    if (result >= 0) {
      packets.push(packet);
      continue;
    }
    packet.free();
    if (result !== AVERROR_EAGAIN && result !== AVERROR_EOF) mustSucceed(result, 'avcodec_receive_packet');
    return;
  }
}
