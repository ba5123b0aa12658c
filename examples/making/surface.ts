import '../../src/paint/skia/no-system-fonts.ts';
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

/** A canvas and its context. */
export interface Surface {
  readonly canvas: Canvas;
  readonly context: SKRSContext2D;
}

/** An empty, transparent surface. */
export function createSurface(width: number, height: number): Surface {
  const canvas = createCanvas(width, height);
  return { canvas, context: canvas.getContext('2d') };
}
