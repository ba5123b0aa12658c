import { type Draft, original } from 'immer';
import type { RawBlock, RawTile } from '../../timeline/schema.ts';
import type { Project, WithId } from './project.ts';

const LEAD_SECONDS = 1.5;
/** More than a spotlight takes. */
const EACH_SECONDS = 3.5;
/** What projects were saved with before; their time is still nobody's own. */
const EARLIER_EACH_SECONDS = [2];
const HOLD_SECONDS = 3;

/** The part of the timeline that is about the board. */
interface BoardTime {
  readonly tier_blocks: readonly WithId<RawBlock>[];
  readonly tier_tiles: readonly WithId<RawTile>[];
}

/**
 * When everything comes in as long as nobody has said otherwise: one after the other, the best last, each with time to be
 * looked at. So whoever only ranks pictures has a video.
 */
export function automaticReveals(
  { tier_list: { rows, items } }: Pick<Project, 'tier_list'>,
  eachSeconds = EACH_SECONDS,
): BoardTime {
  const there = new Set(items.map(({ id }) => id));
  const order = [...new Set([...rows].reverse().flatMap(({ item_ids = [] }) => item_ids))].filter((id) =>
    there.has(id),
  );
  if (items.length === 0) return { tier_blocks: [], tier_tiles: [] };
  return {
    tier_blocks: [{ id: 'board', start: 0, duration: LEAD_SECONDS + order.length * eachSeconds + HOLD_SECONDS }],
    tier_tiles: order.map((id, i) => ({
      id: `reveal-${id}`,
      tier_item_id: id,
      position: LEAD_SECONDS + i * eachSeconds,
    })),
  };
}

/** Whether the board's time is as it comes by itself: nobody has laid hands on it. */
export function isAutomatic(project: Pick<Project, 'tier_list' | 'timeline_data'>): boolean {
  const { timeline_data } = project;
  return [EACH_SECONDS, ...EARLIER_EACH_SECONDS].some((eachSeconds) => {
    const { tier_blocks, tier_tiles } = automaticReveals(project, eachSeconds);
    return (
      // Told apart without reading all of them, as a rule.
      timeline_data.tier_blocks.length === tier_blocks.length &&
      timeline_data.tier_tiles.length === tier_tiles.length &&
      JSON.stringify([timeline_data.tier_blocks, timeline_data.tier_tiles]) ===
        JSON.stringify([tier_blocks, tier_tiles])
    );
  });
}

/** Changes the board; its time follows where it was automatic before. */
export function followBoard(draft: Draft<Project>, change: () => void): void {
  const follows = isAutomatic(original(draft) ?? draft);
  change();
  if (!follows) return;
  const next = automaticReveals(draft as Project);
  draft.timeline_data.tier_blocks = next.tier_blocks as Draft<BoardTime>['tier_blocks'];
  draft.timeline_data.tier_tiles = next.tier_tiles as Draft<BoardTime>['tier_tiles'];
}
