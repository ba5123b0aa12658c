import type { Frame } from 'node-av/lib';
import type { Canvas } from '../../plan/render-plan.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { rgbaFrame, rgbaShape } from '../libav/rgba-frame.ts';
import { RGB_TO_BT709 } from './overlay-frames.ts';

/** The empty canvas, by the same conversion that overlays go through. The frame belongs to the caller. */
export async function plainFrame({ width, height, background }: Canvas, pool: FramePool): Promise<Frame> {
  const rgb = Number.parseInt(background.slice(1), 16);
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < pixels.length; at += 4) pixels.writeUInt32BE(((rgb << 8) | 0xff) >>> 0, at);
  using source = rgbaFrame(pixels, width, height);
  using graph = await FrameGraph.open([rgbaShape(width, height)], `[0]${RGB_TO_BT709},format=yuv420p[out]`);
  graph.feed(0, source, 0);
  const frame = pool.take();
  await graph.pull(frame);
  tagBt709(frame);
  return frame;
}
