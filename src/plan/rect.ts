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
