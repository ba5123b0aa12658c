import type { Mix } from '../../../plan/envelope/clip-transition.ts';
import type { Canvas } from '../../../plan/render-plan.ts';
import type { Context } from './drawable.ts';

/** Draws one side of a transition over the layers below it. */
type DrawSide = (side: Context) => void;

/** The two sides of a transition and their mix. (C58) */
export class MixedSides {
  readonly #canvas: Canvas;
  readonly #from: OffscreenCanvas;
  readonly #to: OffscreenCanvas;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
    this.#from = new OffscreenCanvas(canvas.width, canvas.height);
    this.#to = new OffscreenCanvas(canvas.width, canvas.height);
  }

  /** @param context in which the layers below are already drawn. */
  draw(context: Context, mix: Mix, sides: { readonly from: DrawSide; readonly to: DrawSide }): void {
    const { width, height, background } = this.#canvas;
    this.#drawSide(this.#from, context, sides.from);
    this.#drawSide(this.#to, context, sides.to);
    context.save();
    if (mix.by === 'shift') {
      context.drawImage(this.#from, -mix.shift, 0);
      context.drawImage(this.#to, width - mix.shift, 0);
    } else if (mix.by === 'color') {
      context.drawImage(mix.shown === 'from' ? this.#from : this.#to, 0, 0);
      context.globalAlpha = mix.share;
      context.fillStyle = background;
      context.fillRect(0, 0, width, height);
    } else if (mix.by === 'edge') {
      this.#cutAt(mix);
      context.drawImage(this.#from, 0, 0);
      context.drawImage(this.#to, 0, 0);
    } else {
      this.#drawEnlarged(context, this.#from, mix.fromScale);
      context.globalAlpha = mix.share;
      this.#drawEnlarged(context, this.#to, mix.toScale);
    }
    context.restore();
  }

  #drawSide(side: OffscreenCanvas, under: Context, draw: DrawSide): void {
    const { width, height } = this.#canvas;
    const context = side.getContext('2d')!;
    context.globalCompositeOperation = 'source-over';
    context.globalAlpha = 1;
    context.imageSmoothingQuality = 'high';
    context.drawImage(under.canvas, 0, 0, width, height);
    draw(context);
  }

  /** Keeps the part of the second side that is left of the edge. */
  #cutAt({ end, soft }: { readonly end: number; readonly soft: number }): void {
    const { width, height } = this.#canvas;
    const context = this.#to.getContext('2d')!;
    const edge = context.createLinearGradient(end - soft, 0, end, 0);
    edge.addColorStop(0, 'rgb(0 0 0 / 1)');
    edge.addColorStop(1, 'rgb(0 0 0 / 0)');
    context.globalCompositeOperation = 'destination-in';
    context.fillStyle = edge;
    context.fillRect(0, 0, width, height);
  }

  #drawEnlarged(context: Context, side: OffscreenCanvas, scale: number): void {
    const { width, height } = this.#canvas;
    const [partWidth, partHeight] = [width / scale, height / scale];
    const part = [(width - partWidth) / 2, (height - partHeight) / 2, partWidth, partHeight] as const;
    context.drawImage(side, ...part, 0, 0, width, height);
  }
}
