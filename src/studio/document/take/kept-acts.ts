import { type Frames, secondsOf } from '../../../time.ts';
import type { EntryOf, Project } from '../project.ts';
import type { TimeRules } from '../timeline/slot.ts';
import type { Arrival } from './arrange-acts.ts';
import { type SeenRow, seenRows } from './performance.ts';

type Tile = EntryOf<'tier_tiles'>;

/** An action on a card before the take, with its tile; null if the card is visible from the start. */
interface KeptAct extends Arrival {
  readonly tile: Tile | null;
}

/** The actions on the board before a frame, in order. There are none at frame 0: a take that starts there has an empty board. */
export function keptActs({ tier_list, timeline_data }: Project, at: Frames, { rate }: TimeRules): KeptAct[] {
  if (at === 0) return [];
  const now = secondsOf(at, rate);
  const items = new Set(tier_list.items.map(({ id }) => id));
  const placed = new Set<string>();
  // An item in two rows is in the first. (C22)
  const rows = tier_list.rows.map(({ id, item_ids: ids = [] }) => {
    const own = ids.filter((item) => items.has(item) && !placed.has(item) && placed.add(item));
    return { id, items: own };
  });
  const tiles = timeline_data.tier_tiles.toSorted((a, b) => a.position - b.position);
  const revealed = new Set(tiles.filter(isReveal).map((tile) => tile.tier_item_id));
  const seen = new Set<string>();
  const acts: KeptAct[] = [];
  const show = (item: string, tile: Tile | null) => {
    const row = rows.find((each) => each.items.includes(item));
    if (row === undefined) return;
    const index = row.items.filter((other) => other === item || seen.has(other)).indexOf(item);
    seen.add(item);
    acts.push({ item, row: row.id, index, tile });
  };
  for (const row of rows) for (const item of row.items) if (!revealed.has(item)) show(item, null);
  for (const tile of tiles) {
    if (tile.position >= now) break;
    const item = tile.tier_item_id;
    if (isReveal(tile)) {
      if (!seen.has(item)) show(item, tile);
      continue;
    }
    for (const row of rows) {
      row.items = row.items.filter((other) => other !== item);
      if (row.id === tile.to_row) row.items.splice(tile.index ?? row.items.length, 0, item);
    }
    // A move before the reveal is not visible.
    if (seen.has(item) || !revealed.has(item)) show(item, tile);
  }
  return acts;
}

function isReveal({ to_row: row }: Tile): boolean {
  return row === undefined;
}

/** The board that a take starts from. */
export function boardBefore(project: Project, at: Frames, rules: TimeRules): readonly SeenRow[] {
  const start = project.tier_list.rows.map(({ id }) => ({ id, items: [] }));
  const acts = keptActs(project, at, rules).map((act) => ({ ...act, up: 0, at: 0 }));
  return seenRows({ start, acts });
}
