import type { Rect } from '../../../plan/render-plan.ts';

export type Context = OffscreenCanvasRenderingContext2D;

/** A picture of a source, upright. Stays its maker's: it is drawn before the next one is asked for. */
export interface Drawable {
  readonly width: number;
  readonly height: number;
  /** Draws the part `from` of it, in its own pixels, into `to`. */
  draw(context: Context, from: Rect, to: Rect): void;
}

/** Pictures of one source, by source time. */
export interface SourcePictures {
  /** Why what is shown is only close to what the export shows; null where it is the same frame. */
  readonly close: string | null;
  /** The picture due at a time (R5), in microseconds; null where there is none to be had. One call at a time. */
  at(micros: number): Promise<Drawable | null>;
  /** What was last given out, if it is still there: better than nothing while the right one is on its way. */
  readonly last: Drawable | null;
  end(): void;
}

/** A decoded picture that lasts. */
export function bitmapDrawable(bitmap: ImageBitmap | OffscreenCanvas): Drawable {
  return {
    width: bitmap.width,
    height: bitmap.height,
    draw: (context, from, to) =>
      context.drawImage(bitmap, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height),
  };
}
