import { AVDISCARD_ALL, AVMEDIA_TYPE_VIDEO, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, Packet } from 'node-av/lib';
import { MovieFile } from '../../examples/making/movie-file.ts';
import { BoundedQueue } from '../../src/engine/encode/bounded-queue.ts';
import { VideoEncoder } from '../../src/engine/encode/video-encoder.ts';
import type { BenchRender } from './timelines.ts';

/**
 * What a developer would write by hand on these libraries: decode each clip's part, encode everything, write a file. No
 * filters, no plan, no checks; decoding and encoding run at the same time.
 */
export async function bareDecodeEncode({ plan, files }: BenchRender, out: string): Promise<number> {
  const queue = new BoundedQueue<Frame>(8, (frame) => frame.free());
  const decoding = (async () => {
    for (const { source, trim, shows } of plan.clips) {
      await decode(files.get(source)!, trim.start, shows.end - shows.start, (frame) => queue.put(frame));
    }
    queue.close();
  })();
  using encoder = await VideoEncoder.open(plan);
  using file = await MovieFile.open(out, [encoder.context]);
  let n = 0;
  for (let frame = await queue.take(); frame !== undefined; frame = await queue.take()) {
    await encoder.encode(frame, n, 'any', (packet) => file.write(0, packet));
    frame.free();
    n += 1;
  }
  await decoding;
  await encoder.finish((packet) => file.write(0, packet));
  await file.finish();
  return n;
}

async function decode(
  path: string,
  fromMicros: number,
  count: number,
  give: (frame: Frame) => Promise<void>,
): Promise<void> {
  await using format = new FormatContext();
  await format.openInput(path);
  await format.findStreamInfo(null);
  const stream = format.streams[format.findBestStream(AVMEDIA_TYPE_VIDEO)]!;
  for (const other of format.streams) if (other.index !== stream.index) other.discard = AVDISCARD_ALL;
  const codec = Codec.findDecoder(stream.codecpar.codecId)!;
  using decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  decoder.threadCount = 0;
  await decoder.open2(codec, null);
  if (fromMicros > 0) await format.seekFrame(-1, BigInt(fromMicros), AVSEEK_FLAG_BACKWARD);
  const first = (fromMicros / 1e6) * (stream.timeBase.den / stream.timeBase.num);
  using packet = new Packet();
  packet.alloc();
  let given = 0;
  for (let ended = false; given < count; ) {
    if (!ended) {
      ended = (await format.readFrame(packet)) < 0;
      await decoder.sendPacket(ended ? null : packet);
      packet.unref();
    }
    for (;;) {
      const frame = new Frame();
      frame.alloc();
      const received = decoder.receiveFrameSync(frame);
      if (received < 0 || Number(frame.pts) < first - 1 || given >= count) {
        frame.free();
        if (received >= 0 && given < count) continue;
        if (ended && received < 0) return;
        break;
      }
      await give(frame);
      given += 1;
    }
  }
}
