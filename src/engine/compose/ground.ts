import type { Frame } from 'node-av/lib';
import { gradientLevels, writeGradient } from '../../paint/pixels/gradient-pixels.ts';
import { gradientMove } from '../../plan/ground/gradient.ts';
import type { Canvas, Gradient, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { yuvOf } from '../color/painted-color.ts';
import { RGB_TO_BT709 } from '../color/rgb-bt709.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { PicturePool } from '../libav/picture-pool.ts';
import { rgbaFrame, rgbaShape } from '../libav/rgba-frame.ts';
import { groundLayer, isFilled, type StackLayer } from './stack.ts';

/** The background: a colour, or a gradient, which may move. Caches the picture. (C61) */
export class Ground implements Disposable {
  readonly #plan: Pick<RenderPlan, 'canvas' | 'rate'>;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  #picture: { readonly frame: Frame; readonly move: number } | null = null;

  constructor(plan: Pick<RenderPlan, 'canvas' | 'rate'>, pool: FramePool) {
    this.#plan = plan;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, plan.canvas.width, plan.canvas.height);
  }

  /** Whether it is the picture that was returned last. */
  restsAt(n: Frames): boolean {
    return this.#picture === null || this.#picture.move === this.#moveAt(n);
  }

  /** The picture at `n`, owned by this object: valid until the next call. */
  async at(n: Frames): Promise<Frame> {
    if (this.#picture === null || !this.restsAt(n)) {
      const move = this.#moveAt(n);
      const frame = await this.#make(move);
      if (this.#picture !== null) this.#pool.give(this.#picture.frame);
      this.#picture = { frame, move };
    }
    return this.#picture.frame;
  }

  /** Layers that fill the canvas: over the background if they do not fill it themselves. */
  async withGround(layers: readonly StackLayer[], n: Frames): Promise<readonly StackLayer[]> {
    const { canvas } = this.#plan;
    return isFilled(layers, canvas) ? layers : [groundLayer(await this.at(n), canvas), ...layers];
  }

  [Symbol.dispose](): void {
    if (this.#picture !== null) this.#pool.give(this.#picture.frame);
    this.#picture = null;
    this.#pictures[Symbol.dispose]();
  }

  #moveAt(n: Frames): number {
    const { behind } = this.#plan.canvas;
    return typeof behind === 'object' ? gradientMove(behind, n, this.#plan.rate) : 0;
  }

  async #make(move: number): Promise<Frame> {
    const { canvas } = this.#plan;
    const { behind } = canvas;
    if (typeof behind !== 'object') return plainFrame(canvas, this.#pool);
    return this.#pool.filled(this.#pictures.take(), (frame) => {
      drawGradient(behind, move, frame);
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

/** The empty canvas, by the same conversion as overlays. The frame belongs to the caller. */
export async function plainFrame({ width, height, background }: Canvas, pool: FramePool): Promise<Frame> {
  const pixels = Buffer.alloc(width * height * 4, Buffer.from(`${background.slice(1)}ff`, 'hex'));
  using source = rgbaFrame(pixels, width, height);
  using graph = await FrameGraph.open([rgbaShape(width, height)], `[0]${RGB_TO_BT709},format=yuv420p[out]`);
  graph.feed(0, source, 0);
  return pool.filled(await graph.pullFrom(pool), tagBt709);
}
