import type { Issue } from '../../errors.ts';
import { LANE_NAMES, type LaneName } from '../../timeline/lanes.ts';
import type { Project } from './project.ts';

/** An entry of the timeline by its id, independent of its index. */
export interface EntryRef {
  readonly lane: LaneName;
  readonly id: string;
}

/**
 * What the inspector shows and shortcuts act on: items of the board, a row, entries of the timeline, a file, or the settings of the
 * video.
 */
export type Selection =
  | { readonly kind: 'none' }
  | { readonly kind: 'items'; readonly ids: readonly string[] }
  | { readonly kind: 'row'; readonly id: string }
  | { readonly kind: 'entries'; readonly refs: readonly EntryRef[] }
  | { readonly kind: 'media'; readonly field: string }
  | { readonly kind: 'settings' };

export const NOTHING: Selection = { kind: 'none' };

export function isItemSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'items' && selection.ids.includes(id);
}

export function sameEntry(a: EntryRef, b: EntryRef): boolean {
  return a.lane === b.lane && a.id === b.id;
}

/** The selected entries; empty if something else is selected. */
export function selectedEntries(selection: Selection): readonly EntryRef[] {
  return selection.kind === 'entries' ? selection.refs : [];
}

/** Selects these entries, or nothing if there are none. */
export function entriesSelection(refs: readonly EntryRef[]): Selection {
  return refs.length === 0 ? NOTHING : { kind: 'entries', refs };
}

/** Adds these entries to the selection. */
export function withEntries(before: readonly EntryRef[], refs: readonly EntryRef[]): readonly EntryRef[] {
  return [...before, ...refs.filter((ref) => !before.some((other) => sameEntry(other, ref)))];
}

/** Toggles these entries in the selection. */
export function toggledEntries(before: readonly EntryRef[], refs: readonly EntryRef[]): readonly EntryRef[] {
  const kept = before.filter((ref) => !refs.some((other) => sameEntry(other, ref)));
  return [...kept, ...refs.filter((ref) => !before.some((other) => sameEntry(other, ref)))];
}

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
