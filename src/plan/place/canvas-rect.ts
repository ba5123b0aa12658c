import type { PercentBox } from '../../timeline/request/places.ts';
import type { Rect } from '../rect.ts';
import type { Canvas } from '../render-plan.ts';

/**
 * A box in percent of the canvas, in pixels. Edges are rounded rather than sizes, so that boxes that touch in percent
 * touch in pixels; to even ones, so that 4:2:0 chroma lies under the same edge as luma.
 */
export function canvasRect(box: PercentBox, canvas: Pick<Canvas, 'width' | 'height'>): Rect {
  const left = nearestEven((box.x * canvas.width) / 100);
  const top = nearestEven((box.y * canvas.height) / 100);
  const right = nearestEven(((box.x + box.width) * canvas.width) / 100);
  const bottom = nearestEven(((box.y + box.height) * canvas.height) / 100);
  return { x: left, y: top, width: Math.max(2, right - left), height: Math.max(2, bottom - top) };
}

/** The intersection of two rectangles, or null. */
export function intersect(a: Rect, b: Rect): Rect | null {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Whether `outer` covers all of `inner`. */
export function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  );
}

/** How much of `rect` lies under `cover`, from 0 to 1. */
export function coveredShare(rect: Rect, cover: Rect): number {
  const common = intersect(rect, cover);
  return common === null ? 0 : (common.width * common.height) / (rect.width * rect.height);
}

/** The largest square in the middle, on even edges. */
export function middleSquare({ x, y, width, height }: Rect): Rect {
  const side = Math.max(2, Math.min(width, height) & ~1);
  return { x: x + nearestEven((width - side) / 2), y: y + nearestEven((height - side) / 2), width: side, height: side };
}

/** The even whole number nearest to `value`. */
export function nearestEven(value: number): number {
  return 2 * Math.floor(value / 2 + 0.5);
}
