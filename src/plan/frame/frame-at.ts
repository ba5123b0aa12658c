import type { Frames, Micros } from '../../time.ts';
import type { ThemeName } from '../../timeline/choices.ts';
import {
  coveredShare,
  type Gradient,
  gradientBehind,
  intersect,
  nearestEven,
  type Rect,
  referenceScale,
  themeBehind,
} from '../model/canvas.ts';
import type { ClipLayer } from '../model/clip-layer.ts';
import type { BoardWindow } from '../model/painted-layers.ts';
import type { LayerRef, PaintedRef, RenderPlan } from '../model/render-plan.ts';
import { eventsAt } from '../reveal/board-state.ts';
import { clockAt } from '../reveal/course.ts';
import { dimAt, shakeAt } from '../reveal/event-styles.ts';
import { lookOf } from '../theme/theme-looks.ts';
import { type ClipView, clipTime, type Mix, mixAt, viewAt } from './clip-at-frame.ts';
import { spanAt } from './frame-runs.ts';
import { gradientMove } from './ground.ts';
import { PAINTED } from './painted-kinds.ts';
import { type Presence, presenceAt } from './picture-envelope.ts';

/**
 * One drawing operation of a frame. Operations are plain data: they have everything that decides the pixels, and
 * nothing about how these are made. Two that are equal draw the same, if the sources show the same pictures.
 */
export type Operation =
  | Background
  | PictureOperation
  /** Blurs what is drawn so far, where these boards are. (C47) */
  | { readonly draw: 'glass'; readonly boards: readonly PaintedAt[] }
  /** A painted layer, without the part of it that is in front of the board. */
  | ({ readonly draw: 'painted' } & PaintedAt)
  | ({ readonly draw: 'dim' } & Dim)
  /** Shifts everything drawn so far; the edge is repeated into the gap. (R30) */
  | ({ readonly draw: 'shake' } & Shift)
  /** What a board has in front of it: the cards that it holds up, confetti. */
  | ({ readonly draw: 'front' } & PaintedAt);

/** Fills the canvas with a colour, a gradient, or the ground of a theme. (C61, R37) */
export interface Background {
  readonly draw: 'background';
  readonly color: string;
  readonly gradient: Gradient | null;
  /** How far the gradient has moved. */
  readonly move: number;
  readonly theme: ThemeName | null;
}

/** A clip, alone or as part of a picture of the whole canvas. */
export type PictureOperation = ClipOperation | GroupOperation | MixOperation;

interface PictureBase {
  /** Of `RenderPlan.clips`. */
  readonly clip: number;
  /** How much of it is seen, and where; null: all of it, in its place. */
  readonly presence: Presence | null;
  /** The dim that it is seen through, itself and not what is below it. (R27) */
  readonly dim: Dim | null;
}

/** A clip with its backdrop, its shadow and its border, and bars in the colour of a background that has only a colour. */
export interface ClipOperation extends PictureBase {
  readonly draw: 'clip';
  /** The source time. */
  readonly at: Micros;
  /** The part of the upright source that is shown in `ClipLayer.dest`. */
  readonly view: ClipView;
}

/** A clip and the background beside it as one picture of the canvas. (C61) */
interface GroupOperation extends PictureBase {
  readonly draw: 'group';
  readonly operations: readonly Operation[];
}

/** A clip and the one it replaces, each a picture of the canvas, mixed into one. (C58) */
export interface MixOperation extends PictureBase {
  readonly draw: 'mix';
  readonly mix: Mix;
  readonly from: readonly Operation[];
  readonly to: readonly Operation[];
}

/** A painted layer and the frame it is painted for: while it rests, the first of its span. */
export interface PaintedAt {
  readonly layer: PaintedRef;
  readonly at: Frames;
}

/** One colour over everything drawn so far; `alpha` from 0 to 1. (R19) */
export interface Dim {
  readonly color: readonly [red: number, green: number, blue: number];
  readonly alpha: number;
}

/** A way across the canvas, in even pixels. */
export interface Shift {
  readonly x: number;
  readonly y: number;
}

/** A board that covers less of the canvas than this dims less: the picture beside it should stay visible. A tall canvas has room that no picture uses. (R27) */
const COVERED = { wide: 0.7, tall: 0.4 };
const DIM_ALPHA_BESIDE = 0.4;
/** How much clips in front of the board are dimmed at most: faces stay lit. (R27) */
const MAX_DIM_ABOVE = 0.25;
/** The dim changes in steps that every blender can reproduce exactly. */
const DIM_STEPS = 256;
/** How far everything behind a slam is shaken, where the canvas's shorter side has 1080 pixels. (R30) */
const SHAKE_PX = 18;

/**
 * The drawing operations of frame `n`, in order: the background, clips, boards, their dim and shake, clips in front of
 * boards, the cards that boards hold up, texts. (R4, R6) Engine and preview execute them, each in its own way.
 */
