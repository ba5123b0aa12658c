import type { Bitmap, CreateSurface, Surface } from '../canvas-2d.ts';
import { readPixels } from './read-pixels.ts';

/**
 * Draws bitmaps before the frame that shows them. Skia records what is drawn on a canvas and draws it when the canvas is first used, so
 * making a bitmap early is not enough.
 */
export class DrawAhead {
  readonly #createSurface: CreateSurface;
  #surface: Surface | null = null;

  constructor(createSurface: CreateSurface) {
    this.#createSurface = createSurface;
  }

  draw(bitmap: Bitmap): void {
    this.#surface ??= this.#createSurface(1, 1);
    this.#surface.context.drawImage(bitmap, 0, 0, 1, 1, 0, 0, 1, 1);
    this.#surface.free?.(readPixels(this.#surface));
  }
}
