import { firstIndex } from '../../../collections.ts';
import { type Frames, overlaps, type Range } from '../../../time.ts';
import type { SoundRole } from '../../../timeline/choices.ts';
import { LANES, type LaneName } from '../../../timeline/lanes.ts';
import {
  type Entry,
  type EntryIndex,
  frameSlot,
  ofLane,
  slotOf,
  type TimeRules,
  withLane,
} from '../../document/entries.ts';
import { DRAWN_LANES, LANE_LOOKS } from '../../document/lane-looks.ts';
import type { TimelineData } from '../../document/project.ts';

/** An entry with its frames. */
export interface Placed extends Range<Frames> {
  readonly index: number;
  readonly entry: Entry;
}

/** Entries of one lane that do not overlap, by time: one line of the timeline. */
export interface TimelineLine {
  readonly lane: LaneName;
  /** The index of the line in its lane or role, from back to front. */
  readonly layer: number;
  /** Sounds of one role are grouped. (C57) */
  readonly role?: SoundRole | undefined;
  readonly placed: readonly Placed[];
}

/**
 * The lines of a timeline. Overlapping entries of a lane go to separate lines. A later drawn entry is on a higher line, so that lines
 * have the order of the pictures. (R6)
 */
export function linesOf(timeline: TimelineData, rules: TimeRules): TimelineLine[] {
  return DRAWN_LANES.flatMap((lane) => {
    const entries = timeline[lane] as readonly Entry[];
    const isMoments = LANES[lane].time === 'moment';
    if (lane === 'soundtracks') return byRole(entries, rules);
    const lines = isMoments ? inOneLine(entries, rules) : inLines(entries, rules);
    const made = lines.map((placed, layer): TimelineLine => ({ lane, layer, placed }));
    if (made.length === 0 || (isMoments && entries.length === 0)) {
      return LANE_LOOKS[lane].line!.always ? [{ lane, layer: 0, placed: [] }] : [];
    }
    return made.toReversed();
  });
}

const inOneLine = ofLane((entries, rules): (readonly Placed[])[] => [
  inTime(entries.map((entry, index) => place(entry, index, rules))),
]);
const inLines = ofLane((entries, rules): (readonly Placed[])[] => layered(entries, rules).map(inTime));

const ROLES: readonly (SoundRole | undefined)[] = ['voice', 'music', undefined];
const byRole = ofLane((entries, rules) =>
  ROLES.flatMap((role) => {
    const lines = layered(entries, rules, (entry) => entry.role === role).map(inTime);
    return lines.map((placed, layer): TimelineLine => ({ lane: 'soundtracks', layer, role, placed })).toReversed();
  }),
);

function inTime(placed: readonly Placed[]): readonly Placed[] {
  return placed.toSorted((a, b) => a.start - b.start);
}

function place(entry: Entry, index: number, rules: TimeRules): Placed {
  const { start, end } = frameSlot(entry, rules);
  return { start, end, index, entry };
}

/** The lines of one lane, from back to front. */
function layered(
  entries: readonly Entry[],
  rules: TimeRules,
  isIn: (entry: Entry) => boolean = () => true,
): Placed[][] {
  const layers: Placed[][] = [];
  entries.forEach((entry, index) => {
    if (!isIn(entry)) return;
    const placed = place(entry, index, rules);
    let layer = layers.length;
    while (layer > 0 && roomIn(layers[layer - 1]!, placed) !== null) layer -= 1;
    if (layer === layers.length) layers.push([placed]);
    else layers[layer]!.splice(roomIn(layers[layer]!, placed)!, 0, placed);
  });
  return layers;
}

/** The index at which a slot fits into a line; null if it overlaps an entry. */
function roomIn(line: readonly Placed[], { start, end }: Range<Frames>): number | null {
  const at = firstIndex(line.length, (index) => line[index]!.start >= start);
  if (at > 0 && line[at - 1]!.end > start) return null;
  if (at < line.length && line[at]!.start < end) return null;
  return at;
}

/** The entries of a line within a range, found by binary search. */
export function seenIn(line: TimelineLine, range: Range<number>): readonly Placed[] {
  const { placed } = line;
  const first = firstIndex(placed.length, (index) => placed[index]!.end >= range.start);
  const last = firstIndex(placed.length, (index) => placed[index]!.start > range.end);
  return placed.slice(first, Math.max(first, last));
}

/**
 * Moves an entry to a line of its lane: in front of overlapping entries further back, behind those on that line or further in front.
 * Entries that do not overlap it are ignored. (R6)
 */
export function restacked(timeline: TimelineData, ref: EntryIndex, layer: number, rules: TimeRules): TimelineData {
  const entries = timeline[ref.lane] as readonly Entry[];
  const own = slotOf(timeline, ref, rules);
  const others = entries.toSpliced(ref.index, 1);
  let [after, before] = [0, others.length];
  for (const [at, line] of layered(others, rules).entries()) {
    for (const other of line) {
      if (!overlaps(own, other)) continue;
      if (at < layer) after = Math.max(after, other.index + 1);
      else before = Math.min(before, other.index);
    }
  }
  const place = Math.max(after, Math.min(before, ref.index));
  return place === ref.index ? timeline : withLane(timeline, ref.lane, others.toSpliced(place, 0, entries[ref.index]!));
}
