/** With less than this to be seen of it, an entry is a stroke: nobody could read what is on it. */
const DETAIL_FROM_PX = 4;

/** What lies on a line, from left to right. */
interface Lying {
  readonly x: number;
  readonly width: number;
}

/** What is worth drawing of a line: entries as they are, and strokes, so wide, for those that lie too close. */
export interface Thinned<B extends Lying> {
  readonly strokes: readonly { readonly box: B; readonly width: number }[];
  readonly entries: readonly B[];
}

/**
 * Two hours in sight at once are thousands of entries on a thousand pixels: of those that lie that close only one stroke a pixel is drawn,
 * so that a drag stays as quick as with ten.
 *
 * @param isSpecial what is in hand or in trouble: seen at any distance, in front of the rest.
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
