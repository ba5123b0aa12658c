import type { LaneName } from '../../timeline/lanes.ts';

/** An entry of the timeline, wherever in its lane it stands. */
export interface EntryRef {
  readonly lane: LaneName;
  readonly id: string;
}

/** What the inspector shows and keys act on: items of the board, a row of it, entries of the timeline, a file,
 * or the settings of the video. */
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

/** The entries that are selected; none where something else is. */
export function selectedEntries(selection: Selection): readonly EntryRef[] {
  return selection.kind === 'entries' ? selection.refs : [];
}

/** These entries, or nothing where there are none. */
export function entriesSelection(refs: readonly EntryRef[]): Selection {
  return refs.length === 0 ? NOTHING : { kind: 'entries', refs };
}

/** What was selected and these. */
export function withEntries(before: readonly EntryRef[], refs: readonly EntryRef[]): readonly EntryRef[] {
  return [...before, ...refs.filter((ref) => !before.some((other) => sameEntry(other, ref)))];
}

/** What was selected without those of these that were, and with the others. */
export function toggledEntries(before: readonly EntryRef[], refs: readonly EntryRef[]): readonly EntryRef[] {
  const kept = before.filter((ref) => !refs.some((other) => sameEntry(other, ref)));
  return [...kept, ...refs.filter((ref) => !before.some((other) => sameEntry(other, ref)))];
}
