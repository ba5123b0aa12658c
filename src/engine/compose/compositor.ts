import type { Frame } from 'node-av/lib';
import type { FrameRun } from '../../plan/frame-runs.ts';
import type { PaintedRef } from '../../plan/layers/span.ts';
import type { Overlay, OverlayPainter, Shift, Veil } from '../../plan/overlay-painter.ts';
import { PAINTED } from '../../plan/painted/painted-kinds.ts';
import type { Rect } from '../../plan/rect.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import type { FrameInputs } from '../picture/source-frames.ts';
import { Blender, type Layer } from './blender.ts';
import { ClipLayers } from './clip-layers.ts';
import { FrontOfBoard } from './front-of-board.ts';
import { glassFrame } from './glass-frame.ts';
import { Ground } from './ground.ts';
import { isChanging, type OverlayFrame, OverlayFrames, type ShownLayer } from './overlay-frames.ts';
import {
  changedParts,
  groundLayer,
  isFilled,
  isPlain,
  type Stack,
  type StackLayer,
  sameFrames,
  sameStack,
} from './stack.ts';
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
  readonly #clips: ClipLayers;
  readonly #blender: Blender;
  readonly #underGlass: Blender;
  readonly #front: FrontOfBoard;
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
    this.#ground = new Ground(plan, pool);
    this.#clips = new ClipLayers(plan, { overlays: this.#overlays, ground: this.#ground }, pool);
  }

  /**
   * Frame `n` of the canvas in yuv420p, BT.709 limited. It belongs to the caller, which gives it back to the pool. The
   * compositor takes over the inputs' pictures, even if it fails.
   */
  async compose({ n, run, changed }: FrameInputs): Promise<CanvasFrame> {
    const entering = run !== this.#run;
    if (entering) this.#enter(run);
    await this.#clips.update(changed);
    const isMoved = await this.#clips.move(run, n);
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
    this.#clips[Symbol.dispose]();
    this.#ground[Symbol.dispose]();
    this.#overlays[Symbol.dispose]();
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
    this.#clips.enter(run);
    this.#blender.restart();
    this.#underGlass.restart();
    this.#front.restart();
    this.#overlays.trim();
    this.#run = run;
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
    const moment = this.#clips.momentAt(run, n);
    for (const ref of run.layers) {
      if (ref.kind === 'clip') {
        const isAbove = this.#plan.clips[ref.index]!.isAboveBoard;
        await this.#clips.add(ref.index, isAbove ? clips : layers, moment);
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
    return { below: await this.#ground.withGround(layers, n), patch, veil, shake, clips, above };
  }

  /** Whether a run shows only one picture that fills the canvas, besides its board. */
  #isAlone(run: FrameRun, underBoard: readonly Layer[]): boolean {
    const boards = run.layers.filter(({ kind }) => kind !== 'clip' && PAINTED[kind].isVeiled).length;
    const isOverOne = underBoard.length === 0 || (underBoard.length === 1 && isFilled(underBoard, this.#plan.canvas));
    const isUnderNone = !run.layers.some((ref) => ref.kind === 'clip' && this.#plan.clips[ref.index]!.isAboveBoard);
    return boards === 1 && isOverOne && isUnderNone && !this.#plan.theme.glass;
  }
}
