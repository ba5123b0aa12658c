import type { Canvas2D } from '../canvas-2d.ts';
import type { Box } from '../layout/box.ts';

/** Draws a line just inside a box with round corners. */
export function strokeInside(context: Canvas2D, box: Box, radiusPx: number, linePx: number, style: string): void {
  context.beginPath();
  context.roundRect(
    box.x + linePx / 2,
    box.y + linePx / 2,
    Math.max(0, box.width - linePx),
    Math.max(0, box.height - linePx),
    Math.max(0, radiusPx - linePx / 2),
  );
  context.strokeStyle = style;
  context.lineWidth = linePx;
  context.stroke();
}
