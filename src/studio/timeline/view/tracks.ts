import { firstIndex } from '../../../collections/first-index.ts';
import type { Frames, Range } from '../../../time.ts';
import type { SoundRole } from '../../../timeline/export-request.ts';
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

/** Entries of one lane that never overlap, by time: one line of the timeline. */
export interface Track {
  readonly lane: LaneName;
  /** Which line of its lane, or of those of its role, from the back to the front. */
  readonly layer: number;
  /** Sounds of one role stand together. (C57) */
  readonly role?: SoundRole | undefined;
  readonly placed: readonly Placed[];
}

/**
 * The lines of a timeline. Entries of a lane that overlap go to lines of their own, what is drawn later to a higher one, so that lines
 * stand as pictures lie. (R6)
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

/** The lines of one lane, from the back to the front. */
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

/** Where in a line there is room for a slot; null where something is in the way. */
function roomIn(line: readonly Placed[], { start, end }: Range<Frames>): number | null {
  const at = firstIndex(line.length, (index) => line[index]!.start >= start);
  if (at > 0 && line[at - 1]!.end > start) return null;
  if (at < line.length && line[at]!.start < end) return null;
  return at;
}

/** The part of a line that reaches into a range: what is not seen costs nothing. */
export function seenIn(track: Track, range: Range<number>): readonly Placed[] {
  const { placed } = track;
  const first = firstIndex(placed.length, (index) => placed[index]!.end >= range.start);
  const last = firstIndex(placed.length, (index) => placed[index]!.start > range.end);
  return placed.slice(first, Math.max(first, last));
}
