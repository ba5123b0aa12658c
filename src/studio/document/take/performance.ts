import type { Project } from '../project.ts';

/** A card is put into a row. Times are those of whoever performs: milliseconds of the page first, seconds of the take later. */
export interface Act {
  readonly item: string;
  readonly row: string;
  /** Among the cards that are seen in the row, without this one. */
  readonly index: number;
  /** When the card was picked up, and when it was dropped. */
  readonly up: number;
  readonly at: number;
}

/** The cards that are seen in a row. */
export interface SeenRow {
  readonly id: string;
  readonly items: readonly string[];
}

/** What is done to cards in a take. A value: every function here returns another one. */
export interface Performance {
  /** The board before the first act. */
  readonly start: readonly SeenRow[];
  readonly acts: readonly Act[];
  /** The card that is held up. */
  readonly up: { readonly item: string; readonly at: number } | null;
}

/** A card is picked up. One that is up already goes back. */
export function pickUp(performance: Performance, item: string, at: number): Performance {
  return { ...performance, up: { item, at } };
}

/** The card that is up goes into a row, to its end where no place is given. */
export function drop(performance: Performance, row: string, at: number, index = Number.POSITIVE_INFINITY): Performance {
  const { up, acts } = performance;
  if (up === null) return performance;
  const others = seenRows(performance)
    .find(({ id }) => id === row)
    ?.items.filter((item) => item !== up.item);
  if (others === undefined) return performance;
  const act = { item: up.item, row, index: Math.min(index, others.length), up: up.at, at: Math.max(at, up.at) };
  return { ...performance, up: null, acts: [...acts, act] };
}

/** The card that is up goes back to where it came from; it was never up. */
export function putBack(performance: Performance): Performance {
  return { ...performance, up: null };
}

/** Takes the last of it back: the card that is up, else the last drop. */
export function undoLast(performance: Performance): Performance {
  if (performance.up !== null) return putBack(performance);
  return { ...performance, acts: performance.acts.slice(0, -1) };
}

/** The same performance with other times. */
export function retimed(performance: Performance, time: (at: number) => number): Performance {
  const { acts, up } = performance;
  return {
    ...performance,
    acts: acts.map((act) => ({ ...act, up: time(act.up), at: time(act.at) })),
    up: up && { ...up, at: time(up.at) },
  };
}

/** The board as it is seen now. */
export function seenRows({ start, acts }: Pick<Performance, 'start' | 'acts'>): readonly SeenRow[] {
  return acts.reduce((rows, { item, row, index }) => {
    return rows.map(({ id, items }) => {
      const others = items.filter((other) => other !== item);
      return { id, items: id === row ? others.toSpliced(index, 0, item) : others };
    });
  }, start);
}

/** The cards that are in no row yet, in the order of the items. */
export function waitingItems({ items }: Project['tier_list'], performance: Performance): string[] {
  const ranked = new Set(seenRows(performance).flatMap((row) => row.items));
  return items.map(({ id }) => id).filter((id) => !ranked.has(id));
}
