import { type Frames, type Range, type Seconds, secondsOf } from '../../../time.ts';
import { LANES, type LaneName } from '../../../timeline/lanes.ts';
import type { EntryIndex, TimeRules } from '../../document/entries.ts';
import { LANE_LOOKS } from '../../document/lane-looks.ts';
import { laneKey } from '../../document/lane-switches.ts';
import type { TimelineData } from '../../document/project.ts';
import { currentCourse, NOT_PLANNED, type PlannedReveals, type RevealCourse } from '../../document/reveal-course.ts';
import { gainAt, gainOf, levelsOf } from '../../document/volume-points.ts';
import { linesOf, type Placed, seenIn, type TimelineLine } from './lines.ts';
import { type TimeScale, xOf } from './time-scale.ts';

/** Heights in CSS pixels. */
export const RULER_PX = 26;
/** Between an entry and the edges of its line. */
const INSET_PX = 3;
/** The width of a reveal's marker: the letter of its row and its card. */
export const MARKER_PX = 66;
/** The minimum width of an entry, to be visible and clickable. */
const MIN_PX = 4;

/** A line and its position from the top of the first one. */
export interface LineBox {
  readonly line: TimelineLine;
  readonly top: number;
  readonly height: number;
}

/** The layout without scroll and zoom: it depends only on the document. */
export interface TimelineLayout {
  readonly boxes: readonly LineBox[];
  readonly height: number;
}

/** The visible box of an entry on the canvas, below the ruler, before vertical scrolling. */
export interface EntryBox {
  readonly ref: EntryIndex;
  readonly placed: Placed;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The course of a planned reveal. */
  readonly course: RevealCourse | null;
}

/** The lines from top to bottom. */
export function layoutTimeline(timeline: TimelineData, rules: TimeRules): TimelineLayout {
  let top = 0;
  const boxes = linesOf(timeline, rules).map((line): LineBox => {
    const box = { line, top, height: LANE_LOOKS[line.lane].line!.heightPx };
    top += box.height;
    return box;
  });
  return { boxes, height: top };
}

/** The height of a fingertip. */
const MIN_LINE_PX = 56;

/** The lines of one lane, high enough for touch; of the first lane if that lane does not exist. */
export function oneLane({ boxes }: TimelineLayout, key: string): TimelineLayout {
  const keyOf = ({ line }: LineBox) => laneKey(line.lane, line.role);
  const shown = boxes.some((box) => keyOf(box) === key) ? key : boxes[0] && keyOf(boxes[0]);
  let top = 0;
  const ofLane = boxes
    .filter((box) => keyOf(box) === shown)
    .map((box): LineBox => {
      const height = Math.max(MIN_LINE_PX, box.height);
      top += height;
      return { ...box, top: top - height, height };
    });
  return { boxes: ofLane, height: top };
}

/** High enough to see speech and its pauses. */
const TALL_LINE_PX = 112;

/** The lines of some entries, tall, and the reveals below them. */
export function tallLines({ boxes }: TimelineLayout, ofEntries: (ref: EntryIndex) => boolean): TimelineLayout {
  const isOf = ({ line: { lane, placed } }: LineBox) => placed.some(({ index }) => ofEntries({ lane, index }));
  const tall = boxes.filter(isOf).map((box) => ({ ...box, height: TALL_LINE_PX }));
  const reveals = boxes.filter(({ line }) => line.lane === 'tier_tiles' && line.placed.length > 0);
  return stacked([...tall, ...reveals]);
}

/** The lines of what is said and of its captions: voices, or clips where there are none. */
export function spokenLines({ boxes }: TimelineLayout): TimelineLayout {
  const voices = boxes.filter(({ line }) => line.role === 'voice');
  const spoken = voices.length > 0 ? voices : boxes.filter(({ line }) => line.lane === 'videos');
  return stacked([...spoken, ...boxes.filter(({ line }) => line.lane === 'subtitles')]);
}

function stacked(boxes: readonly LineBox[]): TimelineLayout {
  let top = 0;
  const shown = boxes.map((box): LineBox => {
    top += box.height;
    return { ...box, top: top - box.height };
  });
  return { boxes: shown, height: top };
}

