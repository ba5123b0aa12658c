import type { Draft } from 'immer';
import { SPAN_LANES } from '../../timeline/lanes.ts';
import { automaticReveals } from './automatic-reveals.ts';
import type { Project } from './project.ts';

/** What of its board a video tells. */
export interface BoardSummary {
  readonly items: number;
  readonly ranked: number;
  /** Ranked items that come in while one watches; the others are there from the start. */
  readonly revealed: number;
  /** Whether the board is seen at all. */
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

/** A board on which nothing ever happens is a video too, but hardly the one that was meant. */
export function tellsNothing({ items, revealed, seen }: BoardSummary): boolean {
  return seen && items > 0 && revealed === 0;
}

/** Whether the board has all of the time to itself, so that it may be given more of it. */
export function isBoardAlone({ timeline_data }: Project): boolean {
  const others = SPAN_LANES.filter((lane) => lane !== 'tier_blocks');
  return others.every((lane) => timeline_data[lane].length === 0);
}

/** The board's time as it comes by itself: everything that is ranked, one after the other. */
export function revealAll(draft: Draft<Project>): void {
  Object.assign(draft.timeline_data, automaticReveals(draft as Project));
}
