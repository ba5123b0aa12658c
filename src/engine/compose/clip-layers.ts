import type { Frame } from 'node-av/lib';
import { gradientLevels, writeGradient } from '../../paint/pixels/gradient-pixels.ts';
import {
  type Background,
  type ClipOperation,
  clipsIn,
  type MixOperation,
  type Operation,
  type PictureOperation,
} from '../../plan/frame/frame-at.ts';
import type { FrameRun } from '../../plan/frame/frame-runs.ts';
import { mayMove } from '../../plan/frame/picture-envelope.ts';
import type { Canvas, Gradient } from '../../plan/model/canvas.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames } from '../../time.ts';
import { yuvOf } from '../color/painted-color.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { RGB_TO_BT709 } from '../color/to-bt709.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { PicturePool } from '../libav/picture-pool.ts';
import { rgbaFrame, rgbaShape } from '../libav/rgba-frame.ts';
import { releasePicture, type SourcePicture } from '../picture/source-frames.ts';
import { Blender, type Layer } from './blender.ts';
import { ClipMixer } from './clip-mixer.ts';
import { ClipPicture } from './clip-picture.ts';
import { MovingPicture } from './moving-picture.ts';
import type { PaintedFrame, PaintedFrames } from './painted-frames.ts';
import { fills, groundLayer } from './stack.ts';

/** The clips of a run as layers, and the background under them. */
export class ClipLayers implements Disposable {
  readonly #plan: RenderPlan;
  readonly #painted: Pick<PaintedFrames, 'clipFrame'>;
  readonly #ground: Ground;
  readonly #pool: FramePool;
  readonly #clips = new Map<number, ClipPicture | MovingPicture>();
  /** Of the two sides of a transition. */
  readonly #sides: readonly [from: Blender, to: Blender];
  readonly #mixer: ClipMixer;
  /** Pictures of the canvas that contain a clip and more, and the operations that made them. */
  readonly #made = new Map<number, { readonly frame: Frame; readonly by: Operation }>();

  constructor(plan: RenderPlan, painted: Pick<PaintedFrames, 'clipFrame' | 'ground'>, pool: FramePool) {
    this.#plan = plan;
    this.#painted = painted;
    this.#ground = new Ground(plan.canvas, painted, pool);
    this.#pool = pool;
    this.#sides = [new Blender(pool), new Blender(pool)];
    this.#mixer = new ClipMixer(plan.canvas, pool);
  }

