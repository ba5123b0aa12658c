import type { Frame } from 'node-av/lib';
import { gradientLevels, writeGradient } from '../../paint/pixels/gradient-pixels.ts';
import type { Background } from '../../plan/frame/frame-at.ts';
import type { Canvas, Gradient } from '../../plan/model/canvas.ts';
import { yuvOf } from '../color/painted-color.ts';
import { RGB_TO_BT709 } from '../color/rgb-bt709.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { PicturePool } from '../libav/picture-pool.ts';
import { rgbaFrame, rgbaShape } from '../libav/rgba-frame.ts';

/** The background: a colour, or a gradient, which may move. Caches the picture. (C61) */
export class Ground implements Disposable {
  readonly #canvas: Canvas;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  #picture: { readonly frame: Frame; readonly move: number } | null = null;

  constructor(canvas: Canvas, pool: FramePool) {
    this.#canvas = canvas;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, canvas.width, canvas.height);
  }

  /** The picture of a background, owned by this object: valid until the next call. */
  async at({ gradient, move }: Background): Promise<Frame> {
    if (this.#picture?.move !== move) {
      const frame = await this.#make(gradient, move);
      if (this.#picture !== null) this.#pool.give(this.#picture.frame);
      this.#picture = { frame, move };
    }
    return this.#picture.frame;
  }

  [Symbol.dispose](): void {
    if (this.#picture !== null) this.#pool.give(this.#picture.frame);
    this.#picture = null;
    this.#pictures[Symbol.dispose]();
  }

  async #make(gradient: Gradient | null, move: number): Promise<Frame> {
    if (gradient === null) return plainFrame(this.#canvas, this.#pool);
    return this.#pool.filled(this.#pictures.take(), (frame) => {
      drawGradient(gradient, move, frame);
      tagBt709(frame);
    });
  }
}

/** Writes a gradient into a picture in yuv420p: from its colours to dithered samples at once, so that no step is rounded twice. (R33) */
function drawGradient(gradient: Gradient, move: number, frame: Frame): void {
  for (const [plane, levels] of gradientLevels(gradient, move, yuvOf).entries()) {
    const shift = plane === 0 ? 0 : 1;
    const { buffer, byteOffset, byteLength } = frame.data![plane]!;
    writeGradient(levels, gradient, {
      bytes: new Uint8Array(buffer, byteOffset, byteLength),
      ...{ at: 0, column: 1, row: frame.linesize[plane]! },
      ...{ width: frame.width >> shift, height: frame.height >> shift },
    });
  }
}

/** The empty canvas, by the same conversion as painted layers. The frame belongs to the caller. */
export async function plainFrame({ width, height, background }: Canvas, pool: FramePool): Promise<Frame> {
  const pixels = Buffer.alloc(width * height * 4, Buffer.from(`${background.slice(1)}ff`, 'hex'));
  using source = rgbaFrame(pixels, width, height);
  using graph = await FrameGraph.open([rgbaShape(width, height)], `[0]${RGB_TO_BT709},format=yuv420p[out]`);
  graph.feed(0, source, 0);
  return pool.filled(await graph.pullFrom(pool), tagBt709);
}
