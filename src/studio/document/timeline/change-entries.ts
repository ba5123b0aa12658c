import type { Draft } from 'immer';
import type { Project } from '../project.ts';
import type { EntryRef } from '../selection.ts';
import type { Entry } from './entries.ts';
import { positionedAt, startedAt } from './move-entries.ts';

/** Sets a field of each of these entries; undefined removes it. */
export function changeEntries(
  { timeline_data }: Draft<Project>,
  refs: readonly EntryRef[],
  name: string,
  value: unknown,
): void {
  for (const { lane, id } of refs) {
    const list = timeline_data[lane] as ({ id: string } & Record<string, unknown>)[];
    const entry = list.find((each) => each.id === id);
    if (entry === undefined) continue;
    if (name === 'position' && typeof value === 'number') Object.assign(entry, positionedAt<Entry>(entry, value));
    else if (name === 'start' && typeof value === 'number') Object.assign(entry, startedAt<Entry>(entry, value));
    else if (value === undefined) delete entry[name];
    else entry[name] = value;
  }
}