  /** Begins a run: releases the clips that it does not show. */
  enter(run: FrameRun): void {
    const seen = new Set(run.layers.map((layer) => (layer.kind === 'clip' ? layer.index : -1)));
    for (const [index, clip] of this.#clips) {
      if (seen.has(index)) continue;
      clip[Symbol.dispose]();
      this.#clips.delete(index);
    }
    for (const side of this.#sides) side.restart();
    this.#dropMade();
  }

  /** Takes over new pictures of clips, even if it fails. */
  async update(pictures: readonly SourcePicture[]): Promise<void> {
    let taken = 0;
    try {
      for (const picture of pictures) {
        taken += 1;
        await this.#clip(picture.clip).update(picture);
      }
    } finally {
      for (const picture of pictures.slice(taken)) releasePicture(picture, this.#pool);
    }
  }

  /** Updates the clips that move to their view at `n`. (C59) */
  async move(operations: readonly Operation[], n: Frames): Promise<void> {
    const views = new Map([...clipsIn(operations)].map(({ clip, view }) => [clip, view]));
    for (const [index, view] of views) {
      const clip = this.#clips.get(index);
      if (clip instanceof MovingPicture) await clip.move(view, n);
    }
  }

  /** A clip with its decoration, or the picture of the canvas that it is part of. Valid until the next frame. */
  async layersOf(operation: PictureOperation, n: Frames): Promise<readonly Layer[]> {
    if (operation.draw === 'clip') return this.#clipLayers(operation);
    const { clip } = operation;
    let made = this.#made.get(clip);
    // Both sides of a transition may show it.
    if (made?.by !== operation) {
      const frame =
        operation.draw === 'mix' ? await this.#mixed(operation, n) : await this.#picture(1, operation.operations, n);
      if (made !== undefined) this.#pool.give(made.frame);
      made = { frame, by: operation };
      this.#made.set(clip, made);
    }
    return [{ ...groundLayer(made.frame, this.#plan.canvas), ...this.#presenceOf(operation) }];
  }

  /** Layers that fill the canvas: over the background that the operations begin with, if the first does not fill it. */
  async filled<Each extends Layer>(
    layers: readonly Each[],
    [first]: readonly Operation[],
  ): Promise<readonly (Layer | Each)[]> {
    const { canvas } = this.#plan;
    if (layers.length > 0 && fills(layers[0]!, canvas)) return layers;
    if (first?.draw !== 'background') throw new Error('nothing fills the canvas');
    return [groundLayer(await this.#ground.at(first), canvas), ...layers];
  }

  [Symbol.dispose](): void {
    for (const side of this.#sides) side[Symbol.dispose]();
    this.#dropMade();
    this.#mixer[Symbol.dispose]();
    this.#ground[Symbol.dispose]();
    for (const clip of this.#clips.values()) clip[Symbol.dispose]();
    this.#clips.clear();
  }

  #clip(index: number): ClipPicture | MovingPicture {
    let clip = this.#clips.get(index);
    if (clip === undefined) {
      const layer = this.#plan.clips[index]!;
      const matte = matteColor(this.#plan.canvas);
      clip =
        layer.motion === null
          ? new ClipPicture(layer, matte, this.#pool)
          : new MovingPicture(layer, layer.motion, matte, this.#pool);
      this.#clips.set(index, clip);
    }
    return clip;
  }

  /** A clip and the one before it as one picture of the canvas, which belongs to the caller. (C58) */
  async #mixed({ mix, from, to }: MixOperation, n: Frames): Promise<Frame> {
    const before = await this.#picture(0, from, n);
    try {
      const after = await this.#picture(1, to, n);
      try {
        return this.#mixer.mix(before, after, mix);
      } finally {
        this.#pool.give(after);
      }
    } finally {
      this.#pool.give(before);
    }
  }

  /** Operations as a picture of the canvas, which belongs to the caller. */
  async #picture(side: 0 | 1, operations: readonly Operation[], n: Frames): Promise<Frame> {
    const layers: Layer[] = [];
    for (const operation of operations) {
      if (operation.draw === 'background') continue;
      if (!('clip' in operation)) throw new Error(`a ${operation.draw} is not part of a clip's picture`);
      layers.push(...(await this.layersOf(operation, n)));
    }
    const seen = layers.slice(
      Math.max(
        0,
        layers.findLastIndex((layer) => fills(layer, this.#plan.canvas)),
      ),
    );
    return this.#sides[side].blend(await this.filled(seen, operations), n);
  }

  #dropMade(): void {
    for (const { frame } of this.#made.values()) this.#pool.give(frame);
    this.#made.clear();
  }

  /** A clip, over its shadow and under its border. */
  #clipLayers(operation: ClipOperation): Layer[] {
    const { look } = this.#plan.clips[operation.clip]!;
    const { frame, rect, alpha } = this.#clips.get(operation.clip)!;
    const seen = this.#presenceOf(operation);
    const around = look === null ? null : this.#painted.clipFrame(operation.clip, look);
    const framing = (painted: PaintedFrame | null): Layer[] =>
      painted === null ? [] : [{ ...painted, alpha: true, still: operation.presence === null, ...seen }];
    return [
      ...framing(around?.shadow ?? null),
      { frame, rect, alpha, still: false, ...seen },
      ...framing(around?.border ?? null),
    ];
  }

  /** null where it is constant for the whole run: an opaque layer, and a layer in its place. */
  #presenceOf({ clip, presence }: PictureOperation): Pick<Layer, 'opacity' | 'shift'> {
    if (presence === null) return { opacity: null, shift: null };
    return { opacity: presence.opacity, shift: mayMove(this.#plan.clips[clip]!) ? presence : null };
  }
}

/** The colour of the bars beside a clip; null: none, since the background shows there. (C61) */
function matteColor({ background, behind }: Canvas): string | null {
  return behind === undefined ? background : null;
}

/** The background: a colour, a gradient, which may move, or the ground of a theme. Caches the picture. (C61, R37) */
class Ground implements Disposable {
  readonly #canvas: Canvas;
  readonly #painted: Pick<PaintedFrames, 'ground'>;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  #picture: { readonly frame: Frame; readonly move: number } | null = null;

  constructor(canvas: Canvas, painted: Pick<PaintedFrames, 'ground'>, pool: FramePool) {
    this.#canvas = canvas;
    this.#painted = painted;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, canvas.width, canvas.height);
  }

  /** The picture of a background, owned by this object: valid until the next call. */
  async at({ gradient, move, theme }: Background): Promise<Frame> {
    if (this.#picture?.move !== move) {
      const frame = await this.#make({ gradient, move, theme });
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

  async #make({ gradient, move, theme }: Pick<Background, 'gradient' | 'move' | 'theme'>): Promise<Frame> {
    if (theme !== null) return canvasFrame(this.#painted.ground(), this.#canvas, this.#pool);
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
  return canvasFrame(pixels, { width, height }, pool);
}

/** A picture of the canvas from opaque pixels. The frame belongs to the caller. */
async function canvasFrame(
  pixels: Uint8Array,
  { width, height }: Pick<Canvas, 'width' | 'height'>,
  pool: FramePool,
): Promise<Frame> {
  using source = rgbaFrame(pixels, width, height);
  using graph = await FrameGraph.open([rgbaShape(width, height)], `[0]${RGB_TO_BT709},format=yuv420p[out]`);
  graph.feed(0, source, 0);
  return pool.filled(await graph.pullFrom(pool), tagBt709);
}
