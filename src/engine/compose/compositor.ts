import { isDeepStrictEqual } from 'node:util';
import type { Frame } from 'node-av/lib';
import { blurUnder, glassCellPx } from '../../paint/pixels/glass-blur.ts';
import type { Dim, Operation, PictureOperation, Shift } from '../../plan/frame/frame-at.ts';
import type { FrameRun } from '../../plan/frame/frame-runs.ts';
import { PAINTED } from '../../plan/frame/painted-kinds.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { PaintedPicture, Painter } from '../../plan/model/painter.ts';
import type { PaintedRef, RenderPlan } from '../../plan/model/render-plan.ts';
import type { Theme } from '../../plan/model/theme.ts';
import type { Frames } from '../../time.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import type { FrameInputs } from '../picture/source-frames.ts';
import { Blender } from './blender.ts';
import { ClipLayers } from './clip-layers.ts';
import { isSameDim } from './dimmed-canvas.ts';
import { FrontOfBoard } from './front-of-board.ts';
import { PaintedFrames, type ShownLayer } from './painted-frames.ts';
import {
  changedParts,
  fills,
  groundLayer,
  isPlain,
  type Stack,
  type StackLayer,
  sameFrames,
  sameStack,
} from './stack.ts';

/** A picture of the canvas. */
export interface CanvasFrame {
  readonly frame: Frame;
  /** Whether it is the same picture as the frame before. */
  readonly isRepeat: boolean;
  /** Rectangles that may differ from the previous frame; null: unknown. */
  readonly changed: readonly Rect[] | null;
}

/**
 * The second stage of a render: executes the operations of frames (`plan/frame/frame-at.ts`) on pictures in yuv420p. (R4)
 * Takes frames in ascending order. If only one opaque clip is visible, its picture is passed on untouched; if nothing
 * changed since the frame before, that one is returned again.
 */
export class Compositor implements Disposable {
  readonly #plan: RenderPlan;
  readonly #pool: FramePool;
  readonly #painted: PaintedFrames;
  readonly #clips: ClipLayers;
  readonly #blender: Blender;
  readonly #underGlass: Blender;
  readonly #front: FrontOfBoard;
  #run: FrameRun | null = null;
  /** The last frame. */
  #last: { readonly frame: Frame; readonly operations: readonly Operation[]; readonly stack: Stack } | null = null;

  constructor(plan: RenderPlan, painter: Painter, pool: FramePool) {
    this.#plan = plan;
    this.#pool = pool;
    this.#painted = new PaintedFrames(plan, painter, pool);
    this.#blender = new Blender(pool);
    this.#underGlass = new Blender(pool);
    this.#front = new FrontOfBoard(plan.canvas, pool);
    this.#clips = new ClipLayers(plan, this.#painted, pool);
  }

