import { pathOf } from '../edit/timeline-data.ts';
import { thinned } from '../view/thinned.ts';
import type { EntryBox } from '../view/timeline-layout.ts';
import { drawEntry, fillOf } from './draw-entry.ts';
import type { TimelineDrawing } from './timeline-drawing.ts';

/** The entries of a line, from left to right; those that lie too close to be told apart as strokes. */
export function drawEntries(
  context: CanvasRenderingContext2D,
  boxes: readonly EntryBox[],
  drawing: TimelineDrawing,
): void {
  const { strokes, entries } = thinned(boxes, (box) => isSpecial(box, drawing));
  for (const { box, width } of strokes) drawStroke(context, box, width, drawing);
  for (const box of entries) drawEntry(context, box, drawing);
}

function isSpecial({ ref }: EntryBox, { isSelected, focused, issues }: TimelineDrawing): boolean {
  if (isSelected(ref) || (focused?.lane === ref.lane && focused.index === ref.index)) return true;
  return issues.size > 0 && issues.has(pathOf(ref));
}

function drawStroke(
  context: CanvasRenderingContext2D,
  { ref, placed, x, y, height }: EntryBox,
  width: number,
  drawing: TimelineDrawing,
): void {
  const isReveal = ref.lane === 'tier_tiles';
  context.fillStyle = isReveal
    ? drawing.reveal(placed.entry.tier_item_id ?? '').color
    : fillOf(ref.lane, drawing.colors);
  context.fillRect(x, y, width, height);
  context.fillStyle = drawing.colors.edge;
  context.fillRect(x, y, Math.min(1, width / 2), height);
}
