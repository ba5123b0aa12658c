import { RecentMap } from '../../collections.ts';
import type { Canvas } from '../../plan/model/canvas.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';

/**
 * A plan on its way from the planning worker to the drawing worker. The page between them needs little more than its size, and a plan
 * of two hours is tens of thousands of objects: as text, passing it on costs next to nothing. The text is split into parts. An edit
 * changes few parts, so a reader that has the plan before parses only those.
 */
export interface PackedPlan {
  readonly canvas: Canvas;
  readonly totalFrames: number;
  /** Whether the plan has any sound. */
  readonly hasSound: boolean;
  /** Everything except the lists. */
  readonly rest: string;
  /** Lists that can have thousands of entries. */
  readonly lists: Readonly<Record<'spans' | 'clips', readonly string[]>>;
  readonly painted: Readonly<Record<string, readonly string[]>>;
}

/** Entries in a part. Spans are grouped by the frames in which they start, since an edit may add a span. */
const PAGE_ENTRIES = 32;
const PAGE_FRAMES = 1024;
/** Enough for three presets of two hours with thousands of entries, before and after an edit. */
const KEPT_PAGES = 1500;

export function packed(plan: RenderPlan): PackedPlan {
  const { spans, painted, clips, ...rest } = plan;
  return {
    canvas: plan.canvas,
    totalFrames: plan.totalFrames,
    hasSound: plan.audio.clips.length > 0,
    rest: JSON.stringify(rest),
    lists: {
      spans: inPages(spans, ({ start }) => Math.floor(start / PAGE_FRAMES)),
      clips: inPages(clips, byIndex),
    },
    painted: Object.fromEntries(
      Object.entries(painted).map(([kind, layers]) => [kind, inPages<object>(layers, byIndex)]),
    ),
  };
}

function byIndex(_: unknown, index: number): number {
  return Math.floor(index / PAGE_ENTRIES);
}

function inPages<T>(list: readonly T[], pageOf: (entry: T, index: number) => number): string[] {
  const pages: string[] = [];
  let from = 0;
  for (let i = 1; i <= list.length; i += 1) {
    if (i < list.length && pageOf(list[i]!, i) === pageOf(list[from]!, from)) continue;
    pages.push(JSON.stringify(list.slice(from, i)));
    from = i;
  }
  return pages;
}

const plans = new WeakMap<PackedPlan, RenderPlan>();
const pages = new RecentMap<string, unknown>(KEPT_PAGES);

/** The whole plan, parsed once. */
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

function read(page: string): unknown {
  return pages.getOrMake(page, () => JSON.parse(page));
}
