import type { BoardScene, Canvas, Rect } from './render-plan.ts';

/** A card at least so many times the smallest text has room for a caption in its picture. */
const CAPTIONED_CARD = 12.5;
/** A card never takes up more of a window than this; more would look like a poster. Of the root of the window's area. */
export const MOST_CARD_SHARE = 0.36;

type Size = Pick<Canvas, 'width' | 'height'>;

/** The smallest text on a canvas: 12 px where its shorter side is 1080, and never so few pixels that no letter holds. */
export function minTextPx(canvas: Size): number {
  return Math.max(8, (Math.min(canvas.width, canvas.height) * 12) / 1080);
}

/** The smallest card whose picture may bear a caption. */
export function captionedCardPx(smallestTextPx: number): number {
  return CAPTIONED_CARD * smallestTextPx;
}

/**
 * Whether cards could be large enough for captions in this window. The planner cannot measure text, so it does not know how
 * large they will be; but that they all have room, one row under the other, bounds them. Where this says no there are none,
 * and names of items not yet seen decide no pixel. (R18)
 */
export function mayBearCaptions({ rows, items }: BoardScene, window: Rect, canvas: Size): boolean {
  const root = Math.sqrt(window.width * window.height);
  const mostPx = Math.min(
    MOST_CARD_SHARE * root,
    root / Math.sqrt(Math.max(1, items.length)),
    window.height / Math.max(1, rows.length),
  );
  return mostPx >= captionedCardPx(minTextPx(canvas));
}
