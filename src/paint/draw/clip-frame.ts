import type { ClipLook } from '../../plan/layers/clip-layer.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import { type Box, grown } from '../layout/box.ts';

/** Something drawn around a picture in a picture, in the canvas's coordinates. */
interface Drawn {
  readonly box: Box;
  draw(context: Canvas2D): void;
}

/** How far a shadow spreads, and how far down it falls, as shares of the shorter side. */
const SPREAD = 0.05;
const FALLS = 0.02;

/** The shadow below the picture, or null. */
export function clipShadow({ rect, radiusPx, shadow }: ClipLook): Drawn | null {
  if (!shadow) return null;
  const side = Math.min(rect.width, rect.height);
  const blurPx = Math.max(2, side * SPREAD);
  return {
    box: grown(rect, blurPx * 2.6 + side * FALLS),
    draw: (context) => {
      // Draws only the shadow: the shape that casts it is above the visible area.
      const away = rect.height + 8 * blurPx;
      context.save();
      context.shadowColor = 'rgba(0, 0, 0, 0.6)';
      context.shadowBlur = 2 * blurPx;
      context.shadowOffsetY = away + side * FALLS;
      context.fillStyle = '#000000';
      context.beginPath();
      context.roundRect(rect.x, rect.y - away, rect.width, rect.height, radiusPx);
      context.fill();
      context.restore();
    },
  };
}

/** The border over the picture's edge, or null. */
export function clipBorder({ rect, radiusPx, border }: ClipLook): Drawn | null {
  if (border === null) return null;
  const { color, widthPx } = border;
  return {
    box: rect,
    draw: (context) => {
      const { x, y, width, height } = grown(rect, -widthPx / 2);
      context.beginPath();
      context.roundRect(x, y, width, height, Math.max(0, radiusPx - widthPx / 2));
      context.strokeStyle = color;
      context.lineWidth = widthPx;
      context.stroke();
    },
  };
}
