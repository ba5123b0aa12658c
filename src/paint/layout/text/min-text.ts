import { REFERENCE_SIDE } from '../../../plan/place/canvas-shape.ts';

/** The smallest text on a canvas: 12 px on one of the reference size, and never so few pixels that letters are illegible. */
export function minTextPx(canvas: { readonly width: number; readonly height: number }): number {
  return Math.max(8, (Math.min(canvas.width, canvas.height) * 12) / REFERENCE_SIDE);
}
