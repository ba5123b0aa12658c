import type { RawTile } from '../document-schemas.ts';
import type { TileEntry, TileSound } from '../export-request.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText } from '../json/shown-value.ts';
import { filled } from '../read-fields.ts';
import { TILE_BASICS } from '../timeline-fields.ts';
import { readGain } from './parse-clips.ts';
import type { ParseContext } from './parse-context.ts';
import { type CheckedEntry, parseEntries, type SentLane } from './parse-lane.ts';
import { readSound } from './parse-settings.ts';
import { findRow, type ParsedTierList, unknownItem } from './parse-tier-list.ts';

/** Reveals, one an item: of several, the earliest counts (C22). Moves, as many as there are (C44). */
export function parseTiles(lane: SentLane, tierList: ParsedTierList, context: ParseContext): TileEntry[] {
  const { issues } = context;
  const reveals = new Map<number, TileEntry>();
  const moves: TileEntry[] = [];
  for (const entry of parseEntries('tier_tiles', lane, context)) {
    const { path, value } = entry;
    const item = tierList.itemsById.get(value.tier_item_id);
    const move = readMove(entry, tierList, context);
    if (item === undefined) {
      if (!tierList.isThere || tierList.brokenItemIds.has(value.tier_item_id)) continue;
      issues.error(pointer(path, 'tier_item_id'), 'item.unknown', unknownItem(value.tier_item_id, tierList, issues));
      continue;
    }
    const tile = tileEntry(entry, item, move, context);
    if (move !== null) {
      moves.push(tile);
      continue;
    }
    const other = reveals.get(item);
    if (other === undefined) {
      reveals.set(item, tile);
      continue;
    }
    const [kept, dropped] = tile.position < other.position ? [tile, other] : [other, tile];
    reveals.set(item, kept);
    const message = `The item ${shownText(value.tier_item_id)} is also revealed by ${kept.path}, at ${kept.position} s; the earliest counts.`;
    issues.warn(dropped.path, 'tile.repeated', message);
  }
  return [...reveals.values(), ...moves];
}

function tileEntry(
  { path, id, value }: CheckedEntry<RawTile>,
  item: number,
  move: TileEntry['move'],
  context: ParseContext,
): TileEntry {
  const style = value.reveal ?? (move === null ? context.settings.reveal : 'move');
  return {
    path,
    id,
    item,
    position: value.position,
    style,
    verdict: readVerdict(path, value, style, context),
    ...filled(TILE_BASICS, value),
    move,
    sound: tileSound(path, value, context),
  };
}

/** The time of a spotlight's verdict; invalid times are errors. (C55) */
function readVerdict(
  path: string,
  { position, hold, stamp_at: at }: RawTile,
  style: TileEntry['style'],
  { settings, issues }: ParseContext,
): TileEntry['verdict'] {
  if (style !== 'spotlight') {
    for (const [field, sent] of Object.entries({ hold, stamp_at: at })) {
      if (sent === undefined) continue;
      issues.warn(
        pointer(path, field),
        'field.unused',
        `${field} has an effect only on a spotlight; this tile is not one.`,
      );
    }
  } else if (at !== undefined) {
    if (at < position) {
      const message = `stamp_at must be ${position} s, the tile's position, or later, not ${at}.`;
      issues.error(pointer(path, 'stamp_at'), 'tile.stamp_before_position', message);
    }
    return { by: 'stamp_at', at };
  }
  return { by: 'hold', hold: hold ?? settings.revealHold, own: hold !== undefined };
}

/** Where the item goes. An unknown row is an error, and the tile then counts as a reveal. */
function readMove(
  { path, value }: CheckedEntry<RawTile>,
  tierList: ParsedTierList,
  { issues }: ParseContext,
): TileEntry['move'] {
  if (value.to_row === undefined) {
    if (value.index !== undefined) {
      issues.warn(pointer(path, 'index'), 'field.unused', 'index has no effect without to_row.');
    }
    return null;
  }
  const row = findRow(value.to_row, pointer(path, 'to_row'), tierList, issues);
  return row < 0 ? null : { row, index: value.index ?? null };
}

function tileSound(path: string, value: RawTile, context: ParseContext): TileSound | null {
  const { settings, media } = context;
  const own = value.sound_field !== undefined;
  const sound = own ? readSound(value.sound_field, pointer(path, 'sound_field'), media) : settings.revealSound;
  const gain = readGain(value.sound_volume, pointer(path, 'sound_volume'), context);
  return sound === null || gain === 0 ? null : { sound, gain, own };
}
