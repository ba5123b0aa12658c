import type { BlockEntry, SubtitleEntry, TileEntry } from '../export-request.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText } from '../json/shown-value.ts';
import type { RawSubtitle } from '../schema.ts';
import type { ParseContext } from './parse-context.ts';
import { parseLane, type SentLane } from './parse-lane.ts';
import { readBox, readShapes } from './parse-places.ts';
import type { ParsedTierList } from './parse-tier-list.ts';

const ALIGN = { left: 'left', center: 'center', centre: 'center', middle: 'center', right: 'right' } as const;

/** Windows onto the board. (C20, C21) */
export function parseBlocks(lane: SentLane, context: ParseContext): BlockEntry[] {
  const most = context.limits.maxEntriesPerLane;
  return parseLane(context.schemas.block, { name: 'tier_blocks', most, ...lane }, context).map(
    ({ path, id, value }) => ({
      path,
      id,
      start: value.start,
      duration: value.duration,
      box: readBox(value),
      inShapes: readShapes(value.presets, path, context),
    }),
  );
}

/** Reveals, one an item: of several, the earliest counts. (C22) */
export function parseTiles(lane: SentLane, tierList: ParsedTierList, context: ParseContext): TileEntry[] {
  const { schemas, limits, issues } = context;
  const most = limits.maxEntriesPerLane;
  const earliest = new Map<number, TileEntry>();
  for (const { path, id, value } of parseLane(schemas.tile, { name: 'tier_tiles', most, ...lane }, context)) {
    const item = tierList.itemsById.get(value.tier_item_id);
    if (item === undefined) {
      if (!tierList.isThere || tierList.brokenItemIds.has(value.tier_item_id)) continue;
      const message = `No item of tier_list.items has the id ${shownText(value.tier_item_id)}.`;
      issues.error(pointer(path, 'tier_item_id'), 'item.unknown', message);
      continue;
    }
    const tile: TileEntry = { path, id, item, position: value.position };
    const other = earliest.get(item);
    if (other === undefined) {
      earliest.set(item, tile);
      continue;
    }
    const [kept, dropped] = tile.position < other.position ? [tile, other] : [other, tile];
    earliest.set(item, kept);
    const message = `The item ${shownText(value.tier_item_id)} is also revealed by ${kept.path}, at ${kept.position} s; the earliest counts.`;
    issues.warn(dropped.path, 'tile.repeated', message);
  }
  return [...earliest.values()];
}

/** Text over everything. (C23) */
export function parseSubtitles(lane: SentLane, context: ParseContext): SubtitleEntry[] {
  const most = context.limits.maxEntriesPerLane;
  const entries = parseLane(context.schemas.subtitle, { name: 'subtitles', most, ...lane }, context);
  return entries.map(({ path, id, value }) => {
    return subtitleEntry(value, { path, id, inShapes: readShapes(value.presets, path, context) });
  });
}

/** A subtitle with its defaults, wherever it comes from. */
export function subtitleEntry(
  value: RawSubtitle,
  place: Pick<SubtitleEntry, 'path' | 'id' | 'inShapes'>,
): SubtitleEntry {
  const { background_color: color, background_alpha: alpha } = value;
  const hasBackground = color !== undefined || alpha !== undefined;
  return {
    ...place,
    text: value.text,
    start: value.start,
    duration: value.duration,
    size: value.size ?? 48,
    align: ALIGN[value.align ?? 'center'],
    color: (value.text_color ?? '#ffffff').toLowerCase(),
    background: hasBackground ? { color: (color ?? '#000000').toLowerCase(), alpha: (alpha ?? 60) / 100 } : null,
    box: readBox(value),
    raisedLines: 0,
  };
}
