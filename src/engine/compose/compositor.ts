import type { Frame } from 'node-av/lib';
import { clipOpacity } from '../../plan/clip-opacity.ts';
import type { FrameRun } from '../../plan/frame-runs.ts';
import type { OverlayPainter } from '../../plan/overlay-painter.ts';
import type { Canvas, Rect, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { RGB_TO_BT709 } from '../color/rgb-bt709.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { rgbaFrame, rgbaShape } from '../libav/rgba-frame.ts';
import type { FrameInputs, SourcePicture } from '../picture/source-frames.ts';
import { Blender, type Layer } from './blender.ts';
import { ClipPicture } from './clip-picture.ts';
import { isMoving, OverlayFrames } from './overlay-frames.ts';

/** A picture of the canvas. */
export interface CanvasFrame {
  readonly frame: Frame;
  /** Whether it is the very picture of the frame before. */
  readonly isRepeat: boolean;
}

/**
 * The second stage of a render: layers in, pictures of the canvas out, each a pure function of the plan and `n`. (R4)
 *
 * Takes frames in ascending order. Where one opaque clip is all there is to see, its picture is passed on untouched;
 * where nothing changed since the frame before, that one is given out again.
 */
export class Compositor implements Disposable {
  readonly #plan: RenderPlan;
  readonly #pool: FramePool;
  readonly #overlays: OverlayFrames;
  readonly #clips = new Map<number, ClipPicture>();
  readonly #blender: Blender;
  #run: FrameRun | null = null;
  #background: Frame | null = null;
  #last: Frame | null = null;
  /** What the last frame was blended from. */
  #blended: readonly Layer[] = [];

  constructor(plan: RenderPlan, painter: OverlayPainter, pool: FramePool) {
    this.#plan = plan;
    this.#pool = pool;
    this.#overlays = new OverlayFrames(plan, painter, pool);
    this.#blender = new Blender(pool);
  }

  /**
   * Frame `n` of the canvas in yuv420p, BT.709 limited. It belongs to the caller, who gives it back to the pool; the
   * inputs' pictures are taken over, whether or not this succeeds.
   */
  async compose({ n, run, changed }: FrameInputs): Promise<CanvasFrame> {
    const entering = run !== this.#run;
    if (entering) this.#enter(run);
    await this.#update(changed);
    const resting = !entering && changed.length === 0 && run.fading.size === 0 && this.#last !== null;
    if (resting && !run.layers.some(isMoving)) return this.#again();
    const layers = await this.#layers(run, n);
    // Even what moves is held still at times.
    if (resting && sameFrames(layers, this.#blended)) return this.#again();
    const composed = await this.#blender.blend(layers, n);
    if (this.#last !== null) this.#pool.give(this.#last);
    this.#last = composed;
    this.#blended = layers;
    return { frame: this.#pool.share(composed), isRepeat: false };
  }

  [Symbol.dispose](): void {
    if (this.#last !== null) this.#pool.give(this.#last);
    if (this.#background !== null) this.#pool.give(this.#background);
    this.#last = null;
    this.#background = null;
    this.#blender[Symbol.dispose]();
    this.#overlays[Symbol.dispose]();
    for (const clip of this.#clips.values()) clip[Symbol.dispose]();
    this.#clips.clear();
  }

  #again(): CanvasFrame {
    return { frame: this.#pool.share(this.#last!), isRepeat: true };
  }

  #enter(run: FrameRun): void {
    const seen = new Set(run.layers.map((layer) => (layer.kind === 'clip' ? layer.clip : -1)));
    for (const [index, clip] of this.#clips) {
      if (seen.has(index)) continue;
      clip[Symbol.dispose]();
      this.#clips.delete(index);
    }
    this.#blender.restart();
    this.#overlays.trim();
    this.#run = run;
  }

  async #update(pictures: readonly SourcePicture[]): Promise<void> {
    let taken = 0;
    try {
      for (const picture of pictures) {
        taken += 1;
        await this.#clip(picture.clip).update(picture);
      }
    } finally {
      for (const { frame } of pictures.slice(taken)) this.#pool.give(frame);
    }
  }

  #clip(index: number): ClipPicture {
    let clip = this.#clips.get(index);
    if (clip === undefined) {
      clip = new ClipPicture(this.#plan.clips[index]!, this.#plan.canvas.background, this.#pool);
      this.#clips.set(index, clip);
    }
    return clip;
  }

  /** What there is to blend at `n`, back to front; the first fills the canvas. */
  async #layers(run: FrameRun, n: Frames): Promise<Layer[]> {
    const layers: Layer[] = [];
    for (const ref of run.layers) {
      if (ref.kind === 'clip') {
        const { frame, rect, alpha } = this.#clips.get(ref.clip)!;
        const opacity = run.fading.has(ref.clip) ? clipOpacity(this.#plan.clips[ref.clip]!, n) : null;
        layers.push({ frame, rect, alpha, still: false, opacity });
        continue;
      }
      const still = !isMoving(ref);
      const overlay = still ? await this.#overlays.still(ref, n) : await this.#overlays.moving(ref, n);
      if (overlay !== null) layers.push({ ...overlay, alpha: true, still, opacity: null });
    }
    const first = layers[0];
    if (first !== undefined && !first.alpha && first.opacity === null && fills(first.rect, this.#plan.canvas))
      return layers;
    return [await this.#backgroundLayer(), ...layers];
  }

  async #backgroundLayer(): Promise<Layer> {
    const { width, height } = this.#plan.canvas;
    this.#background ??= await plainFrame(this.#plan.canvas, this.#pool);
    const rect = { x: 0, y: 0, width, height };
    return { frame: this.#background, rect, alpha: false, still: false, opacity: null };
  }
}

function sameFrames(layers: readonly Layer[], others: readonly Layer[]): boolean {
  return layers.length === others.length && layers.every(({ frame }, index) => frame === others[index]!.frame);
}

function fills(rect: Rect, { width, height }: Canvas): boolean {
  return rect.x === 0 && rect.y === 0 && rect.width === width && rect.height === height;
}

/** The empty canvas, by the same conversion that overlays go through. The frame belongs to the caller. */
export async function plainFrame({ width, height, background }: Canvas, pool: FramePool): Promise<Frame> {
  const pixels = Buffer.alloc(width * height * 4, Buffer.from(`${background.slice(1)}ff`, 'hex'));
  using source = rgbaFrame(pixels, width, height);
  using graph = await FrameGraph.open([rgbaShape(width, height)], `[0]${RGB_TO_BT709},format=yuv420p[out]`);
  graph.feed(0, source, 0);
  const frame = pool.take();
  await graph.pull(frame);
  tagBt709(frame);
  return frame;
}
