import type { Seconds } from '../../../time.ts';
import { AUTO_DEFAULTS, rankedIds, revealOrder } from '../../../timeline/auto-timeline.ts';
import type { AUTO_ORDERS } from '../../../timeline/choices.ts';
import type { RawTile } from '../../../timeline/schema.ts';
import type { TimelineData } from '../project.ts';
import { withLane } from './entries.ts';
import { positionedAt } from './move-entries.ts';
import { isMove } from './reveals.ts';
import { toMicros } from './slot.ts';

export type OrderName = (typeof AUTO_ORDERS)[number];

/**
 * What happens to times when reveals are reordered. `stay`: the times stay, and other items are revealed at them. `move`: each item
 * takes its time until the next reveal along.
 */
export type OrderTimes = 'stay' | 'move';

/** The reveal of each item, in time order. If an item has several, the earliest counts. (C22) */
export function revealsByTime(timeline: TimelineData): readonly RawTile[] {
  const byItem = new Map<string, RawTile>();
  for (const tile of timeline.tier_tiles.filter((each) => !isMove(each)).toSorted((a, b) => a.position - b.position)) {
    if (!byItem.has(tile.tier_item_id)) byItem.set(tile.tier_item_id, tile);
  }
  return [...byItem.values()];
}

/** The items of a list in a named order. @param seed of a shuffle. */
export function namedOrder(list: Parameters<typeof rankedIds>[0], order: OrderName, seed: number): readonly string[] {
  return revealOrder(rankedIds(list), order, seed);
}

/** The order of the reveals with one item moved. */
export function movedTo(timeline: TimelineData, item: string, place: number): readonly string[] {
  const others = revealsByTime(timeline)
    .map((tile) => tile.tier_item_id)
    .filter((id) => id !== item);
  return others.toSpliced(Math.max(0, Math.min(place, others.length)), 0, item);
}

/** Reorders the reveals; items that `order` does not name follow in their current order. Moves stay where they are. */
export function reorderReveals(timeline: TimelineData, order: readonly string[], times: OrderTimes): TimelineData {
  const before = revealsByTime(timeline);
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = (tile: RawTile) => places.get(tile.tier_item_id) ?? order.length;
  const after = before.toSorted((a, b) => placeOf(a) - placeOf(b));
  if (after.every((tile, place) => tile === before[place])) return timeline;
  const positions = times === 'stay' ? before.map(({ position }) => position) : followingOn(timeline, before, after);
  const placed = after.map((tile, place) =>
    tile.position === positions[place] ? tile : positionedAt(tile, positions[place]!),
  );
  // The lane is reordered too, since its order decides between reveals at the same time.
  const reveals = new Set(before);
  const next = placed.values();
  const tiles: readonly RawTile[] = timeline.tier_tiles;
  return withLane(
    timeline,
    'tier_tiles',
    tiles.map((tile) => (reveals.has(tile) ? next.next().value! : tile)),
  );
}

/** Reveals one after the other from the time of the first, each with its earlier length. */
function followingOn(timeline: TimelineData, before: readonly RawTile[], after: readonly RawTile[]): Seconds[] {
  const last = before.at(-1)!.position;
  const boardEnd = Math.max(0, ...timeline.tier_blocks.map(({ start, duration }) => start + duration));
  const lastLength = boardEnd > last ? boardEnd - last : AUTO_DEFAULTS.secondsPerItem;
  const lengths = new Map(
    before.map((tile, place) => {
      const next = before[place + 1];
      return [tile, next === undefined ? lastLength : next.position - tile.position];
    }),
  );
  let at = before[0]!.position;
  return after.map((tile) => {
    const position = toMicros(at);
    at += lengths.get(tile)!;
    return position;
  });
}
