import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import type { Box } from '../../layout/box.ts';

/** The longer side of a shape as it is kept. What is blurred has no detail that more pixels could show. */
const KEPT_PX = 128;

/** How a soft shape looks; lengths as shares of the longer side of what it lies around. */
export interface SoftLook {
  /** CSS colour. */
  readonly color: string;
  readonly blur: number;
  readonly radius: number;
}

/** Shadows and glows: blurred once, small, and then only scaled, since blurring is what costs. */
export class SoftShapes {
  readonly #createSurface: CreateSurface;
  readonly #kept = new Map<string, Bitmap>();

  constructor(createSurface: CreateSurface) {
    this.#createSurface = createSurface;
  }

  /** Draws the shape around a box. */
  draw(context: Canvas2D, box: Box, look: SoftLook): void {
    const long = Math.max(box.width, box.height);
    if (long <= 0) return;
    const scale = KEPT_PX / long;
    const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
    const margin = Math.ceil(look.blur * KEPT_PX * MARGIN);
    const key = `${width}x${height} ${look.color} ${look.blur} ${look.radius}`;
    let shape = this.#kept.get(key);
    if (shape === undefined) {
      shape = this.#make(width, height, margin, look);
      if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
      this.#kept.set(key, shape);
    }
    const outside = margin / scale;
    context.imageSmoothingQuality = 'low';
    context.drawImage(shape, box.x - outside, box.y - outside, box.width + 2 * outside, box.height + 2 * outside);
  }

  /** Only the shadow: what casts it stands outside, above. */
  #make(width: number, height: number, margin: number, { color, blur, radius }: SoftLook): Bitmap {
    const { bitmap, context } = this.#createSurface(width + 2 * margin, height + 2 * margin);
    const away = height + 4 * margin;
    context.shadowColor = color;
    context.shadowBlur = blur * KEPT_PX * 2;
    context.shadowOffsetY = away;
    context.fillStyle = '#000000';
    context.beginPath();
    context.roundRect(margin, margin - away, width, height, radius * KEPT_PX);
    context.fill();
    return bitmap;
  }
}

/** How far a blurred edge reaches, in blurs. */
export const MARGIN = 2.6;
const MOST_KEPT = 32;
