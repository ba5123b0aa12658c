import type { Seconds } from '../../../time.ts';
import type { LaneEntry, LaneName } from '../../../timeline/lanes.ts';
import type { TimelineData } from '../project.ts';

/** An entry by its index, as in its JSON Pointer. */
export interface EntryIndex {
  readonly lane: LaneName;
  readonly index: number;
}

/** An entry of any lane. The lane decides which fields it has. */
export type Entry = { readonly [F in keyof AnyEntry]?: AnyEntry[F] | undefined };
type AnyEntry = UnionToIntersection<LaneEntry<LaneName>>;
type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The length of a file in seconds; null for stills and for files that are not probed yet. */
export type SourceLength = (fileField: string) => Seconds | null;

/** The entry at an index; undefined if there is none. */
export function entryAt(timeline: TimelineData, { lane, index }: EntryIndex): Entry | undefined {
  return timeline[lane][index] as Entry | undefined;
}

/** The timeline with one lane replaced. */
export function withLane(timeline: TimelineData, lane: LaneName, entries: readonly Entry[]): TimelineData {
  return { ...timeline, [lane]: entries };
}

/** The timeline with one entry replaced. */
export function withEntry(timeline: TimelineData, { lane, index }: EntryIndex, entry: Entry): TimelineData {
  return withLane(timeline, lane, (timeline[lane] as readonly Entry[]).with(index, entry));
}

/** The JSON Pointer of an entry, as in warnings and errors. */
export function pathOf({ lane, index }: EntryIndex): string {
  return `/timeline_data/${lane}/${index}`;
}

export function sameRef(a: EntryIndex | null, b: EntryIndex | null): boolean {
  return a !== null && b !== null && a.lane === b.lane && a.index === b.index;
}
