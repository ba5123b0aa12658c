import type { Seconds } from '../../../time.ts';
import type { RawAudio, RawBlock, RawSoundtrack, RawSubtitle, RawTile, RawVideo } from '../../../timeline/schema.ts';

/** The lanes of a timeline as the documents have them. Entries are read and written as they were sent, nothing filled in. */
export interface TimelineData {
  readonly videos?: readonly RawVideo[] | undefined;
  readonly audios?: readonly RawAudio[] | undefined;
  readonly soundtracks?: readonly RawSoundtrack[] | undefined;
  readonly tier_blocks?: readonly RawBlock[] | undefined;
  readonly tier_tiles?: readonly RawTile[] | undefined;
  readonly subtitles?: readonly RawSubtitle[] | undefined;
}

export type LaneName = keyof TimelineData;

export const LANES: readonly LaneName[] = ['tier_blocks', 'tier_tiles', 'videos', 'subtitles', 'audios', 'soundtracks'];

/** An entry by its place, which is what its JSON Pointer says. */
export interface EntryRef {
  readonly lane: LaneName;
  readonly index: number;
}

/** Whatever stands in a lane. Which fields there are goes by the lane. */
export type Entry = { readonly [F in keyof AnyEntry]?: AnyEntry[F] | undefined };
type AnyEntry = RawVideo & RawSoundtrack & RawBlock & RawTile & RawSubtitle;

/** How long a file lasts, in seconds; null for stills, and for files nobody has looked into yet. */
export type SourceLength = (fileField: string) => Seconds | null;

/** An entry by its place; undefined where there is none. */
export function entryAt(timeline: TimelineData, { lane, index }: EntryRef): Entry | undefined {
  return timeline[lane]?.[index] as Entry | undefined;
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

/** The entry that a JSON Pointer leads to or into; null where it leads elsewhere. */
export function refOf(path: string): EntryRef | null {
  const [, lane, index] = /^\/timeline_data\/(\w+)\/(\d+)(?:\/|$)/.exec(path) ?? [];
  return lane !== undefined && LANES.includes(lane as LaneName)
    ? { lane: lane as LaneName, index: Number(index) }
    : null;
}

export function sameRef(a: EntryRef | null, b: EntryRef | null): boolean {
  return a !== null && b !== null && a.lane === b.lane && a.index === b.index;
}
