import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P, AVERROR_EAGAIN, FF_ENCODER_LIBX264 } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, type Frame, Packet, Rational } from 'node-av/lib';
import { VideoEncoder } from '../../../src/engine/encode/video-encoder.ts';
import { frames } from '../../../src/time.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';

const [WIDTH, HEIGHT, COUNT] = [640, 360, 24];
const CANVAS = { width: WIDTH, height: HEIGHT, background: '#000000' };

/** Changed options of a preset. */
const REPORTED = [
  ['ultrafast', 'filmed', 23, ''],
  ['veryfast', 'filmed', 23, ':aq-mode=2:partitions=i4x4,i8x8:me=dia'],
  [
    ...(['veryfast', 'moved', 23.5] as const),
    ':aq-mode=2:partitions=i4x4,i8x8:me=dia:subme=1:bframes=5:b-adapt=0:scenecut=0:rc-lookahead=0:mbtree=0:ipratio=2:pbratio=1.8',
  ],
] as const;

for (const [preset, material, crf, reported] of REPORTED) {
  test(`[R18] ${preset}, ${material}: the bytes equal those of a processor without vector instructions`, async () => {
    const encoder = { preset, crf: 23, keyframeEvery: frames(60) };
    using ours = await VideoEncoder.open({ canvas: CANVAS, rate: { num: 30, den: 1 }, encoder }, { material });
    const made: Buffer[] = [];
    const take = (packet: Packet) => made.push(Buffer.from(packet.data!));
    for (let n = 0; n < COUNT; n++) {
      using frame = moving(n);
      await ours.encode(frame, n, 'any', take);
    }
    await ours.finish(take);
    const plain = await encodedPlainly(preset, crf, reported);
    assert.equal(made.length, plain.length);
    assert.equal(
      made.findIndex((picture, n) => !picture.equals(plain[n]!)),
      -1,
    );
  });
}

/** The same settings, as far as they reach the bytes, without assembly. */
async function encodedPlainly(preset: string, crf: number, reported: string): Promise<Buffer[]> {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)!;
  using reference = await VideoEncoder.open({
    canvas: CANVAS,
    rate: { num: 30, den: 1 },
    encoder: { preset: 'ultrafast', crf: 23, keyframeEvery: frames(60) },
  });
  using context = new CodecContext();
  context.allocContext3(codec);
  context.width = WIDTH;
  context.height = HEIGHT;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, 30);
  context.framerate = new Rational(30, 1);
  context.sampleAspectRatio = new Rational(1, 1);
  context.colorRange = reference.context.colorRange;
  context.colorSpace = reference.context.colorSpace;
  context.colorPrimaries = reference.context.colorPrimaries;
  context.colorTrc = reference.context.colorTrc;
  context.chromaLocation = reference.context.chromaLocation;
  context.gopSize = 60;
  context.threadCount = reference.context.threadCount;
  context.flags = reference.context.flags;
  using options = Dictionary.fromObject({
    preset,
    crf,
    profile: 'high',
    'forced-idr': 1,
    level: '3.0',
    'x264-params': `8x8dct=1:asm=0${reported}`,
    a53cc: 0,
  });
  assert(((await context.open2(codec, options)) ?? 0) >= 0);
  using packet = new Packet();
  packet.alloc();
  const made: Buffer[] = [];
  const take = () => {
    for (let result = context.receivePacketSync(packet); result >= 0; result = context.receivePacketSync(packet)) {
      made.push(Buffer.from(packet.data!));
      packet.unref();
    }
  };
  for (let n = 0; n < COUNT; n++) {
    using frame = moving(n);
    frame.pts = BigInt(n);
    const sent = await context.sendFrame(frame);
    assert(sent >= 0 || sent === AVERROR_EAGAIN);
    take();
  }
  await context.sendFrame(null);
  take();
  return made;
}

/** Waves that wander, with some grain. */
function moving(n: number): Frame {
  const frame = allocateFrame(WIDTH, HEIGHT, AV_PIX_FMT_YUV420P);
  let seed = n + 1;
  for (const [index, plane] of frame.data!.entries()) {
    const stride = frame.linesize[index]!;
    for (let at = 0; at < plane.length; at++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const [x, y] = [at % stride, Math.floor(at / stride)];
      plane[at] = 128 + 60 * Math.sin(x / 17 + n / 3) * Math.cos(y / 23 - n / 5) + (seed >>> 29);
    }
  }
  return frame;
}
