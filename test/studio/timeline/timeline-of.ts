import { EMPTY_PROJECT, type TimelineData } from '../../../src/studio/document/project.ts';
import type { LaneEntry, LaneName } from '../../../src/timeline/lanes.ts';

/** A timeline with these entries; edits need no ids. */
export function timelineOf(lanes: { readonly [L in LaneName]?: readonly LaneEntry<L>[] }): TimelineData {
  return { ...EMPTY_PROJECT.timeline_data, ...lanes } as TimelineData;
}
