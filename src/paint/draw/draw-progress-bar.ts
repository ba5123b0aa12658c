import type { Canvas2D } from '../canvas-2d.ts';
import type { Box } from '../layout/box.ts';

/**
 * The share of the line that stays dark above and below the filled part, which would be invisible over white footage
 * otherwise; in whole pixels.
 */
const EDGE = 1 / 6;

/** A line that reads on light and on dark, filled from the left. (C52, R20) */
export function drawProgressBar(context: Canvas2D, { x, y, width, height }: Box, filledPx: number): void {
  context.fillStyle = 'rgba(10, 11, 16, 0.6)';
  context.fillRect(x, y, width, height);
  context.fillStyle = '#ffffff';
  const edge = Math.floor(height * EDGE);
  context.fillRect(x, y + edge, filledPx, height - 2 * edge);
}
