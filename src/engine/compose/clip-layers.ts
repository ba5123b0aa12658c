import type { Frame } from 'node-av/lib';
import { type Mix, mixAt } from '../../plan/envelope/clip-transition.ts';
import { mayMove, presenceAt } from '../../plan/envelope/picture-envelope.ts';
import type { FrameRun } from '../../plan/frame-runs.ts';
import type { Canvas, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { releasePicture, type SourcePicture } from '../picture/source-frames.ts';
import { Blender, type Layer } from './blender.ts';
import { ClipPicture } from './clip-picture.ts';
import type { Ground } from './ground.ts';
import { ClipMixer } from './moving/clip-mixer.ts';
import { MovingPicture } from './moving/moving-picture.ts';
import type { OverlayFrame, OverlayFrames } from './overlay-frames.ts';
import { groundLayer, isFilled, type StackLayer } from './stack.ts';

/** A frame whose clips become layers. */
interface ClipMoment {
  readonly run: FrameRun;
  readonly n: Frames;
  /** Clips that the frame shows as part of the clip that replaces them. (C58) */
  readonly replaced: ReadonlySet<number>;
  /** How many layers are under each of them. */
  readonly depths: Map<number, number>;
}

/**
 * The clips of a run as layers: each with its look, its entrance and exit, and its transition from the clip before it.
 */
export class ClipLayers implements Disposable {
  readonly #plan: RenderPlan;
  readonly #overlays: Pick<OverlayFrames, 'clipFrame'>;
  readonly #ground: Pick<Ground, 'withGround'>;
  readonly #pool: FramePool;
  readonly #clips = new Map<number, ClipPicture | MovingPicture>();
  /** Of the two sides of a transition. */
  readonly #sides: readonly [from: Blender, to: Blender];
  readonly #mixer: ClipMixer;
  /**
   * Pictures of the canvas that contain a clip and more: of clips during a transition, and of clips that fade together
   * with the background beside them.
   */
  readonly #made = new Map<number, Frame>();

  constructor(
    plan: RenderPlan,
    around: { readonly overlays: Pick<OverlayFrames, 'clipFrame'>; readonly ground: Pick<Ground, 'withGround'> },
    pool: FramePool,
  ) {
    this.#plan = plan;
    this.#overlays = around.overlays;
    this.#ground = around.ground;
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

  /** Whether a clip moves; updates it to its view at `n`. (C59) */
  async move({ layers }: FrameRun, n: Frames): Promise<boolean> {
    const moving = layers.flatMap(({ kind, index }) => {
      const clip = kind === 'clip' ? this.#clips.get(index) : undefined;
      return clip instanceof MovingPicture ? [clip] : [];
    });
    for (const clip of moving) await clip.move(n);
    return moving.length > 0;
  }

  momentAt(run: FrameRun, n: Frames): ClipMoment {
    const { clips, canvas } = this.#plan;
    const replaced = run.layers.flatMap(({ kind, index }) => {
      const from = kind === 'clip' && mixAt(clips[index]!, n, canvas) !== null ? clips[index]!.transition!.from : null;
      return from === null ? [] : [from];
    });
    return { run, n, replaced: new Set(replaced), depths: new Map() };
  }

  /** Adds a clip in front of the layers so far. During its transition it becomes one picture with them. (C58) */
  async add(index: number, into: StackLayer[], moment: ClipMoment): Promise<void> {
    const { run, n, replaced, depths } = moment;
    const isFading = run.fading.has(index);
    const mix = mixAt(this.#plan.clips[index]!, n, this.#plan.canvas);
    if (mix !== null) into.push(await this.#mixedLayer(index, mix, into.splice(0), moment));
    else if (replaced.has(index)) depths.set(index, into.length);
    else if (this.#showsGround(index) && isFading) into.push(await this.#barredLayer(index, moment));
    else into.push(...this.#clipLayers(index, isFading, n));
  }

  [Symbol.dispose](): void {
    for (const side of this.#sides) side[Symbol.dispose]();
    this.#dropMade();
    this.#mixer[Symbol.dispose]();
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

  /** A clip and the one before it as one picture of the canvas, each over the layers below it. (C58) */
  async #mixedLayer(
    index: number,
    mix: Mix,
    under: readonly StackLayer[],
    { run, n, depths }: ClipMoment,
  ): Promise<StackLayer> {
    const { from } = this.#plan.clips[index]!.transition!;
    const depth = from === null ? undefined : depths.get(from);
    const front = depth === undefined ? [] : [...this.#clipLayers(from!, false, n), ...under.slice(depth)];
    const ground = this.#groundClips(run, n);
    const underFrom = from !== null && this.#showsGround(from) ? ground : under.slice(0, depth);
    const before = await this.#side(0, front, underFrom, n);
    try {
      const after = await this.#side(
        1,
        this.#clipLayers(index, false, n),
        this.#showsGround(index) ? ground : under,
        n,
      );
      try {
        return this.#keep(index, this.#mixer.mix(before, after, mix));
      } finally {
        this.#pool.give(after);
      }
    } finally {
      this.#pool.give(before);
    }
  }

  /** One side of a transition as a picture of the canvas, which belongs to the caller. */
  async #side(side: 0 | 1, front: readonly Layer[], under: readonly Layer[], n: Frames): Promise<Frame> {
    if (isFilled(front, this.#plan.canvas)) return this.#sides[side].blend(front, n);
    return this.#sides[side].blend([...(await this.#ground.withGround(under, n)), ...front], n);
  }

  /** A clip during its entrance or exit, with the background beside it: both fade as one. (C61) */
  async #barredLayer(index: number, { run, n }: ClipMoment): Promise<StackLayer> {
    const [{ opacity, shift }] = this.#clipLayers(index, true, n) as [Layer];
    const barred = await this.#side(1, this.#clipLayers(index, false, n), this.#groundClips(run, n), n);
    return { ...this.#keep(index, barred), opacity, shift };
  }

  /** Whether the bars beside a clip show a gradient or a picture, which hides the other layers below. (C61) */
  #showsGround(index: number): boolean {
    return this.#plan.clips[index]!.matte !== null && this.#plan.canvas.behind !== undefined;
  }

  #groundClips({ layers }: FrameRun, n: Frames): Layer[] {
    const grounds = layers.filter(
      ({ kind, index }) => kind === 'clip' && this.#plan.clips[index]!.ground !== undefined,
    );
    return grounds.flatMap(({ index }) => this.#clipLayers(index, false, n));
  }

  /** A picture of the canvas that a clip is part of, kept until the clip's next one. */
  #keep(index: number, made: Frame): StackLayer {
    const last = this.#made.get(index);
    if (last !== undefined) this.#pool.give(last);
    this.#made.set(index, made);
    return groundLayer(made, this.#plan.canvas);
  }

  #dropMade(): void {
    for (const frame of this.#made.values()) this.#pool.give(frame);
    this.#made.clear();
  }

  /** A clip, over its shadow and under its border. */
  #clipLayers(index: number, isFading: boolean, n: Frames): Layer[] {
    const clip = this.#plan.clips[index]!;
    const { frame, rect, alpha } = this.#clips.get(index)!;
    const presence = isFading ? presenceAt(clip, n, clip.look?.rect ?? rect, this.#plan.canvas) : null;
    const opacity = isFading ? (presence?.opacity ?? 1) : null;
    // Constant for the whole run, since the run's layers keep their places.
    const shift = isFading && mayMove(clip) ? (presence ?? { x: 0, y: 0 }) : null;
    const around = clip.look === null ? null : this.#overlays.clipFrame(index, clip.look);
    const framing = (overlay: OverlayFrame | null): Layer[] =>
      overlay === null ? [] : [{ ...overlay, alpha: true, still: !isFading, opacity, shift }];
    return [
      ...framing(around?.shadow ?? null),
      { frame, rect, alpha, still: false, opacity, shift },
      ...framing(around?.border ?? null),
    ];
  }
}

/** The colour of the bars beside a clip; null: none, since the background shows there. (C61) */
function matteColor({ background, behind }: Canvas): string | null {
  return behind === undefined ? background : null;
}
