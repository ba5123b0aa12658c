/** An entry with less visible width is drawn as a stroke, since its content is not readable. */
const DETAIL_FROM_PX = 4;

/** A box on a line, from left to right. */
interface Lying {
  readonly x: number;
  readonly width: number;
}

/** What to draw of a line: entries in full, and strokes with a width for those that are too close. */
export interface Thinned<B extends Lying> {
  readonly strokes: readonly { readonly box: B; readonly width: number }[];
  readonly entries: readonly B[];
}

/**
 * Two visible hours are thousands of entries on a thousand pixels. Where they are that close, only one stroke a pixel is drawn, so that
 * a drag is as fast as with ten.
 *
 * @param isSpecial for entries that are selected or have issues: always drawn, in front of the rest.
 */
export function thinned<B extends Lying>(boxes: readonly B[], isSpecial: (box: B) => boolean): Thinned<B> {
  const strokes: { box: B; width: number }[] = [];
  const entries: B[] = [];
  const special: B[] = [];
  let column = Number.NaN;
  for (const [i, box] of boxes.entries()) {
    const seenPx = Math.min(box.width, (boxes[i + 1]?.x ?? Number.POSITIVE_INFINITY) - box.x);
    if (seenPx >= DETAIL_FROM_PX) entries.push(box);
    else if (isSpecial(box)) special.push(box);
    else if (Math.floor(box.x) !== column) {
      column = Math.floor(box.x);
      strokes.push({ box, width: Math.max(1, seenPx) });
    }
  }
  return { strokes, entries: [...entries, ...special] };
}
