import type { Draft } from 'immer';
import { type Frames, frameAt, type Seconds } from '../../time.ts';
import type { LaneName } from '../../timeline/lanes.ts';
import {
  type Entry,
  type EntryIndex,
  entryAt,
  slotOf,
  type TimeRules,
  toMicros,
  withEntry,
  withLane,
  written,
  writtenSlot,
} from './entries.ts';
import { DRAWN_LANES } from './lane-looks.ts';
import type { Project, TimelineData } from './project.ts';
import type { EntryRef } from './selection.ts';

/** Moves entries together by whole frames, not before frame 0. Their lengths stay. */
export function moveEntries(
  timeline: TimelineData,
  refs: readonly EntryIndex[],
  byFrames: number,
  rules: TimeRules,
): TimelineData {
  const earliest = refs.reduce(
    (min, ref) => Math.min(min, slotOf(timeline, ref, rules).start),
    Number.MAX_SAFE_INTEGER,
  );
  const by = Math.max(byFrames, -earliest);
  if (by === 0 || refs.length === 0) return timeline;
  return refs.reduce(
    (moved, ref) =>
      withEntry(moved, ref, startingAt(entryAt(timeline, ref)!, slotOf(timeline, ref, rules).start + by, rules)),
    timeline,
  );
}

/** The entry with another start frame. Its length in seconds stays. */
export function startingAt(entry: Entry, frame: number, { rate }: TimeRules): Entry {
  const at = written(frame, rate);
  if (entry.position === undefined) return startedAt(entry, at);
  if (entry.stamp_at === undefined) return { ...entry, position: at };
  // The verdict keeps its distance from the reveal. (C55)
  const stampAt = frame + frameAt(entry.stamp_at, rate) - frameAt(entry.position, rate);
  return { ...entry, position: at, stamp_at: written(stampAt, rate) };
}

/** The entry with another start, as typed. Its spoken words move along. (C43) */
export function startedAt<E extends Pick<Entry, 'start' | 'words'>>(entry: E, start: Seconds): E {
  const { words, start: before } = entry;
  if (words === undefined || before === undefined) return { ...entry, start };
  const later = (at: Seconds) => Math.max(0, toMicros(at + start - before));
  const moved = words.map((word) => {
    return { ...word, start: later(word.start), ...(word.end !== undefined && { end: later(word.end) }) };
  });
  return { ...entry, start, words: moved };
}

/** The reveal at another second, as typed, which need not be on a frame. Its verdict moves along. (C55) */
export function positionedAt<E extends Pick<Entry, 'position' | 'stamp_at'>>(entry: E, position: Seconds): E {
  const { stamp_at: stampAt, position: before } = entry;
  if (stampAt === undefined || before === undefined) return { ...entry, position };
  return { ...entry, position, stamp_at: toMicros(stampAt + position - before) };
}

/** Removes entries; all others stay where they are. */
export function removeEntries(timeline: TimelineData, refs: readonly EntryIndex[]): TimelineData {
  return DRAWN_LANES.reduce((left, lane) => {
    const gone = new Set(refs.filter((ref) => ref.lane === lane).map(({ index }) => index));
    if (gone.size === 0) return left;
    return withLane(
      left,
      lane,
      (timeline[lane] as readonly Entry[]).filter((_, index) => !gone.has(index)),
    );
  }, timeline);
}

/**
 * Removes entries and their time. In every lane, later entries move forward by the removed time, so that reveals, words and sound stay
 * with their pictures. Entries that start within the removed time start at the cut. The board and music continue across the cut and get
 * shorter.
 */
export function rippleRemove(timeline: TimelineData, refs: readonly EntryIndex[], rules: TimeRules): TimelineData {
  const gaps = mergedGaps(refs.map((ref) => slotOf(timeline, ref, rules)));
  const after = (frame: number) =>
    gaps.reduce((left, gap) => left - Math.max(0, Math.min(frame, gap.end) - gap.start), frame);
  const removed = removeEntries(timeline, refs);
  return DRAWN_LANES.reduce((left, lane) => {
    const entries = removed[lane] as readonly Entry[];
    const shifted = entries.flatMap((entry, index) => {
      const { start, end } = slotOf(removed, { lane, index }, rules);
      const [from, to] = [after(start), after(end)];
      if (endsWithOthers(lane, entry) && to - from !== end - start) {
        return to === from ? [] : [{ ...entry, ...writtenSlot({ start: from, end: to }, rules.rate) }];
      }
      return [from === start ? entry : startingAt(entry, from, rules)];
    });
    const isSame = shifted.length === entries.length && shifted.every((entry, index) => entry === entries[index]);
    return isSame ? left : withLane(left, lane, shifted);
  }, removed);
}

/** Whether an entry spans what it accompanies, rather than belonging to one moment of it. */
function endsWithOthers(lane: LaneName, { role }: Entry): boolean {
  return lane === 'tier_blocks' || (lane === 'soundtracks' && role !== 'voice');
}

interface Gap {
  readonly start: Frames;
  readonly end: Frames;
}

/** Merges overlapping ranges, so that shared time is removed once. */
function mergedGaps(gaps: readonly Gap[]): Gap[] {
  const merged: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && gap.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, gap.end) as Frames };
    } else if (gap.end > gap.start) merged.push(gap);
  }
  return merged;
}

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
