import { AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709 } from 'node-av/constants';
import { ExportError } from '../../errors.ts';
import type { Frames } from '../../time.ts';
import { BT709_TO_RGB } from '../color/to-bt709.ts';
import { Compositor } from '../compose/compositor.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import { FramePool } from '../libav/frame-pool.ts';
import { ClipReaders } from '../picture/clip-readers.ts';
import { SourceFrames } from '../picture/source-frames.ts';
import type { RenderOptions } from './render-chunks.ts';

/** A picture as RGBA, row by row, no padding, opaque. */
export interface Still {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Options of a still. */
interface RenderStillOptions extends Omit<RenderOptions, 'onProgress'> {
  readonly frame: Frames;
}

/**
 * Renders any single output frame, through the same stages as a render, before encoding. (R4)
 *
 * @throws `frame.outside` if the video has no such frame; the errors of reading media.
 */
export async function renderStill({
  plan,
  files,
  painter,
  limits,
  frame: n,
  signal,
}: RenderStillOptions): Promise<Still> {
  if (n < 0 || n >= plan.totalFrames) {
    const message = `The video has frames 0 to ${plan.totalFrames - 1}; there is no frame ${n}.`;
    throw new ExportError('invalid', 'frame.outside', message);
  }
  using pool = new FramePool();
  await using readers = new ClipReaders({ limits, signal: signal ?? new AbortController().signal });
  const sources = new SourceFrames({ plan, files, readers, pool });
  using compositor = new Compositor(plan, painter, pool);
  const range = { start: n, end: (n + 1) as Frames };
  for await (const inputs of sources.read(range)) {
    const { frame: composed } = await compositor.compose(inputs);
    const { width, height } = plan.canvas;
    const shape = { width, height, pixelFormat: AV_PIX_FMT_YUV420P, matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG };
    using graph = await FrameGraph.open([shape], `[0]${BT709_TO_RGB},format=rgba[out]`);
    graph.feed(0, composed, 0);
    pool.give(composed);
    const rgba = pool.take();
    await graph.pull(rgba);
    const still = { width, height, rgba: new Uint8Array(rgba.toBuffer()) };
    pool.give(rgba);
    return still;
  }
  throw new Error(`no span holds frame ${n}`);
}
