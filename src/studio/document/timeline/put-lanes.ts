import { freeze } from 'immer';
import { DRAWN_LANES } from '../lanes.ts';
import type { TimelineData } from '../project.ts';

/**
 * Writes the changed lanes into a draft. New entries get ids.
 *
 * @param after contains no drafts, so it is frozen. Otherwise immer would search thousands of entries for drafts at every frame of a
 * drag.
 */
export function putLanes(draft: Record<string, unknown>, before: TimelineData, after: TimelineData): void {
  for (const lane of DRAWN_LANES)
    if (after[lane] !== before[lane]) draft[lane] = freeze(named(lane, after[lane]), true);
}

function named(lane: string, entries: readonly { readonly id?: string | undefined }[]): unknown[] {
  const taken = new Set(entries.map(({ id }) => id));
  let number = 1;
  return entries.map((entry) => {
    if (entry.id !== undefined) return entry;
    while (taken.has(`${lane}-${number}`)) number += 1;
    taken.add(`${lane}-${number}`);
    return { ...entry, id: `${lane}-${number}` };
  });
}
