import type { GivenBox, PercentBox } from '../../timeline/request/places.ts';
import type { Canvas } from '../render-plan.ts';

/** The orientation of a canvas. */
export type CanvasShape = 'landscape' | 'portrait' | 'square';

export type CanvasSize = Pick<Canvas, 'width' | 'height'>;

/** Sizes in a request, and our own, refer to a canvas whose shorter side has this many pixels. (C23, C48) */
export const REFERENCE_SIDE = 1080;

/** By how much such a size is larger or smaller on this canvas. */
export function referenceScale({ width, height }: CanvasSize): number {
  return Math.min(width, height) / REFERENCE_SIDE;
}

/** The orientation of a canvas; a nearly square one counts as square. */
export function shapeOf({ width, height }: CanvasSize): CanvasShape {
  return width > height * 1.2 ? 'landscape' : height > width * 1.2 ? 'portrait' : 'square';
}

/** In portrait, players of short videos cover the top 8, the bottom 20 and the right 12 percent. (C21) */
export const BLOCK_BOX: Readonly<Record<CanvasShape, PercentBox>> = {
  landscape: { x: 5, y: 5, width: 90, height: 90 },
  square: { x: 5, y: 5, width: 90, height: 90 },
  portrait: { x: 6, y: 8, width: 82, height: 72 },
};
/** Between the board and the layers above or below it. */
export const GAP_PERCENT = 2;

/** Whether any field of the box is given. */
export function isGiven(box: GivenBox): boolean {
  return Object.keys(box).length > 0;
}

interface Timed {
  readonly start: number;
  readonly duration: number | null;
}

/** Whether two entries overlap in time; the length of some depends on their media. */
export function overlap(a: Timed, b: Timed): boolean {
  return a.start < endOf(b) && b.start < endOf(a);
}

function endOf({ start, duration }: Timed): number {
  return duration === null ? Number.POSITIVE_INFINITY : start + duration;
}
