import type { ProgressBar } from '../../../plan/model/painted-layers.ts';
import type { Painting } from '../../../plan/model/painter.ts';
import type { Frames } from '../../../time.ts';
import type { Box } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import { atRest, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** The line that shows the progress of the video. (C52) */
export class ProgressLine implements LayerPainter<'progress'> {
  readonly #tools: LayerTools;
  #last: { readonly bar: ProgressBar; readonly filled: number; readonly painting: Painting } | null = null;

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(bar: ProgressBar, frame: Frames): Painting {
    const { rect, shows } = bar;
    // By two pixels, which share a sample of colour: so it grows less often, and its end is sharp.
    const filled = 2 * Math.round((rect.width * (frame + 1)) / shows.end / 2);
    if (this.#last?.bar === bar && this.#last.filled === filled) return this.#last.painting;
    const rgba = this.#tools.surfaces.paint(rect, (context) => drawProgressBar(context, rect, filled));
    this.#last = { bar, filled, painting: atRest({ rect, rgba }) };
    return this.#last.painting;
  }
}

/**
 * The share of the line that stays dark above and below the filled part, which would be invisible over white footage
 * otherwise; in whole pixels.
 */
const EDGE = 1 / 6;

/** A line that reads on light and on dark, filled from the left. (C52, R20) */
function drawProgressBar(context: Canvas2D, { x, y, width, height }: Box, filledPx: number): void {
  context.fillStyle = 'rgba(10, 11, 16, 0.6)';
  context.fillRect(x, y, width, height);
  context.fillStyle = '#ffffff';
  const edge = Math.floor(height * EDGE);
  context.fillRect(x, y + edge, filledPx, height - 2 * edge);
}