export function frameAt(plan: RenderPlan, n: Frames): readonly Operation[] {
  const { start, layers } = spanAt(plan.spans, n) ?? { start: n, layers: [] };
  const clips = new ClipsAt(plan, layers, n);
  const painted = layers.flatMap((layer): PaintedAt[] =>
    layer.kind === 'clip' ? [] : [{ layer, at: layer.changes ? n : start }],
  );
  const boards = painted.filter(({ layer }) => PAINTED[layer.kind].isDimmed);
  const texts = painted.filter(({ layer }) => !PAINTED[layer.kind].isDimmed);
  const glass = plan.theme.glass ? boards.filter(({ layer }) => PAINTED[layer.kind].isGlass) : [];
  const moving = boards.filter(({ layer }) => layer.changes);
  const { dim, shake } = joined(moving.map(({ layer }) => boardEffects(plan, plan.painted.board[layer.index]!, n)));
  const dimAbove = dim && { ...dim, alpha: Math.min(dim.alpha, MAX_DIM_ABOVE) };
  return [
    ...clips.below,
    ...(glass.length === 0 ? [] : [{ draw: 'glass', boards: glass } as const]),
    ...boards.map((each) => ({ draw: 'painted', ...each }) as const),
    ...(dim === null ? [] : [{ draw: 'dim', ...dim } as const]),
    ...(shake === null ? [] : [{ draw: 'shake', ...shake } as const]),
    ...clips.above.map((clip) => ({ ...clip, dim: dimAbove })),
    ...moving.map((each) => ({ draw: 'front', ...each }) as const),
    ...texts.map((each) => ({ draw: 'painted', ...each }) as const),
  ];
}

/** All clips of a frame, those in groups and mixes too. */
export function* clipsIn(operations: readonly Operation[]): Generator<ClipOperation> {
  for (const operation of operations) {
    if (operation.draw === 'clip') yield operation;
    else if (operation.draw === 'group') yield* clipsIn(operation.operations);
    else if (operation.draw === 'mix') yield* clipsIn([...operation.from, ...operation.to]);
  }
}

/** What the events of a board do to everything behind its cards. */
interface BoardEffects {
  readonly dim: Dim | null;
  readonly shake: Shift | null;
}

/** The dim and the shake of a board window at frame `n`. */
export function boardEffects(
  { board, canvas, theme }: Pick<RenderPlan, 'board' | 'canvas' | 'theme'>,
  window: Pick<BoardWindow, 'rect' | 'shows' | 'enter' | 'exit'>,
  n: Frames,
): BoardEffects {
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const presence = presenceAt(window, n, window.rect, canvas) ?? { opacity: 1, x: 0, y: 0 };
  const place = { ...window.rect, x: window.rect.x + presence.x, y: window.rect.y + presence.y };
  if (board === null || intersect(place, whole) === null) return { dim: null, shake: null };
  const { dim, motion } = lookOf(theme);
  const flights = eventsAt(board, n).underWay.map((event) => ({
    style: event.style,
    clock: clockAt(event, n, board.rate, motion),
  }));
  const share = Math.max(0, ...flights.map(({ style, clock }) => dimAt(style, clock)));
  const covered = COVERED[canvas.height > canvas.width ? 'tall' : 'wide'];
  const most = coveredShare(whole, window.rect) < covered ? DIM_ALPHA_BESIDE : dim.alpha;
  const alpha = stepped(stepped(most * share) * presence.opacity);
  const shares = flights.map(({ style, clock }) => shakeAt(style, clock));
  const along = (axis: 'x' | 'y') => {
    const sum = shares.reduce((total, each) => total + each[axis], 0);
    return nearestEven(Math.min(1, Math.max(-1, sum)) * SHAKE_PX * referenceScale(canvas));
  };
  const shake = { x: along('x'), y: along('y') };
  return {
    dim: share === 0 ? null : { color: channels(dim.color), alpha },
    shake: shake.x === 0 && shake.y === 0 ? null : shake,
  };
}

/** Two boards dim the canvas no more than one; the front one decides how it is shaken. */
function joined(boards: readonly BoardEffects[]): BoardEffects {
  return boards.reduce<BoardEffects>(
    (all, { dim, shake }) => ({
      dim: dim !== null && (all.dim === null || dim.alpha > all.dim.alpha) ? dim : all.dim,
      shake: shake ?? all.shake,
    }),
    { dim: null, shake: null },
  );
}

/** The colour of `#rrggbb`. */
function channels(color: string): Dim['color'] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function stepped(alpha: number): number {
  return Math.round(alpha * DIM_STEPS) / DIM_STEPS;
}

