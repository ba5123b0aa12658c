import type { GivenBox, InShapes, PercentBox, ShapePlace } from '../../timeline/export-request.ts';

/** What an entry says of its place in the shape of that preset: what it says for this shape alone wins. (C42) */
export function placeInShape(
  { box, inShapes }: { readonly box: GivenBox; readonly inShapes: InShapes },
  preset: string,
): ShapePlace {
  const own = inShapes[preset];
  return own === undefined ? { box, hidden: false } : { ...own, box: { ...box, ...own.box } };
}

/** Whether anything was said of the box. */
export function isGiven(box: GivenBox): boolean {
  return Object.keys(box).length > 0;
}

/** The box with what was not said of it. */
export function completed(box: GivenBox, defaults: PercentBox): PercentBox {
  return { ...defaults, ...box };
}
