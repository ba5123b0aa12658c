import { type Draft, original } from 'immer';
import { AUTO_DEFAULTS, type AutoEntries, autoTimeline, rankedIds } from '../../timeline/auto-timeline.ts';
import type { Project } from './project.ts';

/** What projects were saved with before; their time is still nobody's own. */
const EARLIER_SECONDS_PER_ITEM = [2];

/** The part of the timeline that is about the board. */
type BoardTime = Pick<AutoEntries, 'tier_blocks' | 'tier_tiles'>;

/** Places reveals that the user has not placed: ranking pictures is enough for a video. */
export function automaticReveals(
  { tier_list }: Pick<Project, 'tier_list'>,
  secondsPerItem: number = AUTO_DEFAULTS.secondsPerItem,
): BoardTime {
  const { tier_blocks, tier_tiles } = autoTimeline(rankedIds(tier_list), { ...AUTO_DEFAULTS, secondsPerItem });
  return { tier_blocks, tier_tiles };
}

/** Whether the board's time is as it comes by itself: nobody has laid hands on it. */
export function isAutomatic(project: Pick<Project, 'tier_list' | 'timeline_data'>): boolean {
  const { timeline_data } = project;
  return [AUTO_DEFAULTS.secondsPerItem, ...EARLIER_SECONDS_PER_ITEM].some((seconds) => {
    const { tier_blocks, tier_tiles } = automaticReveals(project, seconds);
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
