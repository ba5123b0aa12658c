import type { Frame } from 'node-av/lib';
import { mayMove, presenceAt } from '../../plan/envelope/picture-envelope.ts';
import { type Mix, mixAt } from '../../plan/envelope/take-over.ts';
import type { FrameRun } from '../../plan/frame-runs.ts';
import type { PaintedRef } from '../../plan/layers/span.ts';
import type { Overlay, OverlayPainter, Shift, Veil } from '../../plan/overlay-painter.ts';
import { PAINTED } from '../../plan/painted/painted-kinds.ts';
import type { Rect } from '../../plan/rect.ts';
import type { Canvas, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { type FrameInputs, releasePicture, type SourcePicture } from '../picture/source-frames.ts';
import { Blender, type Layer } from './blender.ts';
import { ClipPicture } from './clip-picture.ts';
import { FrontOfBoard } from './front-of-board.ts';
import { glassFrame } from './glass-frame.ts';
import { Ground } from './ground.ts';
import { ClipMixer } from './moving/clip-mixer.ts';
import { MovingPicture } from './moving/moving-picture.ts';
import { isChanging, type OverlayFrame, OverlayFrames, type ShownLayer } from './overlay-frames.ts';
import { changedParts, groundLayer, isPlain, type Stack, type StackLayer, sameFrames, sameStack } from './stack.ts';
import { isSameVeil } from './veiled-canvas.ts';

/** A picture of the canvas. */
export interface CanvasFrame {
  readonly frame: Frame;
  /** Whether it is the same picture as the frame before. */
  readonly isRepeat: boolean;
  /** Outside of these it is the picture of the frame before; null if it may be another anywhere. */
  readonly changed: readonly Rect[] | null;
}

/**
 * The second stage of a render: layers in, pictures of the canvas out, each a pure function of the plan and `n`. (R4)
 * Takes frames in ascending order. If only one opaque clip is visible, its picture is passed on untouched; if nothing
 * changed since the frame before, that one is returned again.
 */
export class Compositor implements Disposable {
  readonly #plan: RenderPlan;
  readonly #pool: FramePool;
  readonly #overlays: OverlayFrames;
  readonly #clips = new Map<number, ClipPicture | MovingPicture>();
  readonly #blender: Blender;
  readonly #underGlass: Blender;
  readonly #front: FrontOfBoard;
  /** Of the two sides of a transition. */
  readonly #sides: readonly [from: Blender, to: Blender];
  readonly #mixer: ClipMixer;
  /** Pictures of the canvas that are made of clips and more: of those that take over, and of those that fade beside a background. */
  readonly #made = new Map<number, Frame>();
  readonly #ground: Ground;
  #run: FrameRun | null = null;
  #last: Frame | null = null;
  /** The parts of the last frame. */
  #stack: Stack | null = null;

  constructor(plan: RenderPlan, painter: OverlayPainter, pool: FramePool) {
    this.#plan = plan;
    this.#pool = pool;
    this.#overlays = new OverlayFrames(plan, painter, pool);
    this.#blender = new Blender(pool);
    this.#underGlass = new Blender(pool);
    this.#front = new FrontOfBoard(plan.canvas, pool);
    this.#sides = [new Blender(pool), new Blender(pool)];
    this.#mixer = new ClipMixer(plan.canvas, pool);
    this.#ground = new Ground(plan, pool);
  }

  /**
   * Frame `n` of the canvas in yuv420p, BT.709 limited. It belongs to the caller, which gives it back to the pool. The
   * compositor takes over the inputs' pictures, even if it fails.
   */
  async compose({ n, run, changed }: FrameInputs): Promise<CanvasFrame> {
    const entering = run !== this.#run;
    if (entering) this.#enter(run);
    await this.#update(changed);
    const isMoved = await this.#move(run, n);
    const resting = !entering && !isMoved && changed.length === 0 && run.fading.size === 0 ? this.#stack : null;
    if (resting !== null && !run.layers.some(isChanging) && this.#ground.restsAt(n)) return this.#again();
    const stack = await this.#layers(run, n);
    // Even moving layers are at rest at times.
    if (resting !== null && sameStack(stack, resting)) return this.#again();
    const restsBelow = resting !== null && sameFrames(stack.below, resting.below);
    const isSeenTheSame =
      restsBelow && this.#front.holdsBelow && !isPlain(stack) && isSameVeil(stack.veil, resting.veil);
    const isLayered = [stack, resting].some((each) => each !== null && (each.clips.length > 0 || each.shake !== null));
    const parts = isSeenTheSame && !isLayered ? changedParts(stack, resting) : null;
    const composed = await this.#compose(stack, n, restsBelow);
    if (this.#last !== null) this.#pool.give(this.#last);
    this.#last = composed;
    this.#stack = stack;
    return { frame: this.#pool.share(composed), isRepeat: false, changed: parts };
  }

  [Symbol.dispose](): void {
    if (this.#last !== null) this.#pool.give(this.#last);
    this.#last = null;
    this.#blender[Symbol.dispose]();
    this.#underGlass[Symbol.dispose]();
    this.#front[Symbol.dispose]();
    for (const side of this.#sides) side[Symbol.dispose]();
    this.#dropMade();
    this.#mixer[Symbol.dispose]();
    this.#ground[Symbol.dispose]();
    this.#overlays[Symbol.dispose]();
    for (const clip of this.#clips.values()) clip[Symbol.dispose]();
    this.#clips.clear();
  }

  #again(): CanvasFrame {
    return { frame: this.#pool.share(this.#last!), isRepeat: true, changed: [] };
  }

  /** The stack as one picture, which belongs to the caller. */
  async #compose(stack: Stack, n: Frames, restsBelow: boolean): Promise<Frame> {
    if (isPlain(stack)) {
      this.#front.forget();
      return this.#blend(stack.below, n);
    }
    if (!restsBelow || !this.#front.holdsBelow) {
      const frame = await this.#blend(stack.below, n);
      this.#front.put(frame);
      this.#pool.give(frame);
    }
    return this.#front.show(stack, n);
  }

  /** Blends layers into one picture; the picture under a board of glass is blurred before the board is drawn. (C47) */
  async #blend(layers: readonly StackLayer[], n: Frames): Promise<Frame> {
    const first = layers.findIndex(({ isGlass }) => isGlass === true);
    if (!this.#plan.theme.glass || first < 0) return this.#blender.blend(layers, n);
    const under = await this.#underGlass.blend(layers.slice(0, first), n);
    try {
      const boards = layers.filter(({ isGlass }) => isGlass === true);
      const blurred = glassFrame(under, boards, this.#plan.theme, this.#pool);
      try {
        const ground = groundLayer(blurred, this.#plan.canvas);
        return await this.#blender.blend([ground, ...layers.slice(first)], n);
      } finally {
        this.#pool.give(blurred);
      }
    } finally {
      this.#pool.give(under);
    }
  }

  #enter(run: FrameRun): void {
    const seen = new Set(run.layers.map((layer) => (layer.kind === 'clip' ? layer.index : -1)));
    for (const [index, clip] of this.#clips) {
      if (seen.has(index)) continue;
      clip[Symbol.dispose]();
      this.#clips.delete(index);
    }
    this.#blender.restart();
    this.#underGlass.restart();
    this.#front.restart();
    for (const side of this.#sides) side.restart();
    this.#dropMade();
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
      for (const picture of pictures.slice(taken)) releasePicture(picture, this.#pool);
    }
  }

  /** Whether a clip moves; updates it to its view at `n`. (C59) */
  async #move({ layers }: FrameRun, n: Frames): Promise<boolean> {
    const moving = layers.flatMap(({ kind, index }) => {
      const clip = kind === 'clip' ? this.#clips.get(index) : undefined;
      return clip instanceof MovingPicture ? [clip] : [];
    });
    for (const clip of moving) await clip.move(n);
    return moving.length > 0;
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

  /** The layers to blend at `n`. */
  async #layers(run: FrameRun, n: Frames): Promise<Stack> {
    const layers: StackLayer[] = [];
    const clips: StackLayer[] = [];
    const unveiled: { readonly shown: ShownLayer; readonly ref: PaintedRef }[] = [];
    const fronts: Overlay[] = [];
    let veil: Veil | null = null;
    let patch: Overlay | null = null;
    let shake: Shift | null = null;
    const add = ({ frame, rect }: OverlayFrame, { kind, changes }: PaintedRef) => {
      const { isGlass } = PAINTED[kind];
      layers.push({ frame, rect, alpha: true, still: !changes, opacity: null, shift: null, isGlass });
    };
    const givesWay = this.#givingWay(run, n);
    /** How many layers are under each of them. */
    const depths = new Map<number, number>();
    for (const ref of run.layers) {
      if (ref.kind === 'clip') {
        const into = this.#plan.clips[ref.index]!.isAboveBoard ? clips : layers;
        const mix = mixAt(this.#plan.clips[ref.index]!, n, this.#plan.canvas);
        if (mix !== null) into.push(await this.#mixedLayer(run, ref.index, mix, into.splice(0), depths, n));
        else if (givesWay.has(ref.index)) depths.set(ref.index, into.length);
        else if (this.#showsGround(ref.index) && run.fading.has(ref.index)) {
          into.push(await this.#barredLayer(run, ref.index, n));
        } else into.push(...this.#clipLayers(ref.index, run.fading.has(ref.index), n));
        continue;
      }
      const shown = this.#overlays.at(ref, n, this.#isAlone(run, layers));
      if (shown === null) continue;
      if (!PAINTED[ref.kind].isVeiled) {
        unveiled.push({ shown, ref });
        continue;
      }
      add(shown, ref);
      patch = shown.patch ?? patch;
      shake = shown.shake ?? shake;
      // Two windows dim the canvas no more than one, and the cards they hold up are in front of both.
      if (shown.veil !== null && (veil === null || shown.veil.alpha > veil.alpha)) veil = shown.veil;
      if (shown.front !== null) fronts.push(shown.front);
    }
    const isBare = isPlain({ patch, veil, shake, above: fronts });
    if (isBare) layers.push(...clips.splice(0));
    if (isBare) for (const { shown, ref } of unveiled) add(shown, ref);
    const above = isBare ? [] : [...fronts, ...unveiled.map(({ shown }) => shown.painted!)];
    return { below: await this.#onGround(layers, n), patch, veil, shake, clips, above };
  }

  /** Layers that fill the canvas: over its colour or gradient if they do not fill it themselves. */
  async #onGround(layers: readonly StackLayer[], n: Frames): Promise<readonly StackLayer[]> {
    return this.#isFilled(layers) ? layers : [groundLayer(await this.#ground.at(n), this.#plan.canvas), ...layers];
  }

  /** Whether a run shows only one picture that fills the canvas, besides its board. */
  #isAlone(run: FrameRun, underBoard: readonly Layer[]): boolean {
    const boards = run.layers.filter(({ kind }) => kind !== 'clip' && PAINTED[kind].isVeiled).length;
    const isOverOne = underBoard.length === 0 || (underBoard.length === 1 && this.#isFilled(underBoard));
    const isUnderNone = !run.layers.some((ref) => ref.kind === 'clip' && this.#plan.clips[ref.index]!.isAboveBoard);
    return boards === 1 && isOverOne && isUnderNone && !this.#plan.theme.glass;
  }

  #isFilled([first]: readonly Layer[]): boolean {
    return first !== undefined && !first.alpha && first.opacity === null && fills(first.rect, this.#plan.canvas);
  }

  /** Clips that are seen as part of the one that takes over from them. (C58) */
  #givingWay(run: FrameRun, n: Frames): Set<number> {
    const { clips, canvas } = this.#plan;
    return new Set(
      run.layers.flatMap(({ kind, index }) => {
        const from = kind === 'clip' && mixAt(clips[index]!, n, canvas) !== null ? clips[index]!.takesOver!.from : null;
        return from === null ? [] : [from];
      }),
    );
  }

  /** A clip and the one before it as one picture of the canvas, each over the layers below it. (C58) */
  async #mixedLayer(
    run: FrameRun,
    index: number,
    mix: Mix,
    under: readonly StackLayer[],
    depths: ReadonlyMap<number, number>,
    n: Frames,
  ): Promise<StackLayer> {
    const { from } = this.#plan.clips[index]!.takesOver!;
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
    if (this.#isFilled(front)) return this.#sides[side].blend(front, n);
    return this.#sides[side].blend([...(await this.#onGround(under, n)), ...front], n);
  }

  /** A clip during its entrance or exit, with the background beside it: both fade as one. (C61) */
  async #barredLayer(run: FrameRun, index: number, n: Frames): Promise<StackLayer> {
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

function fills(rect: Rect, { width, height }: Canvas): boolean {
  return rect.x === 0 && rect.y === 0 && rect.width === width && rect.height === height;
}
