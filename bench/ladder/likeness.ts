import {
  AV_CODEC_ID_H264,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { Codec, CodecContext, Frame } from 'node-av/lib';
import { FrameGraph } from '../../src/engine/libav/frame-graph.ts';
import { mustSucceed } from '../../src/engine/libav/libav-call.ts';
import type { Encoded } from './candidate.ts';
import type { Material, ShownPicture } from './material.ts';

/** How like its original something encoded is, each picture weighted by how long it is shown. */
export interface Likeness {
  readonly ssim: number;
  /** Luma, in dB: errors count for less where an eye would not see them. */
  readonly xpsnr: number;
}

/** Decodes and compares, picture by picture. */
export async function likeness({ render, pictures }: Material, { parameterSets, packets }: Encoded): Promise<Likeness> {
  const { width, height } = render.plan.canvas;
  const shape = { width, height, pixelFormat: AV_PIX_FMT_YUV420P, matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG };
  using graph = await FrameGraph.open([shape, shape, shape], '[0][1]ssim[a];[a][2]xpsnr[out]');
  using decoder = new CodecContext();
  const codec = Codec.findDecoder(AV_CODEC_ID_H264)!;
  decoder.allocContext3(codec);
  decoder.extraData = parameterSets;
  decoder.threadCount = 2;
  mustSucceed(await decoder.open2(codec, null), 'opening the decoder');
  using decoded = new Frame();
  decoded.alloc();
  using compared = new Frame();
  compared.alloc();
  let [at, ssim, errors, weights] = [0, 0, 0, 0];
  const compare = async ({ frame, frames }: ShownPicture): Promise<void> => {
    graph.feed(0, decoded, at);
    graph.feed(1, frame, at);
    graph.feed(2, frame, at);
    await graph.pull(compared);
    const reported = compared.getMetadata().getAll();
    ssim += frames * Number(reported['lavfi.ssim.All']);
    // Decibels do not add up; errors do.
    errors += frames * 10 ** (-Number(reported['lavfi.xpsnr.xpsnr.y'] ?? reported['lavfi.xpsnr.xpsnr_y']) / 10);
    weights += frames;
    compared.unref();
    at += 1;
  };
  for (const packet of [...packets, null]) {
    mustSucceed(await decoder.sendPacket(packet), 'avcodec_send_packet');
    for (;;) {
      const result = await decoder.receiveFrame(decoded);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) break;
      mustSucceed(result, 'avcodec_receive_frame');
      await compare(pictures[at]!);
      decoded.unref();
    }
  }
  if (at !== pictures.length) throw new Error(`${at} of ${pictures.length} pictures came back`);
  return { ssim: ssim / weights, xpsnr: -10 * Math.log10(errors / weights) };
}
