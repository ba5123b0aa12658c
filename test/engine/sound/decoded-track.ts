import assert from 'node:assert/strict';
import { AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, Packet } from 'node-av/lib';
import type { Stereo } from '../../../src/sound/dsp/stereo.ts';

/** A finished track as a player hears it: everything the decoder gives, in order. Shares no code with the engine. */
export interface DecodedTrack extends Stereo {
  /** The first sample's timestamp, in samples. */
  readonly firstAt: number;
  /** The track's length according to the container, in samples. */
  readonly toldLength: number;
  readonly profile: number;
}

/** Decodes the stereo float track of an MP4 at 48 kHz, whatever other tracks there are. */
export async function decodedTrack(file: string): Promise<DecodedTrack> {
  await using format = new FormatContext();
  assert(0 <= (await format.openInput(file)));
  assert(0 <= (await format.findStreamInfo(null)));
  const stream = format.streams[format.findBestStream(AVMEDIA_TYPE_AUDIO)]!;
  assert.equal(stream.timeBase.den, 48_000);
  using decoder = new CodecContext();
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  decoder.pktTimebase = stream.timeBase;
  assert(0 <= (await decoder.open2(codec, null)));
  using packet = new Packet();
  using frame = new Frame();
  packet.alloc();
  frame.alloc();
  const parts: Stereo[] = [];
  let firstAt: number | null = null;
  for (let end = false; !end; ) {
    end = format.readFrameSync(packet) === AVERROR_EOF;
    if (!end && packet.streamIndex !== stream.index) {
      packet.unref();
      continue;
    }
    assert(0 <= decoder.sendPacketSync(end ? null : packet));
    packet.unref();
    while (decoder.receiveFrameSync(frame) >= 0) {
      firstAt ??= Number(frame.pts);
      parts.push({ left: floats(frame, 0), right: floats(frame, 1) });
      frame.unref();
    }
  }
  return {
    left: joined(parts.map((part) => part.left)),
    right: joined(parts.map((part) => part.right)),
    firstAt: firstAt ?? 0,
    toldLength: Number(stream.duration),
    profile: stream.codecpar.profile,
  };
}

function floats(frame: Frame, plane: number): Float32Array {
  const bytes = Uint8Array.from(frame.data![plane]!.subarray(0, frame.nbSamples * 4));
  return new Float32Array(bytes.buffer);
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
