import type { ProgressBar } from '../../../plan/layers/painted-layers.ts';
import type { Painting } from '../../../plan/overlay-painter.ts';
import type { Frames } from '../../../time.ts';
import { drawProgressBar } from '../draw-progress-bar.ts';
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
