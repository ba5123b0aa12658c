import type { Bitmap, Canvas2D, CreateSurface } from '../canvas-2d.ts';
import type { Box } from '../layout/box.ts';
import type { TextBlock } from '../layout/text/text-block.ts';
import { drawText } from './draw-text.ts';

/** Larger ones, in windows many times the canvas, are drawn as text every time. */
const MAX_SPRITE_PX = 1024 * 1024;

/** Text as bitmaps: shaping it again for every frame of an animation is expensive. A block keeps its first ink. */
export class TextSprites {
  readonly #createSurface: CreateSurface;
  readonly #sprites = new Map<TextBlock, Bitmap>();

  constructor(createSurface: CreateSurface) {
    this.#createSurface = createSurface;
  }

  /** Draws a block in its box; on whole pixels it is as sharp as text drawn directly. */
  draw(context: Canvas2D, block: TextBlock, box: Box, ink: string, align: 'left' | 'center' | 'right'): void {
    // Letters reach beyond their box: descenders, marks, swashes.
    const margin = Math.ceil(block.sizePx * 0.3);
    const [width, height] = [Math.ceil(box.width) + 2 * margin, Math.ceil(box.height) + 2 * margin];
    if (width * height > MAX_SPRITE_PX) {
      context.fillStyle = ink;
      drawText(context, block, box.x, box.y, box.width, align);
      return;
    }
    let sprite = this.#sprites.get(block);
    if (sprite === undefined) {
      const surface = this.#createSurface(width, height);
      surface.context.fillStyle = ink;
      drawText(surface.context, block, margin, margin, box.width, align);
      sprite = surface.bitmap;
      this.#sprites.set(block, sprite);
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(sprite, box.x - margin, box.y - margin, width, height);
  }
}
