import type { Draft } from 'immer';
import { SPAN_LANES } from '../../timeline/lanes.ts';
import { automaticReveals } from './automatic-reveals.ts';
import type { Project } from './project.ts';

/** How much of its board a video shows. */
export interface BoardSummary {
  readonly items: number;
  readonly ranked: number;
  /** Ranked items with a reveal; the others are visible from the start. */
  readonly revealed: number;
  /** Whether the board is visible at all. */
  readonly seen: boolean;
}

export function boardSummary({ tier_list: { items, rows }, timeline_data }: Project): BoardSummary {
  const there = new Set(items.map(({ id }) => id));
  const ranked = new Set(rows.flatMap(({ item_ids = [] }) => item_ids).filter((id) => there.has(id)));
  const revealed = new Set(timeline_data.tier_tiles.map(({ tier_item_id }) => tier_item_id));
  return {
    items: items.length,
    ranked: ranked.size,
    revealed: [...ranked].filter((id) => revealed.has(id)).length,
    seen: timeline_data.tier_blocks.length > 0,
  };
}

/** Whether the board is shown without any reveal: valid, but probably not intended. */
export function revealsNothing({ items, revealed, seen }: BoardSummary): boolean {
  return seen && items > 0 && revealed === 0;
}

/** Whether the board is the only content, so that its block may be extended. */
export function isBoardAlone({ timeline_data }: Project): boolean {
  const others = SPAN_LANES.filter((lane) => lane !== 'tier_blocks');
  return others.every((lane) => timeline_data[lane].length === 0);
}

/** Generates reveals for all ranked items, one after the other. */
export function revealAll(draft: Draft<Project>): void {
  Object.assign(draft.timeline_data, automaticReveals(draft as Project));
}