/** The visible entries of a line, in time order. */
export function entryBoxes(
  box: LineBox,
  scale: TimeScale,
  widthPx: number,
  rules: TimeRules,
  { courses, usualHold }: PlannedReveals = NOT_PLANNED,
): EntryBox[] {
  const { line, top, height } = box;
  const { rate } = rules;
  const framesASecond = rate.num / rate.den;
  const isMarker = LANES[line.lane].time === 'moment';
  const longest = Math.max(MARKER_PX / scale.pxPerSecond, courses.longest / framesASecond);
  const from = scale.from - (isMarker ? longest : 0);
  const range = { start: from * framesASecond, end: (scale.from + widthPx / scale.pxPerSecond) * framesASecond };
  return seenIn(line, range).map((placed) => {
    const x = xOf(secondsOf(placed.start, rate), scale);
    const known = isMarker ? courses.byTile.get(placed.entry.id ?? '') : undefined;
    const course = known === undefined ? null : currentCourse(known, placed.entry, rules, usualHold);
    const end = placed.end + (course?.style === 'spotlight' ? course.lands : 0);
    return {
      ref: { lane: line.lane, index: placed.index },
      placed,
      x,
      y: top + INSET_PX,
      width: Math.max(isMarker ? MARKER_PX : MIN_PX, xOf(secondsOf(end as Frames, rate), scale) - x),
      height: height - 2 * INSET_PX,
      course,
    };
  });
}

/** A rectangle over the lines: its sides in seconds, and in pixels from the top of the first line. */
export interface Marquee {
  readonly time: Range<Seconds>;
  readonly down: Range<number>;
}

/** The entries that a rectangle touches, line by line. */
export function entriesWithin(
  layout: TimelineLayout,
  { time, down }: Marquee,
  pxPerSecond: number,
  rules: TimeRules,
  reveals: PlannedReveals = NOT_PLANNED,
): EntryIndex[] {
  const scale = { from: time.start, pxPerSecond };
  const widthPx = (time.end - time.start) * pxPerSecond;
  return layout.boxes
    .filter(({ top, height }) => top < down.end && top + height > down.start)
    .flatMap((line) => entryBoxes(line, scale, widthPx, rules, reveals))
    .filter(({ x, y, width, height }) => x < widthPx && x + width > 0 && y < down.end && y + height > down.start)
    .map(({ ref }) => ref);
}

/** What is at a point. */
export type Hit =
  | { readonly kind: 'ruler' }
  | { readonly kind: 'nothing'; readonly lane: LaneName | null }
  | { readonly kind: 'entry'; readonly box: EntryBox; readonly part: EntryPart };

/** The grabbed part of an entry. */
export type EntryPart = 'body' | 'start' | 'end' | 'fade_in' | 'fade_out' | 'volume';

/** Hit distances, in pixels. */
export interface Reach {
  /** Inside of an edge; at most a third of the entry. */
  readonly edge: number;
  /** Outside of an edge, if the entry is selected. */
  readonly beyond: number;
  /** Around the handle of a fade, sideways and down. */
  readonly across: number;
  readonly down: number;
  /** Around the level line. */
  readonly level: number;
}

/** A mouse is precise; a finger is not, and covers its target. */
export const MOUSE: Reach = { edge: 7, beyond: 0, across: 8, down: 8, level: 4 };
export const FINGER: Reach = { edge: 18, beyond: 16, across: 18, down: 12, level: 8 };

/** The target at a point of the canvas, with `y` from its top including the ruler. */
export function hitAt(
  layout: TimelineLayout,
  { x, y, scrollY }: { readonly x: number; readonly y: number; readonly scrollY: number },
  scale: TimeScale,
  {
    rules,
    selected,
    reach = MOUSE,
    reveals = NOT_PLANNED,
  }: {
    readonly rules: TimeRules;
    readonly selected: (ref: EntryIndex) => boolean;
    readonly reach?: Reach;
    readonly reveals?: PlannedReveals;
  },
): Hit {
  if (y < RULER_PX) return { kind: 'ruler' };
  const down = y - RULER_PX + scrollY;
  const box = layout.boxes.find(({ top, height }) => down >= top && down < top + height);
  if (box === undefined) return { kind: 'nothing', lane: null };
  // The last drawn entry is on top.
  const near = reach.beyond;
  const around = { ...scale, from: scale.from - near / scale.pxPerSecond };
  const seen = entryBoxes(box, around, x + near * 2 + 1, rules, reveals).map((entry) => ({
    ...entry,
    x: entry.x - near,
  }));
  const isOver = (entry: EntryBox, by: number) => x >= entry.x - by && x < entry.x + entry.width + by;
  // A selected entry also takes hits slightly outside.
  const hit =
    seen.findLast((entry) => near > 0 && selected(entry.ref) && isOver(entry, near)) ??
    seen.findLast((entry) => isOver(entry, 0));
  if (hit === undefined) return { kind: 'nothing', lane: box.line.lane };
  return { kind: 'entry', box: hit, part: partAt(hit, { x, y: down }, selected(hit.ref), scale, { rules, reach }) };
}

