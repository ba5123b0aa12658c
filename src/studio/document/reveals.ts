import type { Frames, Range, Seconds } from '../../time.ts';
import { AUTO_DEFAULTS, rankedIds, revealOrder } from '../../timeline/auto-timeline.ts';
import type { AUTO_ORDERS } from '../../timeline/choices.ts';
import type { RawTile } from '../../timeline/document-schemas.ts';
import { freeId } from '../../timeline/free-id.ts';
import { type TimeRules, toMicros, withEntry, withLane, written } from './entries.ts';
import { positionedAt, startingAt } from './move-entries.ts';
import type { TimelineData } from './project.ts';

type RankedItems = Parameters<typeof rankedIds>[0];

/** The default order of reveals: from the lowest row to the top one, each from left to right. */
export function defaultOrder(list: RankedItems): readonly string[] {
  return revealOrder(rankedIds(list), AUTO_DEFAULTS.order);
}

/** Ranked items without a reveal, in reveal order. */
export function unrevealed(timeline: TimelineData, list: RankedItems): string[] {
  const revealed = new Set(timeline.tier_tiles.map((tile) => tile.tier_item_id));
  return defaultOrder(list).filter((id) => !revealed.has(id));
}

/** Reveals an item at a frame: moves its reveal, or adds one. */
export function revealAt(timeline: TimelineData, itemId: string, at: Frames, rules: TimeRules): TimelineData {
  const tiles: readonly RawTile[] = timeline.tier_tiles;
  const index = tiles.findIndex((tile) => tile.tier_item_id === itemId && !isMove(tile));
  if (index === -1) {
    return withLane(timeline, 'tier_tiles', [...tiles, { tier_item_id: itemId, position: written(at, rules.rate) }]);
  }
  return withEntry(timeline, { lane: 'tier_tiles', index }, startingAt(tiles[index]!, at, rules));
}

/** The reveal of an item; of several tiles the earliest. (C22) */
export function revealOf(timeline: TimelineData, itemId: string): RawTile | undefined {
  const tiles = timeline.tier_tiles.filter((tile) => tile.tier_item_id === itemId);
  return tiles.toSorted((a, b) => a.position - b.position)[0];
}

/** Reveals an item at a typed second; null removes its reveal. */
export function revealAtSecond(timeline: TimelineData, itemId: string, position: Seconds | null): TimelineData {
  const tiles: readonly RawTile[] = timeline.tier_tiles;
  const tile = revealOf(timeline, itemId);
  if (position === null) {
    return withLane(
      timeline,
      'tier_tiles',
      tiles.filter((each) => each !== tile),
    );
  }
  if (tile !== undefined) {
    return withEntry(timeline, { lane: 'tier_tiles', index: tiles.indexOf(tile) }, positionedAt(tile, position));
  }
  const id = freeId(`reveal-${itemId}`, new Set(timeline.tier_tiles.map((each) => each.id)));
  return withLane(timeline, 'tier_tiles', [...tiles, { id, tier_item_id: itemId, position }]);
}

/** A tile that moves an item to another row is not a reveal. (C44) */
function isMove(tile: RawTile): boolean {
  return 'to_row' in tile && tile.to_row !== undefined;
}

/**
 * Spreads the reveals of all ranked items evenly over a range, in their current order; items without one follow in reveal order. Moves
 * stay where they are.
 */
export function spreadReveals(
  timeline: TimelineData,
  list: RankedItems,
  over: Range<Frames>,
  rules: TimeRules,
): TimelineData {
  const tiles = timeline.tier_tiles.filter((tile) => !isMove(tile));
  const ranked = new Set(defaultOrder(list));
  const revealed = tiles.toSorted((a, b) => a.position - b.position).map((tile) => tile.tier_item_id);
  const order = [...new Set([...revealed.filter((id) => ranked.has(id)), ...unrevealed(timeline, list)])];
  const step = (over.end - over.start) / (order.length + 1);
  return order.reduce(
    (spread, id, place) => revealAt(spread, id, Math.round(over.start + step * (place + 1)) as Frames, rules),
    timeline,
  );
}

/** Reveals the next items of `order`, one at each recorded tap. */
export function recordTaps(
  timeline: TimelineData,
  order: readonly string[],
  taps: readonly Frames[],
  rules: TimeRules,
): TimelineData {
  return taps.slice(0, order.length).reduce((changed, at, tap) => revealAt(changed, order[tap]!, at, rules), timeline);
}

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
