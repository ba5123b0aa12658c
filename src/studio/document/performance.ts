import type { Project } from './project.ts';

/** A card is placed in a row. Times are in milliseconds of the page during a take, later in seconds of the take. */
export interface Act {
  readonly item: string;
  readonly row: string;
  /** The index among the visible cards of the row, without this one. */
  readonly index: number;
  /** When the card was picked up, and when it was dropped. */
  readonly up: number;
  readonly at: number;
}

/** The visible cards of a row. */
export interface SeenRow {
  readonly id: string;
  readonly items: readonly string[];
}

/** The actions of a take. Immutable: every function here returns a new one. */
export interface Performance {
  /** The board before the first act. */
  readonly start: readonly SeenRow[];
  readonly acts: readonly Act[];
  /** The card that is held up. */
  readonly up: { readonly item: string; readonly at: number } | null;
}

/** Picks up a card. A card that is already up goes back. */
export function pickUp(performance: Performance, item: string, at: number): Performance {
  return { ...performance, up: { item, at } };
}

/** Drops the card that is up into a row, by default at its end. */
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

/** Puts the card that is up back, without a trace. */
export function putBack(performance: Performance): Performance {
  return { ...performance, up: null };
}

/** Undoes the last action: puts back the card that is up, else removes the last drop. */
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

/** The board after all actions. */
export function seenRows({ start, acts }: Pick<Performance, 'start' | 'acts'>): readonly SeenRow[] {
  return acts.reduce((rows, { item, row, index }) => {
    return rows.map(({ id, items }) => {
      const others = items.filter((other) => other !== item);
      return { id, items: id === row ? others.toSpliced(index, 0, item) : others };
    });
  }, start);
}

/** The cards in no row, in item order. */
export function waitingItems({ items }: Project['tier_list'], performance: Performance): string[] {
  const ranked = new Set(seenRows(performance).flatMap((row) => row.items));
  return items.map(({ id }) => id).filter((id) => !ranked.has(id));
}

/** Keys with another meaning during a take. */
const TAKEN = new Set(['p']);

/** The key of each row: the letter of its label if it is unique, else its number. */
export function rowKeys(
  rows: readonly { readonly id: string; readonly label?: string | undefined }[],
): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const used = new Set(TAKEN);
  for (const { id, label = '' } of rows) {
    const key = label.trim().toLowerCase();
    if (!/^[a-z]$/.test(key) || used.has(key)) continue;
    used.add(key);
    keys.set(id, key);
  }
  for (const [i, { id }] of rows.entries()) if (!keys.has(id) && i < 9) keys.set(id, String(i + 1));
  return keys;
}
