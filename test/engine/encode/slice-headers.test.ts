import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import { VideoEncoder } from '../../../src/engine/encode/video-encoder.ts';
import { mustSucceed } from '../../../src/engine/libav/libav-call.ts';
import { RepeatingStream, streamConfig } from '../../../src/iso/h264/repeating-stream.ts';
import type { Material } from '../../../src/plan/frame/frame-runs.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { frames } from '../../../src/time.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';

const CANVAS = { width: 320, height: 192, background: '#000000' };
const COUNT = 20;
const MATERIALS: readonly Material[] = ['filmed', 'moved', 'drawn'];

/** What an encoder returns for a square that moves while the picture darkens, and the same as our streams have it. */
async function encoded(preset: string, material: Material) {
  const encoder = { preset, crf: 21, keyframeEvery: frames(60) };
  const rate = { num: 30, den: 1 };
  using opened = await VideoEncoder.open({ canvas: CANVAS, rate, encoder }, { material });
  const written: Buffer[] = [];
  const given: Buffer[] = [];
  const stream = new RepeatingStream(opened.parameterSets, ({ bytes }) => written.push(Buffer.from(bytes)));
  const take = (packet: Packet) => {
    given.push(Buffer.from(packet.data!));
    stream.write(packet);
  };
  for (let n = 0; n < COUNT; n += 1) {
    using frame = darkening(n);
    stream.expect(n, { at: n, repeats: 0 });
    await opened.encode(frame, n, n % 8 === 0 ? 'key' : 'any', take);
  }
  await opened.finish(take);
  stream.end();
  const sets = Buffer.from(opened.parameterSets);
  return { given, written, sets, config: Buffer.from(streamConfig(sets)) };
}

for (const preset of ['ultrafast', 'veryfast', 'medium']) {
  test(`[R22] other headers of slices change no pixel: ${preset}`, async () => {
    for (const material of MATERIALS) {
      const { given, written, sets, config } = await encoded(preset, material);
      const pictures = await decoded(given, sets);
      assert.equal(pictures.length, COUNT);
      assert.equal(new Set(pictures).size, COUNT, `${material}: every picture is another one`);
      assert.deepEqual(await decoded(written, config), pictures, material);
    }
  });
}

/** The hash of each picture, in the order of showing. */
async function decoded(pictures: readonly Buffer[], parameterSets: Buffer): Promise<string[]> {
  using decoder = new CodecContext();
  const codec = Codec.findDecoder(AV_CODEC_ID_H264)!;
  decoder.allocContext3(codec);
  decoder.extraData = parameterSets;
  decoder.threadCount = 1;
  mustSucceed(await decoder.open2(codec, null), 'opening the decoder');
  using frame = new Frame();
  frame.alloc();
  using packet = new Packet();
  packet.alloc();
  const hashes: string[] = [];
  for (const picture of [...pictures, null]) {
    if (picture !== null) packet.data = picture;
    mustSucceed(await decoder.sendPacket(picture === null ? null : packet), 'avcodec_send_packet');
    while ((await decoder.receiveFrame(frame)) >= 0) {
      hashes.push(sha256(frame.toBuffer()));
      frame.unref();
    }
  }
  return hashes;
}

function darkening(n: number): Frame {
  const frame = allocateFrame(CANVAS.width, CANVAS.height, AV_PIX_FMT_YUV420P);
  for (const [index, plane] of frame.data!.entries()) {
    const stride = frame.linesize[index]!;
    for (let at = 0; at < plane.length; at += 1) {
      const [x, y] = [at % stride, Math.floor(at / stride)];
      const isSquare = index === 0 && x >= 8 * n && x < 8 * n + 48 && y >= 64 && y < 112;
      plane[at] = isSquare ? 40 + ((x * 7 + y * 3) % 150) : 128 + (60 - 2 * n) * Math.sin(x / 17) * Math.cos(y / 23);
    }
  }
  return frame;
}
