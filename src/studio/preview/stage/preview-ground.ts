import { gradientLevels, writeGradient } from '../../../paint/pixels/gradient-pixels.ts';
import { gradientMove } from '../../../plan/ground/gradient.ts';
import type { Canvas, Gradient, RenderPlan } from '../../../plan/render-plan.ts';
import type { Context } from './drawable.ts';

/** The background: a colour, or a gradient, whose picture is cached. (C61) */
export class PreviewGround {
  #picture: { readonly name: string; readonly bitmap: OffscreenCanvas } | null = null;

  draw(
    context: Context,
    { canvas, rate }: Pick<RenderPlan, 'canvas' | 'rate'>,
    n: Parameters<typeof gradientMove>[1],
  ): void {
    const { width, height, background, behind } = canvas;
    if (typeof behind !== 'object') {
      context.fillStyle = background;
      context.fillRect(0, 0, width, height);
      return;
    }
    const move = gradientMove(behind, n, rate);
    const name = JSON.stringify([canvas, move]);
    if (this.#picture?.name !== name) {
      const bitmap = this.#picture?.bitmap ?? new OffscreenCanvas(width, height);
      drawGradient(bitmap, canvas, behind, move);
      this.#picture = { name, bitmap };
    }
    context.drawImage(this.#picture.bitmap, 0, 0);
  }
}

/** The engine dithers luma and chroma, the preview dithers RGB channels: levels differ by one at most. */
function drawGradient(bitmap: OffscreenCanvas, { width, height }: Canvas, gradient: Gradient, move: number): void {
  bitmap.width = width;
  bitmap.height = height;
  const pixels = new ImageData(width, height);
  pixels.data.fill(255);
  for (const [channel, levels] of gradientLevels(gradient, move, (color) => color).entries()) {
    writeGradient(levels, gradient, { bytes: pixels.data, at: channel, column: 4, row: width * 4, width, height });
  }
  bitmap.getContext('2d')!.putImageData(pixels, 0, 0);
}
