import type { Rect } from '../plan/model/canvas.ts';

/** A rectangle in pixels of the surface, not necessarily whole: moving things are between pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box `amount` of the way from `a` to `b`. */
export function between(a: Box, b: Box, amount: number): Box {
  return {
    x: a.x + (b.x - a.x) * amount,
    y: a.y + (b.y - a.y) * amount,
    width: a.width + (b.width - a.width) * amount,
    height: a.height + (b.height - a.height) * amount,
  };
}

/** The box with the same aspect ratio around the same centre. */
export function scaledAboutCentre(box: Box, factor: number): Box {
  return {
    x: box.x + (box.width * (1 - factor)) / 2,
    y: box.y + (box.height * (1 - factor)) / 2,
    width: box.width * factor,
    height: box.height * factor,
  };
}

/** The gain in width and the loss in height of a flattened box. (R30) */
const WIDER = 0.12;
const FLATTER = 0.1;

/** The box, flattened this much on its foot: a falling card is pressed from above. Below 0 it is stretched. */
export function flattened({ x, y, width, height }: Box, by: number): Box {
  const [wider, flatter] = [width * WIDER * by, height * FLATTER * by];
  return { x: x - wider / 2, y: y + flatter, width: width + wider, height: height - flatter };
}

/** The box, larger by this much on every side. */
export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** The box, shifted by this much to the right and down. */
export function translated(box: Box, by: { readonly x: number; readonly y: number }): Box {
  return { ...box, x: box.x + by.x, y: box.y + by.y };
}

/**
 * The part of a box on the canvas, null if there is none. Its edges are even, like those of the canvas: video has one
 * chroma sample for two pixels by two.
 */
export function visiblePart(box: Box, canvas: { readonly width: number; readonly height: number }): Rect | null {
  const x = Math.max(0, Math.floor(box.x / 2) * 2);
  const y = Math.max(0, Math.floor(box.y / 2) * 2);
  const width = Math.min(canvas.width, Math.ceil((box.x + box.width) / 2) * 2) - x;
  const height = Math.min(canvas.height, Math.ceil((box.y + box.height) / 2) * 2) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Whether two boxes have a point in common. */
export function touches(one: Box, other: Box): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}

/** The smallest box around all of them. */
export function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
  return { x, y, width, height };
}
