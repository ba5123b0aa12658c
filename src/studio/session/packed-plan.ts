import { RecentMap } from '../../collections/recent-map.ts';
import type { Canvas, RenderPlan } from '../../plan/render-plan.ts';

/**
 * A plan on its way from the worker that plans to the one that draws. The page between them wants little more of it than its size, and a
 * plan of two hours is tens of thousands of objects: as text, passing it on costs next to nothing. The text is in pieces, since an edit
 * changes few of them: whoever has read the plan before reads those alone.
 */
export interface PackedPlan {
  readonly canvas: Canvas;
  readonly totalFrames: number;
  /** Whether there is anything to be heard. */
  readonly hasSound: boolean;
  /** All but the lists. */
  readonly rest: string;
  /** What there may be thousands of. */
  readonly lists: Readonly<Record<'spans' | 'clips', readonly string[]>>;
  readonly painted: Readonly<Record<string, readonly string[]>>;
}

/** So many entries are a piece; of spans, those that begin within so many frames, since an edit may make one more of them. */
const PIECE_ENTRIES = 32;
const PIECE_FRAMES = 1024;
/** Those of three shapes of two hours with thousands of entries, as they are and as they were. */
const KEPT_PIECES = 1500;

export function packed(plan: RenderPlan): PackedPlan {
  const { spans, painted, clips, ...rest } = plan;
  return {
    canvas: plan.canvas,
    totalFrames: plan.totalFrames,
    hasSound: plan.audio.clips.length > 0,
    rest: JSON.stringify(rest),
    lists: {
      spans: inPieces(spans, ({ start }) => Math.floor(start / PIECE_FRAMES)),
      clips: inPieces(clips, byIndex),
    },
    painted: Object.fromEntries(
      Object.entries(painted).map(([kind, layers]) => [kind, inPieces<object>(layers, byIndex)]),
    ),
  };
}

function byIndex(_: unknown, index: number): number {
  return Math.floor(index / PIECE_ENTRIES);
}

function inPieces<T>(list: readonly T[], pieceOf: (entry: T, index: number) => number): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let i = 1; i <= list.length; i += 1) {
    if (i < list.length && pieceOf(list[i]!, i) === pieceOf(list[from]!, from)) continue;
    pieces.push(JSON.stringify(list.slice(from, i)));
    from = i;
  }
  return pieces;
}

const plans = new WeakMap<PackedPlan, RenderPlan>();
const pieces = new RecentMap<string, unknown>(KEPT_PIECES);

/** All of it; read once. */
export function unpacked(from: PackedPlan): RenderPlan {
  let plan = plans.get(from);
  if (plan === undefined) {
    plan = { ...(read(from.rest) as object), ...readLists(from.lists), painted: readLists(from.painted) } as RenderPlan;
    plans.set(from, plan);
  }
  return plan;
}

function readLists(lists: Readonly<Record<string, readonly string[]>>): object {
  return Object.fromEntries(Object.entries(lists).map(([name, texts]) => [name, texts.flatMap(read)]));
}

function read(piece: string): unknown {
  return pieces.getOrMake(piece, () => JSON.parse(piece));
}