  /**
   * Frame `n` of the canvas in yuv420p, BT.709 limited. It belongs to the caller, which gives it back to the pool. The
   * compositor takes over the inputs' pictures, even if it fails.
   */
  async compose({ n, run, operations, changed }: FrameInputs): Promise<CanvasFrame> {
    const entering = run !== this.#run;
    if (entering) this.#enter(run);
    await this.#clips.update(changed);
    await this.#clips.move(operations, n);
    const rests = !entering && changed.length === 0 && operations.every((each) => this.#rests(each));
    const last = rests ? this.#last : null;
    if (last !== null && sameOperations(operations, last.operations)) return this.#again(last.frame);
    const stack = await this.#stackOf(operations, run, n);
    // Even moving layers are at rest at times.
    if (last !== null && sameStack(stack, last.stack)) return this.#again(last.frame);
    const restsBelow = last !== null && sameFrames(stack.below, last.stack.below);
    const isSeenTheSame =
      restsBelow && this.#front.holdsBelow && !isPlain(stack) && isSameDim(stack.dim, last.stack.dim);
    const isLayered = [stack, last?.stack].some(
      (each) => each !== undefined && (each.clips.length > 0 || each.shake !== null),
    );
    const parts = isSeenTheSame && !isLayered ? changedParts(stack, last.stack) : null;
    const frame = await this.#compose(stack, n, restsBelow);
    if (this.#last !== null) this.#pool.give(this.#last.frame);
    this.#last = { frame, operations, stack };
    return { frame: this.#pool.share(frame), isRepeat: false, changed: parts };
  }

  [Symbol.dispose](): void {
    if (this.#last !== null) this.#pool.give(this.#last.frame);
    this.#last = null;
    this.#blender[Symbol.dispose]();
    this.#underGlass[Symbol.dispose]();
    this.#front[Symbol.dispose]();
    this.#clips[Symbol.dispose]();
    this.#painted[Symbol.dispose]();
  }

  #again(frame: Frame): CanvasFrame {
    return { frame: this.#pool.share(frame), isRepeat: true, changed: [] };
  }

  /** Whether it draws the same in all frames of a run, if its sources do; painted layers tell by themselves. */
  #rests(operation: Operation): boolean {
    if (operation.draw === 'group' || operation.draw === 'mix') return false;
    if (operation.draw !== 'clip') return true;
    return operation.presence === null && this.#plan.clips[operation.clip]!.motion === null;
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
    if (first < 0) return this.#blender.blend(layers, n);
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
    this.#painted.trim();
    this.#run = run;
  }

  /** The pictures that the operations of a frame draw. */
  async #stackOf(operations: readonly Operation[], run: FrameRun, n: Frames): Promise<Stack> {
    const below: StackLayer[] = [];
    const clips: StackLayer[] = [];
    const texts: { readonly layer: StackLayer; readonly picture: PaintedPicture }[] = [];
    const fronts: PaintedPicture[] = [];
    const shown = new Map<PaintedRef, ShownLayer | null>();
    const glass = new Set<PaintedRef>();
    let patch: PaintedPicture | null = null;
    let dim: Dim | null = null;
    let shake: Shift | null = null;
    let drawn = 0;
    for (const operation of operations) {
      const part = this.#partOf(operation);
      if (part < drawn) throw new Error(`the engine cannot draw a ${operation.draw} in front of what is before it`);
      drawn = part;
      switch (operation.draw) {
        case 'background':
          break;
        case 'clip':
        case 'group':
        case 'mix': {
          const layers = await this.#clips.layersOf(operation, n);
          if (part === PARTS.below) below.push(...layers);
          else clips.push(...layers.map((layer) => ({ ...layer, dim: operation.dim })));
          break;
        }
        case 'glass':
          for (const { layer } of operation.boards) glass.add(layer);
          break;
        case 'painted': {
          const { layer: ref, at } = operation;
          const picture = this.#painted.at(ref, at, this.#isAlone(run, below));
          shown.set(ref, picture);
          if (picture === null) break;
          const { frame, rect, painted } = picture;
          const isGlass = glass.has(ref);
          const layer = { frame, rect, alpha: true, still: !ref.changes, opacity: null, shift: null, isGlass };
          if (painted !== null) texts.push({ layer, picture: painted });
          else below.push(layer);
          patch = picture.patch ?? patch;
          break;
        }
        case 'dim':
          dim = operation;
          break;
        case 'shake':
          shake = operation;
          break;
        case 'front': {
          const front = shown.get(operation.layer)?.front ?? null;
          if (front !== null) fronts.push(front);
          break;
        }
      }
    }
    const isBare = isPlain({ patch, dim, shake, above: fronts });
    if (isBare) below.push(...clips.splice(0), ...texts.map(({ layer }) => layer));
    const above = isBare ? [] : [...fronts, ...texts.map(({ picture }) => picture)];
    return { below: await this.#clips.filled(below, operations), patch, dim, shake, clips, above };
  }

  /** The part of a stack that an operation belongs to. */
  #partOf(operation: Operation): number {
    switch (operation.draw) {
      case 'background':
      case 'glass':
        return PARTS.below;
      case 'clip':
      case 'group':
      case 'mix':
        return this.#isAbove(operation) ? PARTS.clips : PARTS.below;
      case 'painted':
        return PAINTED[operation.layer.kind].isDimmed ? PARTS.below : PARTS.texts;
      default:
        return PARTS[operation.draw];
    }
  }

  #isAbove({ clip }: Pick<PictureOperation, 'clip'>): boolean {
    return this.#plan.clips[clip]!.isAboveBoard;
  }

  /** Whether a run shows only one picture that fills the canvas, besides its board. */
  #isAlone({ layers }: FrameRun, underBoard: readonly StackLayer[]): boolean {
    const boards = layers.filter(({ kind }) => kind !== 'clip' && PAINTED[kind].isDimmed).length;
    const isOverOne = underBoard.length === 0 || (underBoard.length === 1 && fills(underBoard[0]!, this.#plan.canvas));
    const isUnderNone = !layers.some(({ kind, index }) => kind === 'clip' && this.#isAbove({ clip: index }));
    return boards === 1 && isOverOne && isUnderNone && !this.#plan.theme.glass;
  }
}

/** The parts of a stack, back to front: operations come in this order. */
const PARTS = { below: 0, dim: 1, shake: 2, clips: 3, front: 4, texts: 5 } as const;

/** Whether two frames of a run draw the same, in which all clips rest: only the source times of these may differ. */
function sameOperations(some: readonly Operation[], others: readonly Operation[]): boolean {
  return (
    some.length === others.length &&
    some.every((each, index) => each.draw === 'clip' || isDeepStrictEqual(each, others[index]))
  );
}

/** The alpha of a panel in 8 bits; even an invisible panel has edges. */
const MIN_ALPHA = 8;

/** The picture under boards of glass, blurred where they are, as a new frame that belongs to the caller. (C47) */
function glassFrame(under: Frame, boards: readonly StackLayer[], theme: Theme, pool: FramePool): Frame {
  const frame = pool.share(under);
  mustSucceed(frame.makeWritable(), 'av_frame_make_writable');
  const cellPx = glassCellPx(frame);
  const planes = bytesOf(frame);
  for (const { frame: board, rect } of boards) {
    const alpha = bytesOf(board)[3]!;
    const mask = {
      data: alpha,
      start: 0,
      stride: board.linesize[3]!,
      step: 1,
      full: Math.max(MIN_ALPHA, Math.round(theme.panelOpacity * 255)),
    };
    for (let plane = 0; plane < 3; plane += 1) {
      const halves = plane === 0 ? 1 : 2;
      const stride = frame.linesize[plane]!;
      const start = (rect.y / halves) * stride + rect.x / halves;
      const size = { width: rect.width / halves, height: rect.height / halves };
      blurUnder({ data: planes[plane]!, start, stride, step: 1 }, size, cellPx / halves, mask, halves);
    }
  }
  return frame;
}

function bytesOf(frame: Frame): Uint8Array[] {
  return frame.data!.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
}
