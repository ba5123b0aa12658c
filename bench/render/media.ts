import { mkdir, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FilterGraph, FormatContext, Frame, Packet, Rational } from 'node-av/lib';
import { mustSucceed } from '../../src/engine/libav/libav-call.ts';

const FPS = 30;

/** A clip of moving shapes under grain, at about the bit rate of a phone's; made once and kept in the temporary folder. */
export interface BenchClip {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly seed: number;
}

/** The clip's file. */
export async function benchClip(clip: BenchClip): Promise<string> {
  const folder = join(tmpdir(), 'tiercut-bench-3');
  const file = join(folder, `${clip.name}.mp4`);
  await mkdir(folder, { recursive: true });
  const there = await stat(file).catch(() => null);
  if (there === null) {
    process.stderr.write(`making ${clip.name} …\n`);
    await write(clip, `${file}.part.mp4`);
    await rename(`${file}.part.mp4`, file);
  }
  return file;
}

async function write({ width, height, seconds, seed }: BenchClip, file: string): Promise<void> {
  const grain = `noise=alls=4:allf=t:all_seed=${seed}`;
  const text = `testsrc2=s=${width / 2}x${height / 2}:r=${FPS},hue=h=${seed * 70},${grain},scale=${width}:${height}:flags=bilinear`;
  using graph = new FilterGraph();
  graph.alloc();
  mustSucceed(graph.parse2(`${text},format=yuv420p,buffersink@out`), 'the source');
  mustSucceed(await graph.config(), 'the source');
  const sink = graph.getFilter('buffersink@out')!;

  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)!;
  using encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = width;
  encoder.height = height;
  encoder.pixelFormat = AV_PIX_FMT_YUV420P;
  encoder.timeBase = new Rational(1, FPS);
  encoder.framerate = new Rational(FPS, 1);
  encoder.gopSize = FPS * 2;
  encoder.colorSpace = AVCOL_SPC_BT709;
  encoder.colorRange = AVCOL_RANGE_MPEG;
  encoder.colorPrimaries = AVCOL_PRI_BT709;
  encoder.colorTrc = AVCOL_TRC_BT709;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  using options = Dictionary.fromObject({ preset: 'veryfast', crf: 24 });
  mustSucceed(await encoder.open2(codec, options), 'libx264');

  await using format = new FormatContext();
  mustSucceed(format.allocOutputContext2(null, 'mp4', file), 'mp4');
  const stream = format.newStream(null);
  stream.timeBase = encoder.timeBase;
  stream.codecpar.fromContext(encoder);
  mustSucceed(await format.openOutput(), file);
  mustSucceed(await format.writeHeader(null), file);
  using packet = new Packet();
  packet.alloc();
  const drain = async () => {
    while ((await encoder.receivePacket(packet)) >= 0) {
      packet.streamIndex = 0;
      packet.rescaleTs(encoder.timeBase, stream.timeBase);
      mustSucceed(await format.interleavedWriteFrame(packet), file);
    }
  };
  using frame = new Frame();
  frame.alloc();
  for (let n = 0; n < seconds * FPS; n += 1) {
    mustSucceed(await sink.buffersinkGetFrame(frame), 'the source');
    frame.pts = BigInt(n);
    frame.pictType = AV_PICTURE_TYPE_NONE;
    mustSucceed(await encoder.sendFrame(frame), 'libx264');
    frame.unref();
    await drain();
  }
  await encoder.sendFrame(null);
  await drain();
  mustSucceed(await format.writeTrailer(), file);
  await format.closeOutput();
}
