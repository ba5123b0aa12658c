import type { Rect } from '../../../plan/model/canvas.ts';
import type { PaintedKind, PaintedTypes } from '../../../plan/model/painted-layers.ts';
import type { PaintedPicture, Painting } from '../../../plan/model/painter.ts';
import type { Frames } from '../../../time.ts';
import type { Canvas2D, CreateSurface, Surface } from '../../canvas-2d.ts';
import { readPixels } from '../read-pixels.ts';
import type { PreparedPlan } from './prepare-painting.ts';

/** The tools for layers of all kinds. */
export interface LayerTools {
  readonly prepared: PreparedPlan;
  readonly surfaces: PaintSurfaces;
}

/** Paints the layers of one kind, each in its place: entrances and exits are handled elsewhere. Caches paintings. */
export interface LayerPainter<Kind extends PaintedKind> {
  /** Returns the same painting if it looks the same as before; null if no part of it is on the canvas. */
  paint(layer: PaintedTypes[Kind], frame: Frames): Painting | null;
}

/** How many layers at rest are kept. A span needs each of them once, and spans come in order. */
export const KEPT_PAINTINGS = 4;

/** A painting that is one still picture. */
export function atRest(still: PaintedPicture): Painting {
  return { still, isInPlace: true, moving: null, front: null };
}

/** How many surfaces are kept, one for each size. */
const KEPT_SURFACES = 6;

/** The surfaces for painting: each serves all paintings of its size. */
export class PaintSurfaces {
  readonly #createSurface: CreateSurface;
  /** Used longest ago first. */
  readonly #surfaces: Surface[] = [];

  constructor(createSurface: CreateSurface) {
    this.#createSurface = createSurface;
  }

  /** The pixels of `rect`, drawn in the canvas's coordinates. */
  paint(rect: Rect, draw: (context: Canvas2D) => void): Uint8Array {
    const { width, height } = rect;
    const surface = this.#surface(width, height);
    const { context } = surface;
    context.save();
    context.clearRect(0, 0, width, height);
    context.translate(-rect.x, -rect.y);
    draw(context);
    context.restore();
    return readPixels(surface);
  }

  /** Frees the pixels of a painted part: nobody uses them any more. */
  free(pixels: Uint8Array): void {
    this.#surfaces[0]?.free?.(pixels);
  }

  #surface(width: number, height: number): Surface {
    const known = this.#surfaces.findIndex(({ bitmap }) => bitmap.width === width && bitmap.height === height);
    const [last] =
      known >= 0 || this.#surfaces.length === KEPT_SURFACES ? this.#surfaces.splice(Math.max(0, known), 1) : [];
    const isOther = last !== undefined && known < 0;
    if (isOther) last.resize?.(width, height);
    const surface =
      last === undefined || (isOther && last.resize === undefined) ? this.#createSurface(width, height) : last;
    this.#surfaces.push(surface);
    return surface;
  }
}
