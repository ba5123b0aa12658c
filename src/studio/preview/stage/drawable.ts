import type { Rect } from '../../../plan/rect.ts';

export type Context = OffscreenCanvasRenderingContext2D;

/** An upright picture of a source. Its maker owns it: draw it before requesting the next one. */
export interface Drawable {
  readonly width: number;
  readonly height: number;
  /** Draws its part `from`, in its own pixels, into `to`. */
  draw(context: Context, from: Rect, to: Rect): void;
}

/** Pictures of one source, by source time. */
export interface SourcePictures {
  /** Why the picture may differ from the export; null if it is the same frame. */
  readonly close: string | null;
  /** The picture due at a time (R5), in microseconds; null if there is none. One call at a time. */
  at(micros: number): Promise<Drawable | null>;
  /** The last picture, if it still exists, to show while the right one loads. */
  readonly last: Drawable | null;
  end(): void;
}

/** A decoded picture that stays valid. */
export function bitmapDrawable(bitmap: ImageBitmap | OffscreenCanvas): Drawable {
  return {
    width: bitmap.width,
    height: bitmap.height,
    draw: (context, from, to) =>
      context.drawImage(bitmap, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height),
  };
}