/** The clips of a frame as operations, in front of the background. */
class ClipsAt {
  readonly below: Operation[];
  readonly above: PictureOperation[] = [];
  readonly #plan: RenderPlan;
  readonly #n: Frames;
  readonly #background: Background;
  /** What shows in bars: the background, and background clips. (C61) */
  readonly #ground: readonly Operation[];
  /** Clips that are shown as part of the clip that replaces them; how many operations are under each, once it was its turn. */
  readonly #replaced: ReadonlySet<number>;
  readonly #depths = new Map<number, number>();

  constructor(plan: RenderPlan, layers: readonly LayerRef[], n: Frames) {
    this.#plan = plan;
    this.#n = n;
    const { background: color } = plan.canvas;
    const gradient = gradientBehind(plan.canvas);
    const move = gradient === null ? 0 : gradientMove(gradient, n, plan.rate);
    this.#background = { draw: 'background', color, gradient, move, theme: themeBehind(plan.canvas) };
    const clips = layers.flatMap(({ kind, index }) => (kind === 'clip' ? [index] : []));
    const grounds = clips.filter((clip) => plan.clips[clip]!.ground !== undefined);
    this.#ground = [this.#background, ...grounds.map((clip) => this.#clip(clip, null))];
    this.below = [...this.#ground];
    this.#replaced = new Set(
      clips.flatMap((clip) => {
        const from = this.#mixOf(clip) === null ? null : this.#of(clip).transition!.from;
        return from !== null && clips.includes(from) ? [from] : [];
      }),
    );
    for (const clip of clips) {
      const { ground, isAboveBoard } = this.#of(clip);
      if (ground === undefined) this.#add(clip, isAboveBoard ? this.above : this.below);
    }
  }

  #of(clip: number): ClipLayer {
    return this.#plan.clips[clip]!;
  }

  #mixOf(clip: number): Mix | null {
    return mixAt(this.#of(clip), this.#n, this.#plan.canvas);
  }

  /** Adds a clip in front of the others. During its transition it becomes one picture with them. (C58) */
  #add(clip: number, into: Operation[]): void {
    const mix = this.#mixOf(clip);
    if (mix !== null) into.push(this.#mixed(clip, mix, into.splice(0)));
    else if (this.#replaced.has(clip)) this.#depths.set(clip, into.length);
    else into.push(this.#shown(clip, into));
  }

  /** A clip and the one it replaces, each over the operations below it. */
  #mixed(clip: number, mix: Mix, under: readonly Operation[]): MixOperation {
    const { from } = this.#of(clip).transition!;
    const to = this.#over(clip, under);
    const isFromShown = from !== null && this.#replaced.has(from);
    const depth = isFromShown ? (this.#depths.get(from) ?? under.length) : under.length;
    const before = isFromShown ? this.#over(from, under.slice(0, depth)) : this.#filled(under);
    return { draw: 'mix', clip, presence: null, dim: null, mix, from: [...before, ...under.slice(depth)], to };
  }

  /** A clip by itself. Bars that show a gradient or a picture hide everything below and fade with the clip. (C61) */
  #shown(clip: number, under: readonly Operation[]): PictureOperation {
    const layer = this.#of(clip);
    const presence = presenceAt(layer, this.#n, this.#boxOf(layer), this.#plan.canvas);
    const isOnGround = under[0] === this.#background && under.length === this.#ground.length;
    if (!this.#showsGround(clip) || (isOnGround && presence === null)) return this.#clip(clip, presence);
    return { draw: 'group', clip, presence, dim: null, operations: this.#over(clip, []) };
  }

  /** A clip as a picture of the canvas: over the background, if its bars show that, or over `under`. */
  #over(clip: number, under: readonly Operation[]): Operation[] {
    return [...(this.#showsGround(clip) ? this.#ground : this.#filled(under)), this.#clip(clip, null)];
  }

  /** Operations that fill the canvas: those in front of boards begin without a background. */
  #filled(under: readonly Operation[]): readonly Operation[] {
    const first = under[0]?.draw;
    return first === 'background' || first === 'mix' ? under : [this.#background, ...under];
  }

  #clip(clip: number, presence: Presence | null): ClipOperation {
    const layer = this.#of(clip);
    const at = clipTime(layer, this.#n, this.#plan.rate);
    const view = layer.motion === null ? layer.crop : viewAt(layer.motion, this.#n);
    return { draw: 'clip', clip, at, view, presence, dim: null };
  }

  /** The rectangle of the canvas that a clip fills. */
  #boxOf({ look, matte, backdrop, dest }: ClipLayer): Rect {
    const bars = this.#plan.canvas.behind === undefined ? matte : null;
    return look?.rect ?? bars ?? backdrop?.dest ?? dest;
  }

  /** Whether the bars beside a clip show a gradient or a picture. */
  #showsGround(clip: number): boolean {
    return this.#of(clip).matte !== null && this.#plan.canvas.behind !== undefined;
  }
}