function partAt(
  box: EntryBox,
  { x, y }: { readonly x: number; readonly y: number },
  isSelected: boolean,
  scale: TimeScale,
  { rules, reach }: { readonly rules: TimeRules; readonly reach: Reach },
): EntryPart {
  const { lane } = box.ref;
  if (LANES[lane].time === 'moment') return 'body';
  const edge = Math.min(reach.edge, box.width / 3);
  if (isSelected && LANES[lane].hasSound) {
    const handles = handlePlaces(box, scale, rules);
    for (const part of ['fade_in', 'fade_out'] as const) {
      if (Math.abs(x - handles[part]) <= reach.across && y <= box.y + reach.down) return part;
    }
    const isInside = x > box.x + edge && x < box.x + box.width - edge;
    if (isInside && Math.abs(y - levelAt(box, x, scale, rules)) <= reach.level) return 'volume';
  }
  if (x < box.x + edge) return 'start';
  if (x >= box.x + box.width - edge) return 'end';
  return 'body';
}

/** The positions of the sound handles: two fades on the upper edge, and the level line. */
export function handlePlaces(
  { placed, x, y, width, height }: EntryBox,
  { pxPerSecond }: TimeScale,
  { volumeAs = 'gain' }: Pick<TimeRules, 'volumeAs'>,
) {
  const { fade_in: fadeIn = 0, fade_out: fadeOut = 0 } = placed.entry;
  return {
    fade_in: x + Math.min(width, fadeIn * pxPerSecond),
    fade_out: x + width - Math.min(width, fadeOut * pxPerSecond),
    volume: y + height - levelShare(gainOf(placed.entry.volume, volumeAs)) * height,
  };
}

/** The height of the level line at a position: volume times volume points, without fades. (C80) */
export function levelAt(
  { placed: { entry }, x, y, height }: EntryBox,
  at: number,
  { pxPerSecond }: TimeScale,
  { volumeAs }: Pick<TimeRules, 'volumeAs'>,
): number {
  const gain = gainOf(entry.volume, volumeAs) * gainAt(levelsOf(entry, volumeAs), (at - x) / pxPerSecond);
  return y + height - levelShare(Math.min(MAX_GAIN, gain)) * height;
}

/** The gain at a height within an entry. */
export function gainAtHeight({ y, height }: Pick<EntryBox, 'y' | 'height'>, at: number): number {
  return gainAtShare((y + height - at) / height);
}

/** A fader scale: gain 1 is at two thirds of the height, 4 at the top, since loudness is logarithmic. */
export function levelShare(gain: number): number {
  return gain <= 1 ? gain * LEVEL_AT_ONE : LEVEL_AT_ONE + (Math.log2(gain) / 2) * (1 - LEVEL_AT_ONE);
}

/** The gain at a share of the height. */
function gainAtShare(share: number): number {
  const held = Math.min(1, Math.max(0, share));
  return held <= LEVEL_AT_ONE ? held / LEVEL_AT_ONE : 2 ** (((held - LEVEL_AT_ONE) / (1 - LEVEL_AT_ONE)) * 2);
}

const LEVEL_AT_ONE = 2 / 3;
const MAX_GAIN = 4;

/** An entry with less visible width is drawn as a stroke: it has no room for a letter or a word. */
const DETAIL_FROM_PX = 12;

/** A box on a line, from left to right. */
interface Lying {
  readonly x: number;
  readonly width: number;
}

/** What to draw of a line: entries in full, and strokes with a width for those that are too close. */
export interface Thinned<B extends Lying> {
  readonly strokes: readonly { readonly box: B; readonly width: number }[];
  readonly entries: readonly B[];
}

/**
 * Two visible hours are thousands of entries on a thousand pixels. Where they are that close, only one stroke a pixel is drawn, so that
 * a drag is as fast as with ten.
 *
 * @param isSpecial for entries that are selected or have issues: always drawn, in front of the rest.
 */
export function thinned<B extends Lying>(boxes: readonly B[], isSpecial: (box: B) => boolean): Thinned<B> {
  const strokes: { box: B; width: number }[] = [];
  const entries: B[] = [];
  const special: B[] = [];
  let column = Number.NaN;
  // By index: the pairs of `entries()` would be most of what a frame of a drag leaves to the garbage collector.
  for (let i = 0; i < boxes.length; i += 1) {
    const box = boxes[i]!;
    const seenPx = Math.min(box.width, (boxes[i + 1]?.x ?? Number.POSITIVE_INFINITY) - box.x);
    if (seenPx >= DETAIL_FROM_PX) entries.push(box);
    else if (isSpecial(box)) special.push(box);
    else if (Math.floor(box.x) !== column) {
      column = Math.floor(box.x);
      strokes.push({ box, width: Math.max(1, seenPx) });
    }
  }
  return { strokes, entries: [...entries, ...special] };
}
