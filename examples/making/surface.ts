import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';

/** A canvas and its context. */
export interface Surface {
  readonly canvas: Canvas;
  readonly context: SKRSContext2D;
}

let make: ((width: number, height: number) => Surface) | null = null;

/** What everything is drawn on from now on: Skia's canvas on a computer (skia-surface.ts), a browser's own in the studio. */
export function drawOn(surfaces: (width: number, height: number) => Surface): void {
  make = surfaces;
}

/** An empty, transparent surface. */
export function createSurface(width: number, height: number): Surface {
  if (make === null) throw new Error('There is nothing to draw on yet: see drawOn.');
  return make(width, height);
}
