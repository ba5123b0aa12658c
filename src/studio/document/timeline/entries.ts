import type { Seconds } from '../../../time.ts';
import type { LaneEntry, LaneName } from '../../../timeline/lanes.ts';
import type { TimelineData } from '../project.ts';

/** An entry by its place, which is what its JSON Pointer says. */
export interface EntryRef {
  readonly lane: LaneName;
  readonly index: number;
}

/** Whatever stands in a lane. Which fields there are goes by the lane. */
export type Entry = { readonly [F in keyof AnyEntry]?: AnyEntry[F] | undefined };
type AnyEntry = UnionToIntersection<LaneEntry<LaneName>>;
type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** How long a file lasts, in seconds; null for stills, and for files nobody has looked into yet. */
export type SourceLength = (fileField: string) => Seconds | null;

/** An entry by its place; undefined where there is none. */
export function entryAt(timeline: TimelineData, { lane, index }: EntryRef): Entry | undefined {
  return timeline[lane][index] as Entry | undefined;
}

/** The same timeline with one lane replaced. */
export function withLane(timeline: TimelineData, lane: LaneName, entries: readonly Entry[]): TimelineData {
  return { ...timeline, [lane]: entries };
}

/** The same timeline with one entry replaced. */
export function withEntry(timeline: TimelineData, { lane, index }: EntryRef, entry: Entry): TimelineData {
  return withLane(timeline, lane, (timeline[lane] as readonly Entry[]).with(index, entry));
}

/** The JSON Pointer of an entry, by which warnings and errors name it. */
export function pathOf({ lane, index }: EntryRef): string {
  return `/timeline_data/${lane}/${index}`;
}

export function sameRef(a: EntryRef | null, b: EntryRef | null): boolean {
  return a !== null && b !== null && a.lane === b.lane && a.index === b.index;
}
