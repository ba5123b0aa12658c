import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, Rational } from 'node-av/lib';
import { vpxSizes } from '../../src/image-header/vpx-sizes.ts';

/** Frames without content, as an encoder returns them. */
function packetsOf(encoder: 'libvpx' | 'libvpx-vp9', width: number, height: number): Buffer[] {
  const codec = Codec.findEncoderByName(encoder as never)!;
  using context = new CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, 30);
  for (const [name, value] of [
    ['deadline', 'realtime'],
    ['cpu-used', '8'],
  ] as const) {
    context.setOption(name, value);
  }
  assert.equal(context.open2Sync(codec, null), 0);
  using frame = new Frame();
  frame.alloc();
  Object.assign(frame, { width, height, format: AV_PIX_FMT_YUV420P });
  assert.equal(frame.getBuffer(), 0);
  using packet = new Packet();
  packet.alloc();
  const packets: Buffer[] = [];
  for (let n = 0; n <= 30; n++) {
    frame.pts = BigInt(n);
    context.sendFrameSync(n < 30 ? frame : null);
    while (context.receivePacketSync(packet) >= 0) packets.push(Buffer.from(packet.data!));
  }
  return packets;
}

for (const [codec, encoder] of [
  ['vp8', 'libvpx'],
  ['vp9', 'libvpx-vp9'],
] as const) {
  test(`the size of ${codec} frames: in key frames, inherited by the others`, () => {
    const [first, ...others] = packetsOf(encoder, 322, 178);
    assert.deepEqual(vpxSizes(codec, first!), [{ width: 322, height: 178 }]);
    for (const packet of others) assert.deepEqual(vpxSizes(codec, packet), []);
  });

  test(`any bytes as ${codec} give a result`, () => {
    const [first] = packetsOf(encoder, 64, 64);
    for (let length = 0; length <= first!.length; length++) vpxSizes(codec, first!.subarray(0, length));
    for (let byte = 0; byte < 256; byte++) vpxSizes(codec, Buffer.alloc(20, byte));
  });
}

test('each of several VP9 frames in one packet is examined', () => {
  const [key, inter] = packetsOf('libvpx-vp9', 96, 80);
  const parts = [inter!, key!];
  const marker = 0b110_01_000 | (parts.length - 1);
  const lengths = Buffer.alloc(parts.length * 2);
  for (const [n, { length }] of parts.entries()) lengths.writeUInt16LE(length, n * 2);
  const packet = Buffer.concat([...parts, Buffer.from([marker]), lengths, Buffer.from([marker])]);
  assert.deepEqual(vpxSizes('vp9', packet), [{ width: 96, height: 80 }]);
});
