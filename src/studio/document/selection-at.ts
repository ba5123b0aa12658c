import type { Issue } from '../../errors.ts';
import { LANE_NAMES, type LaneName } from '../../timeline/lanes.ts';
import type { Project } from './project.ts';
import { NOTHING, type Selection } from './selection.ts';

/** The selection for the JSON Pointer of an error or a warning. */
export function selectionAt({ tier_list, timeline_data }: Project, path: string): Selection {
  const [, document, list, index] = path.split('/');
  const at = Number(index);
  if (document === 'settings') return { kind: 'settings' };
  if (document === 'tier_list') {
    const item = list === 'items' ? tier_list.items[at] : undefined;
    const row = list === 'rows' ? tier_list.rows[at] : undefined;
    if (item !== undefined) return { kind: 'items', ids: [item.id] };
    if (row !== undefined) return { kind: 'row', id: row.id };
  }
  if (document === 'timeline_data' && LANE_NAMES.includes(list as LaneName)) {
    const entry = timeline_data[list as LaneName][at];
    if (entry !== undefined) return { kind: 'entries', refs: [{ lane: list as LaneName, id: entry.id }] };
  }
  return NOTHING;
}

/** The JSON Pointer of an entry, a prefix of those of its errors and warnings. */
export function entryPath({ timeline_data }: Project, lane: LaneName, id: string): string {
  return `/timeline_data/${lane}/${timeline_data[lane].findIndex((entry) => entry.id === id)}`;
}

/** The issues at a pointer or below it. */
export function issuesAt(issues: readonly Issue[], path: string): readonly Issue[] {
  return issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}/`));
}
