import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709 } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { clipOpacity } from '../../plan/clip-opacity.ts';
import type { Stretch } from '../../plan/frame-runs.ts';
import type { OverlayPainter } from '../../plan/overlay-painter.ts';
import type { Canvas, Rect, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph, type FrameShape } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import type { FrameInputs, SourcePicture } from '../picture/source-frames.ts';
import { blendFilters, fadedAlpha } from './blend-filters.ts';
import { ClipPicture } from './clip-picture.ts';
import { isMoving, OverlayFrames } from './overlay-frames.ts';
import { plainFrame } from './plain-frame.ts';

/** A picture to be blended, and how. Its frame is someone else's. */
interface Layer {
  readonly frame: Frame;
  readonly rect: Rect;
  readonly alpha: boolean;
  /** The same picture all through the stretch. */
  readonly still: boolean;
  /** null: opaque all through the stretch. */
  readonly opacity: number | null;
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
  #stretch: Stretch | null = null;
  #graph: { readonly layout: string; readonly graph: FrameGraph; readonly held: Set<number> } | null = null;
  #background: Frame | null = null;
  #last: Frame | null = null;

  constructor(plan: RenderPlan, painter: OverlayPainter, pool: FramePool) {
    this.#plan = plan;
    this.#pool = pool;
    this.#overlays = new OverlayFrames(plan, painter, pool);
  }

  /**
   * Frame `n` of the canvas in yuv420p, BT.709 limited. It belongs to the caller, who gives it back to the pool; the
   * inputs' pictures are taken over, whether or not this succeeds.
   */
  async compose({ n, stretch, changed }: FrameInputs): Promise<Frame> {
    const entering = stretch !== this.#stretch;
    if (entering) this.#enter(stretch);
    await this.#update(changed);
    const restless = stretch.fading.size > 0 || stretch.layers.some(isMoving);
    if (entering || restless || changed.length > 0 || this.#last === null) {
      const composed = await this.#blend(await this.#layers(stretch, n), n);
      if (this.#last !== null) this.#pool.give(this.#last);
      this.#last = composed;
      this.#overlays.forgetMoving();
    }
    return this.#pool.share(this.#last);
  }

  [Symbol.dispose](): void {
    if (this.#last !== null) this.#pool.give(this.#last);
    if (this.#background !== null) this.#pool.give(this.#background);
    this.#last = null;
    this.#background = null;
    this.#dropGraph();
    this.#overlays[Symbol.dispose]();
    for (const clip of this.#clips.values()) clip[Symbol.dispose]();
    this.#clips.clear();
  }

  #enter(stretch: Stretch): void {
    const seen = new Set(stretch.layers.map((layer) => (layer.kind === 'clip' ? layer.clip : -1)));
    for (const [index, clip] of this.#clips) {
      if (seen.has(index)) continue;
      clip[Symbol.dispose]();
      this.#clips.delete(index);
    }
    this.#dropGraph();
    this.#overlays.trim();
    this.#stretch = stretch;
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
  async #layers(stretch: Stretch, n: Frames): Promise<Layer[]> {
    const layers: Layer[] = [];
    for (const ref of stretch.layers) {
      if (ref.kind === 'clip') {
        const { frame, rect, alpha } = this.#clips.get(ref.clip)!;
        const opacity = stretch.fading.has(ref.clip) ? clipOpacity(this.#plan.clips[ref.clip]!, n) : null;
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

  async #blend(layers: readonly Layer[], n: Frames): Promise<Frame> {
    if (layers.length === 1) return this.#pool.share(layers[0]!.frame);
    const { graph, held } = await this.#graphFor(layers);
    for (const [index, layer] of layers.entries()) {
      if (held.has(index)) continue;
      if (layer.opacity !== null) graph.command(`lutyuv@${index}`, 'a', fadedAlpha(layer.opacity));
      graph.feed(index, layer.frame, n);
      if (!layer.still) continue;
      graph.hold(index);
      held.add(index);
    }
    const into = this.#pool.take();
    await graph.pull(into);
    tagBt709(into);
    return into;
  }

  async #graphFor(layers: readonly Layer[]): Promise<{ graph: FrameGraph; held: Set<number> }> {
    const layout = JSON.stringify(layers.map(({ rect, alpha, opacity }) => [rect, alpha, opacity === null]));
    if (this.#graph?.layout !== layout) {
      this.#dropGraph();
      this.#graph = {
        layout,
        graph: await FrameGraph.open(layers.map(shapeOf), blendFilters(layers)),
        held: new Set(),
      };
    }
    return this.#graph;
  }

  #dropGraph(): void {
    this.#graph?.graph[Symbol.dispose]();
    this.#graph = null;
  }

  async #backgroundLayer(): Promise<Layer> {
    const { width, height } = this.#plan.canvas;
    this.#background ??= await plainFrame(this.#plan.canvas, this.#pool);
    const rect = { x: 0, y: 0, width, height };
    return { frame: this.#background, rect, alpha: false, still: false, opacity: null };
  }
}

function shapeOf({ rect, alpha }: Layer): FrameShape {
  return {
    width: rect.width,
    height: rect.height,
    pixelFormat: alpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P,
    matrix: AVCOL_SPC_BT709,
    range: AVCOL_RANGE_MPEG,
  };
}

function fills(rect: Rect, { width, height }: Canvas): boolean {
  return rect.x === 0 && rect.y === 0 && rect.width === width && rect.height === height;
}
