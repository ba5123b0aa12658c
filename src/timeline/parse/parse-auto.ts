import { type AutoEntries, autoEnd, autoOptions, autoTimeline } from '../auto-timeline.ts';
import type { LayoutName } from '../choices.ts';
import type { RawSettings } from '../document-schemas.ts';
import type { Timeline } from '../export-request.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { checkObject } from './check-schema.ts';
import type { ParseContext } from './parse-context.ts';
import type { ParsedTierList } from './parse-tier-list.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * The timeline with the entries that `auto` adds, in place of `auto`; the same object if it asks for none. Added
 * entries come after those that were sent, whose paths so stay the same. (C64)
 *
 * @param settings as they were sent.
 */
export function withAuto(
  document: Document,
  path: string,
  {
    tiers,
    settings,
  }: { readonly tiers: ParsedTierList; readonly settings: Pick<RawSettings, 'reveal' | 'reveal_sound'> },
  { schemas, limits, unread, issues }: Pick<ParseContext, 'schemas' | 'limits' | 'unread' | 'issues'>,
): Document {
  // A legacy document has the other two inside. (C25)
  const { auto: sent, tier_list: _tierList, settings: _settings, ...lanes } = document;
  if (sent === undefined) return document;
  const place = pointer(path, 'auto');
  const auto = checkObject(schemas.auto, sent, place, issues);
  if (auto === undefined || unread.has('tier_list')) return lanes;
  const { title, items, rows } = tiers.tierList;
  if (rows.every((row) => row.items.length === 0)) {
    const message = tiers.isThere ? 'No row has an item' : 'There is no tier list';
    issues.warn(place, 'auto.nothing_ranked', `${message}: there is nothing to reveal.`);
  }
  const ranked = {
    items: items.map(({ id }) => id),
    rows: rows.map((row) => row.items.map((item) => items[item]!.id)),
  };
  const options = autoOptions(auto, title, settings);
  const added = autoTimeline(ranked, options, sentEntries(lanes));
  const end = autoEnd(added, options.secondsPerItem);
  if (end > limits.maxTimelineSeconds) {
    const message = `${added.tier_tiles.length} reveals would end at ${end} s; a timeline lasts at most ${limits.maxTimelineSeconds} s.`;
    issues.error(place, 'timeline.too_long', message);
    return lanes;
  }
  warnNeverSeen(lanes, added, place, issues);
  return { ...lanes, ...joined(lanes, added) };
}

/**
 * The planner would report each reveal that is never seen at an entry that was not sent: this warning is at one that
 * was.
 */
function warnNeverSeen(lanes: Document, added: AutoEntries, place: string, issues: ParseContext['issues']): void {
  const blocks = sentBlocks(lanes);
  if (blocks.length === 0) return;
  const ends = blocks.map(({ start, duration }) => Number(start) + Number(duration));
  const last = ends.reduce((latest, end) => Math.max(latest, end));
  const { length: count } = added.tier_tiles.filter(({ position }) => position >= last);
  if (count === 0) return;
  const message = `The last tier block ends at ${last} s: ${count} of ${added.tier_tiles.length} added reveals come later and are never visible.`;
  issues.warn(place, 'tile.never_seen', message);
}

/**
 * The layout of a video whose board `auto` adds: one with a camera, if a clip without a box is shown together with the
 * board. null: the board was sent, and stands where it always stood. (R42)
 */
export function layoutOfAuto(
  sent: Document,
  { blocks, videos }: Pick<Timeline, 'blocks' | 'videos'>,
): LayoutName | null {
  if (sentBlocks(sent).length > 0) return null;
  const isCamera = ({ box, start, duration }: Timeline['videos'][number]) =>
    Object.keys(box).length === 0 &&
    blocks.some((block) => {
      const end = duration === null ? Number.POSITIVE_INFINITY : start + duration;
      return start < block.start + block.duration && block.start < end;
    });
  return videos.some(isCamera) ? 'right' : 'board';
}

/** Reads the valid entries that were sent. Parsing the lanes reports the errors. */
function sentEntries(lanes: Document): Parameters<typeof autoTimeline>[2] {
  const tiles = entriesIn(lanes.tier_tiles);
  return {
    tier_blocks: sentBlocks(lanes).map(({ start }) => ({
      start: typeof start === 'number' ? start : 0,
    })),
    tier_tiles: tiles.flatMap(({ id, tier_item_id: item, position }) =>
      typeof item === 'string' && typeof position === 'number'
        ? [{ id: textOf(id), tier_item_id: item, position }]
        : [],
    ),
    titles: entriesIn(lanes.titles).map(({ id }) => ({ id: textOf(id) })),
  };
}

function sentBlocks(lanes: Document): readonly Document[] {
  const blocks = entriesIn(lanes.tier_blocks);
  return blocks.length > 0 ? blocks : entriesIn(lanes.tier_block);
}

function entriesIn(lane: unknown): readonly Document[] {
  return Array.isArray(lane) ? lane.filter(isObject) : isObject(lane) ? [lane] : [];
}

function textOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

/** The lanes that get longer. A value that is not a list stays as it is: it has its own error. */
function joined(lanes: Document, added: AutoEntries): Document {
  const grown = Object.entries(added).flatMap(([lane, entries]) => {
    const sent = lanes[lane] === undefined ? [] : lanes[lane];
    return entries.length > 0 && Array.isArray(sent) ? [[lane, [...sent, ...entries]]] : [];
  });
  return Object.fromEntries(grown);
}
