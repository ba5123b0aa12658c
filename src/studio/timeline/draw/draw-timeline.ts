import { ticks, xOf } from '../view/time-scale.ts';
import { entryBoxes, RULER_PX, type TrackBox } from '../view/timeline-layout.ts';
import { drawEntries } from './draw-entries.ts';
import { FONT } from './draw-text.ts';
import type { TimelineDrawing } from './timeline-drawing.ts';

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

function drawLine(context: CanvasRenderingContext2D, box: TrackBox, drawing: TimelineDrawing): void {
  const { width, colors, scale, rules, reveals } = drawing;
  context.fillStyle = colors.line;
  context.globalAlpha = 0.55;
  context.fillRect(0, box.top + box.height - 1, width, 1);
  context.globalAlpha = 1;
  drawEntries(context, entryBoxes(box, scale, width, rules, reveals), drawing);
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
