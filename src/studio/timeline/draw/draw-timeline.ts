import { LANES } from '../../../timeline/lanes.ts';
import { pathOf } from '../../document/entries.ts';
import { LANE_LOOKS } from '../../document/lane-looks.ts';
import { ticks, xOf } from '../view/time-scale.ts';
import { type EntryBox, entryBoxes, type LineBox, RULER_PX, type Thinned, thinned } from '../view/timeline-layout.ts';
import { drawEntry, fillOf } from './draw-entry.ts';
import { FONT, type TimelineDrawing } from './timeline-drawing.ts';

/** From a tick to its label. The head of the playhead fits between them. */
const LABEL_PX = 10;
/** The line below the ruler that shows the rendered ranges. */
const RENDERED_PX = 2;

/** Draws the visible lines, entries and ruler. */
export function drawTimeline(context: CanvasRenderingContext2D, drawing: TimelineDrawing): void {
  const { width, height, layout, colors, scrollTop } = drawing;
  context.fillStyle = colors.well;
  context.fillRect(0, 0, width, height);
  context.font = FONT;
  context.textBaseline = 'middle';
  context.save();
  context.beginPath();
  context.rect(0, RULER_PX, width, height - RULER_PX);
  context.clip();
  context.translate(0, RULER_PX - scrollTop);
  for (const box of layout.boxes) {
    if (box.top + box.height < scrollTop || box.top > scrollTop + height) continue;
    drawLine(context, box, drawing);
  }
  drawHeld(context, drawing);
  drawMarquee(context, drawing);
  context.restore();
  drawRuler(context, drawing);
}

function drawLine(context: CanvasRenderingContext2D, box: LineBox, drawing: TimelineDrawing): void {
  const { width, colors } = drawing;
  context.fillStyle = colors.line;
  context.globalAlpha = 0.55;
  context.fillRect(0, box.top + box.height - 1, width, 1);
  context.globalAlpha = 1;
  drawEntries(context, box, drawing);
}

function drawHeld(context: CanvasRenderingContext2D, { heldAt, scale, rules, layout, colors }: TimelineDrawing): void {
  if (heldAt === null) return;
  const x = Math.round(xOf((heldAt * rules.rate.den) / rules.rate.num, scale)) + 0.5;
  context.strokeStyle = colors.ink;
  context.globalAlpha = 0.6;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, layout.height);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawMarquee(context: CanvasRenderingContext2D, { marquee, scale, colors }: TimelineDrawing): void {
  if (marquee === null) return;
  const { time, down } = marquee;
  const x = xOf(time.start, scale);
  const sides = [x, down.start, xOf(time.end, scale) - x, down.end - down.start] as const;
  context.fillStyle = colors.accent;
  context.strokeStyle = colors.accent;
  context.lineWidth = 1;
  context.globalAlpha = 0.14;
  context.fillRect(...sides);
  context.globalAlpha = 1;
  context.strokeRect(...sides);
}

function drawRuler(context: CanvasRenderingContext2D, { width, scale, colors, rendered }: TimelineDrawing): void {
  context.fillStyle = colors.well;
  context.fillRect(0, 0, width, RULER_PX);
  context.fillStyle = colors.line;
  context.fillRect(0, RULER_PX - 1, width, 1);
  context.font = '11px system-ui, "Noto Sans", sans-serif';
  for (const { at, label } of ticks(scale, width)) {
    const x = Math.round(xOf(at, scale));
    context.fillStyle = colors.edge;
    context.fillRect(x, label === null ? RULER_PX - 5 : 3, 1, label === null ? 4 : RULER_PX - 4);
    if (label === null) continue;
    context.fillStyle = colors.quiet;
    context.fillText(label, x + LABEL_PX, 10);
  }
  context.fillStyle = colors.ready;
  for (const { start, end } of rendered) {
    const x = xOf(start, scale);
    context.fillRect(x, RULER_PX - RENDERED_PX, xOf(end, scale) - x, RENDERED_PX);
  }
}

