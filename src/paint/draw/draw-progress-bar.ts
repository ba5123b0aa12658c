import type { Canvas2D } from '../canvas-2d.ts';
import type { Box } from '../layout/box.ts';

/** A line that reads on light and on dark, filled from the left. (C52, R20) */
export function drawProgressBar(context: Canvas2D, { x, y, width, height }: Box, filledPx: number): void {
  context.fillStyle = 'rgba(10, 11, 16, 0.45)';
  context.fillRect(x, y, width, height);
  context.fillStyle = '#ffffff';
  context.fillRect(x, y, filledPx, height);
}
