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

/** A part on its way: its text, or the index of that text in the same list of the plan before. */
type SentPart = string | number;

type SentLists = Readonly<Record<string, readonly SentPart[]>>;

/** A plan without the texts that the receiver has. A message copies every text, and an edit of an hour changes a fifth of them. */
export type SentPlan = Omit<PackedPlan, 'lists' | 'painted'> & {
  readonly lists: SentLists;
  readonly painted: SentLists;
};

/** One end of a channel for plans. Both ends remember the last plan of each preset, so every message must be read, in order. */
export class PlanChannel {
  readonly #last = new Map<string, PackedPlan>();

  sent(preset: string, plan: PackedPlan): SentPlan {
    const before = this.#last.get(preset);
    this.#last.set(preset, plan);
    const shortened = (lists: Lists, known: Lists = {}): SentLists =>
      mapped(lists, (parts, name) => {
        const indexes = new Map(known[name]?.map((text, index) => [text, index]));
        return parts.map((text) => indexes.get(text) ?? text);
      });
    return {
      ...plan,
      lists: shortened(plan.lists, before?.lists),
      painted: shortened(plan.painted, before?.painted),
    };
  }

  received(preset: string, sent: SentPlan): PackedPlan {
    const before = this.#last.get(preset);
    const whole = (lists: SentLists, known: Lists = {}): Lists =>
      mapped(lists, (parts, name) => parts.map((part) => (typeof part === 'number' ? known[name]![part]! : part)));
    const plan = {
      ...sent,
      lists: whole(sent.lists, before?.lists) as PackedPlan['lists'],
      painted: whole(sent.painted, before?.painted),
    };
    this.#last.set(preset, plan);
    return plan;
  }
}

type Lists = Readonly<Record<string, readonly string[]>>;

function mapped<A, B>(of: Readonly<Record<string, A>>, change: (value: A, name: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]));
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

function readLists(lists: Lists): object {
  return mapped(lists, (texts) => texts.flatMap(read));
}

function read(page: string): unknown {
  return pages.getOrMake(page, () => JSON.parse(page));
}