/** Draws the entries of a line from left to right. Entries that are too close to distinguish are drawn as strokes. */
function drawEntries(context: CanvasRenderingContext2D, box: LineBox, drawing: TimelineDrawing): void {
  const { runs, entries } = shownOf(box, drawing);
  for (const run of runs) drawRun(context, run, drawing);
  for (const entry of entries) drawEntry(context, entry, drawing);
}

/** What is drawn of a line, and what decided it. */
interface ShownLine {
  readonly by: readonly unknown[];
  readonly runs: readonly Run[];
  readonly entries: readonly EntryBox[];
}

/** By the entries of a line, which stay the same object until one of them changes. */
const shownLines = new WeakMap<LineBox['line']['placed'], ShownLine>();

/** A drag draws every line with each frame and changes one of them: the others are worked out once. */
function shownOf(box: LineBox, drawing: TimelineDrawing): ShownLine {
  const { width, colors, scale, rules, reveals, hasSelected, focused, issues } = drawing;
  const { lane, placed } = box.line;
  // Reveals depend on the plan and on rows, the others on what is marked, too.
  const isPlain = LANES[lane].time !== 'moment' && !hasSelected(lane) && focused?.lane !== lane && issues.size === 0;
  const by = [width, colors, scale, rules, box.top, box.height];
  const known = isPlain ? shownLines.get(placed) : undefined;
  if (known?.by.every((value, i) => value === by[i])) return known;
  const boxes = entryBoxes(box, scale, width, rules, reveals);
  const { strokes, entries } = thinned(boxes, (each) => isSpecial(each, drawing));
  const shown = { by, runs: runsOf(strokes, (stroke) => strokeColor(stroke.box, drawing)), entries };
  if (isPlain) shownLines.set(placed, shown);
  return shown;
}

function isSpecial({ ref }: EntryBox, { isSelected, focused, issues }: TimelineDrawing): boolean {
  if (isSelected(ref) || (focused?.lane === ref.lane && focused.index === ref.index)) return true;
  return issues.size > 0 && issues.has(pathOf(ref));
}

/** Adjacent strokes of the same colour. */
interface Run {
  readonly color: string;
  readonly x: number;
  end: number;
  readonly box: EntryBox;
  /** The start of its last stroke. */
  last: number;
}

/** Narrower strokes cannot be distinguished, so they are drawn as one, half edge and half fill like each of them. */
const MIN_APART_PX = 2;

function runsOf(strokes: Thinned<EntryBox>['strokes'], colorOf: (stroke: { readonly box: EntryBox }) => string): Run[] {
  const runs: Run[] = [];
  for (const stroke of strokes) {
    const { box, width } = stroke;
    const color = colorOf(stroke);
    const run = runs.at(-1);
    if (run !== undefined && run.color === color && box.x - run.end < 1 && box.x - run.last < MIN_APART_PX) {
      run.end = box.x + width;
      run.last = box.x;
    } else runs.push({ color, x: box.x, end: box.x + width, box, last: box.x });
  }
  return runs;
}

function drawRun(
  context: CanvasRenderingContext2D,
  { color, x, end, box, last }: Run,
  { colors }: TimelineDrawing,
): void {
  const isOne = last === x;
  context.fillStyle = color;
  context.fillRect(x, box.y, end - x, box.height);
  context.fillStyle = colors.edge;
  context.globalAlpha = isOne ? 1 : 0.5;
  context.fillRect(x, box.y, isOne ? Math.min(1, (end - x) / 2) : end - x, box.height);
  context.globalAlpha = 1;
}

function strokeColor({ ref, placed }: EntryBox, { reveal, colors }: TimelineDrawing): string {
  return LANE_LOOKS[ref.lane].line!.drawnAs === 'reveal' ? reveal(placed.entry).color : fillOf(ref.lane, colors);
}
