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
