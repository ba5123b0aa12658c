import { firstIndex } from '../../../collections/first-index.ts';
import type { Frames, Range } from '../../../time.ts';
import type { SoundRole } from '../../../timeline/choices.ts';
import { LANES, type LaneName } from '../../../timeline/lanes.ts';
import { DRAWN_LANES, LANE_LOOKS } from '../../document/lanes.ts';
import type { TimelineData } from '../../document/project.ts';
import type { Entry } from '../../document/timeline/entries.ts';
import { frameSlot, ofLane, type TimeRules } from '../../document/timeline/slot.ts';

/** An entry with its frames. */
export interface Placed extends Range<Frames> {
  readonly index: number;
  readonly entry: Entry;
}

/** Entries of one lane that do not overlap, by time: one line of the timeline. */
export interface Track {
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
export function tracksOf(timeline: TimelineData, rules: TimeRules): Track[] {
  return DRAWN_LANES.flatMap((lane) => {
    const entries = timeline[lane] as readonly Entry[];
    const isMoments = LANES[lane].time === 'moment';
    if (lane === 'soundtracks') return byRole(entries, rules);
    const lines = isMoments ? inOneLine(entries, rules) : inLines(entries, rules);
    const tracks = lines.map((placed, layer): Track => ({ lane, layer, placed }));
    if (tracks.length === 0 || (isMoments && entries.length === 0)) {
      return LANE_LOOKS[lane].line!.always ? [{ lane, layer: 0, placed: [] }] : [];
    }
    return tracks.toReversed();
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
    return lines.map((placed, layer): Track => ({ lane: 'soundtracks', layer, role, placed })).toReversed();
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
export function layered(
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
export function seenIn(track: Track, range: Range<number>): readonly Placed[] {
  const { placed } = track;
  const first = firstIndex(placed.length, (index) => placed[index]!.end >= range.start);
  const last = firstIndex(placed.length, (index) => placed[index]!.start > range.end);
  return placed.slice(first, Math.max(first, last));
}
