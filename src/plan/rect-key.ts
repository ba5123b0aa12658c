import type { Rect } from './render-plan.ts';

/** A rectangle in a key: a list, since the order of an object's fields is not to be trusted. */
export function rectKey({ x, y, width, height }: Rect): number[] {
  return [x, y, width, height];
}
