import { type Draft, original } from 'immer';
import { AUTO_DEFAULTS, type AutoEntries, autoOptions, autoTimeline, rankedIds } from '../../timeline/auto-timeline.ts';
import type { RawAuto } from '../../timeline/document-schemas.ts';
import { freeId } from '../../timeline/free-id.ts';
import { SPAN_LANES } from '../../timeline/lanes.ts';
import { tidySeconds } from './entries.ts';
import { isOn, laneKey } from './lane-switches.ts';
import type { Project } from './project.ts';
import { defaultOrder } from './reveals.ts';

/** Earlier defaults. Projects saved with them still count as automatic. */
const EARLIER_SECONDS_PER_ITEM = [2];

/** The board's part of the timeline. */
type BoardTime = Pick<AutoEntries, 'tier_blocks' | 'tier_tiles'>;

/** Places reveals that the user has not placed: ranking pictures is enough for a video. */
function automaticReveals(
  { tier_list }: Pick<Project, 'tier_list'>,
  secondsPerItem: number = AUTO_DEFAULTS.secondsPerItem,
): BoardTime {
  const { tier_blocks, tier_tiles } = autoTimeline(rankedIds(tier_list), { ...AUTO_DEFAULTS, secondsPerItem });
  return { tier_blocks, tier_tiles };
}

/** Whether the board's timing is the generated one, without a change by the user. */
export function isAutomatic(project: Pick<Project, 'tier_list' | 'timeline_data'>): boolean {
  const { timeline_data } = project;
  return [AUTO_DEFAULTS.secondsPerItem, ...EARLIER_SECONDS_PER_ITEM].some((seconds) => {
    const { tier_blocks, tier_tiles } = automaticReveals(project, seconds);
    return (
      // The lengths are cheap to compare and usually differ if anything does.
      timeline_data.tier_blocks.length === tier_blocks.length &&
      timeline_data.tier_tiles.length === tier_tiles.length &&
      JSON.stringify([timeline_data.tier_blocks.map(withoutPlace), timeline_data.tier_tiles]) ===
        JSON.stringify([tier_blocks, tier_tiles])
    );
  });
}

/** The block without its box: a moved board is still automatic. */
function withoutPlace<B extends Project['timeline_data']['tier_blocks'][number]>(block: B) {
  const { x_percent: _x, y_percent: _y, width_percent: _w, height_percent: _h, presets: _p, ...rest } = block;
  return rest;
}

/** Turns the automatic timeline into ordinary entries that can be edited. (C64) */
export function withAuto(
  timeline: Project['timeline_data'],
  auto: RawAuto,
  list: Project['tier_list'],
  settings: Project['settings'],
): Project['timeline_data'] {
  const added = autoTimeline(rankedIds(list), autoOptions(auto, list.title ?? '', settings), timeline);
  const { tier_blocks, tier_tiles, titles } = timeline;
  return {
    ...timeline,
    tier_blocks: [...tier_blocks, ...added.tier_blocks],
    tier_tiles: [...tier_tiles, ...added.tier_tiles],
    titles: [...titles, ...added.titles],
  };
}

/** Changes the board. Automatic timing is generated again. Otherwise newly ranked items are revealed after all others. */
export function followBoard(draft: Draft<Project>, change: () => void): void {
  const before = (original(draft) ?? draft) as Project;
  if (before.template?.auto !== undefined) {
    change();
    return;
  }
  const follows = isAutomatic(before);
  const ranked = new Set(rankedIds(before.tier_list).rows.flat());
  change();
  if (!follows) {
    revealLast(draft, ranked);
    return;
  }
  const next = automaticReveals(draft as Project);
  const [placed] = before.timeline_data.tier_blocks;
  draft.timeline_data.tier_blocks = next.tier_blocks.map((block) => ({ ...placed, ...block })) as never;
  draft.timeline_data.tier_tiles = next.tier_tiles as Draft<BoardTime>['tier_tiles'];
}

/** How long the board stays at most after a reveal that is appended. */
const TAIL_SECONDS = 6.5;

/**
 * Appends reveals for newly ranked items, in reveal order, and extends the board's block. Without a reveal they would be visible from
 * the first frame. Does nothing if there are no reveals at all, or if they are locked.
 */
function revealLast({ tier_list, timeline_data, studio }: Draft<Project>, before: ReadonlySet<string>): void {
  const tiles = timeline_data.tier_tiles;
  if (tiles.length === 0 || isOn(studio.lanes, laneKey('tier_tiles'), 'locked')) return;
  const revealed = new Set(tiles.map((tile) => tile.tier_item_id));
  const fresh = defaultOrder(tier_list).filter((id) => !before.has(id) && !revealed.has(id));
  if (fresh.length === 0) return;
  const last = Math.max(...tiles.map(({ position }) => position));
  const ids = new Set(tiles.map(({ id }) => id));
  const step = AUTO_DEFAULTS.secondsPerItem;
  for (const [place, id] of fresh.entries()) {
    const position = tidySeconds(last + step * (place + 1));
    tiles.push({ id: freeId(`reveal-${id}`, ids), tier_item_id: id, position });
  }
  const board = timeline_data.tier_blocks.toSorted((a, b) => endOf(a) - endOf(b)).at(-1);
  if (board === undefined || isOn(studio.lanes, laneKey('tier_blocks'), 'locked')) return;
  const tail = Math.min(TAIL_SECONDS, Math.max(step, endOf(board) - last));
  const end = last + step * fresh.length + tail;
  if (end > endOf(board)) board.duration = tidySeconds(end - board.start);
}

function endOf({ start, duration }: { readonly start: number; readonly duration: number }): number {
  return start + duration;
}

/** How much of its board a video shows. */
export interface BoardSummary {
  readonly items: number;
  readonly ranked: number;
  /** Ranked items with a reveal; the others are visible from the start. */
  readonly revealed: number;
  /** Whether the board is visible at all. */
  readonly seen: boolean;
}

export function boardSummary({ tier_list: { items, rows }, timeline_data, template }: Project): BoardSummary {
  const there = new Set(items.map(({ id }) => id));
  const ranked = new Set(rows.flatMap(({ item_ids = [] }) => item_ids).filter((id) => there.has(id)));
  const revealed = new Set(timeline_data.tier_tiles.map(({ tier_item_id }) => tier_item_id));
  return {
    items: items.length,
    ranked: ranked.size,
    revealed: template?.auto === undefined ? [...ranked].filter((id) => revealed.has(id)).length : ranked.size,
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
