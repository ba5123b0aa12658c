import type { ThemeName } from '../../timeline/choices.ts';
import type { CanvasShape, PercentBox } from '../../timeline/default-looks.ts';

/** Whole pixels; may be partly outside its surface. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle in a key: a list, since the order of an object's fields is not to be trusted. */
export function rectKey({ x, y, width, height }: Rect): number[] {
  return [x, y, width, height];
}

/** The output picture: even sides, and the colour behind everything (`#rrggbb`). */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** What covers that colour: a gradient, the ground of a theme, or background clips (`ClipLayer.ground`). (C61, R37) */
  readonly behind?: Gradient | ThemeGround | 'clip';
}

/** A still picture that the painter draws. */
interface ThemeGround {
  readonly theme: ThemeName;
}

/** Colours (`#rrggbb`) along a line. */
export interface Gradient {
  /** At even distances, two at least. */
  readonly colors: readonly string[];
  /** Where it goes, in degrees: 0 up, 90 to the right, 180 down. */
  readonly angle: number;
  readonly moving: boolean;
}

/** The gradient behind everything, if there is one. */
export function gradientBehind({ behind }: Canvas): Gradient | null {
  return typeof behind === 'object' && 'colors' in behind ? behind : null;
}

/** The theme whose ground is behind everything, if there is one. */
export function themeBehind({ behind }: Canvas): ThemeName | null {
  return typeof behind === 'object' && 'theme' in behind ? behind.theme : null;
}

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
