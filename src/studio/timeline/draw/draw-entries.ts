import { LANE_LOOKS } from '../../document/lanes.ts';
import { pathOf } from '../../document/timeline/entries.ts';
import { type Thinned, thinned } from '../view/thinned.ts';
import type { EntryBox } from '../view/timeline-layout.ts';
import { drawEntry, fillOf } from './draw-entry.ts';
import type { TimelineDrawing } from './timeline-drawing.ts';

/** Draws the entries of a line from left to right. Entries that are too close to distinguish are drawn as strokes. */
export function drawEntries(
  context: CanvasRenderingContext2D,
  boxes: readonly EntryBox[],
  drawing: TimelineDrawing,
): void {
  const { strokes, entries } = thinned(boxes, (box) => isSpecial(box, drawing));
  for (const run of runsOf(strokes, ({ box }) => strokeColor(box, drawing))) drawRun(context, run, drawing);
  for (const box of entries) drawEntry(context, box, drawing);
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
