import type { Rect } from '../../../plan/rect.ts';
import type { Canvas2D, CreateSurface, Surface } from '../../canvas-2d.ts';
import { readPixels } from '../read-pixels.ts';

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
