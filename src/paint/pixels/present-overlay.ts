import type { Presence } from '../../plan/envelope/picture-envelope.ts';
import type { Overlay } from '../../plan/overlay-painter.ts';
import type { Canvas } from '../../plan/render-plan.ts';

/** Two channels at once: no product reaches beyond its half of the word. */
const PAIR = 0x00ff00ff;

/**
 * A picture during its entrance or exit: shifted and faded; null if no part of it is on the canvas. (R20)
 *
 * @param isStraight whether its colours are not multiplied by their alpha.
 */
export function presentOverlay(
  { rect, rgba }: Overlay,
  { opacity, x: byX, y: byY }: Presence,
  canvas: Pick<Canvas, 'width' | 'height'>,
  isStraight = false,
): Overlay | null {
  const x = Math.max(0, rect.x + byX);
  const y = Math.max(0, rect.y + byY);
  const width = Math.min(canvas.width, rect.x + byX + rect.width) - x;
  const height = Math.min(canvas.height, rect.y + byY + rect.height) - y;
  if (width <= 0 || height <= 0) return null;
  const from = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.byteLength >> 2);
  const to = new Int32Array(width * height);
  const share = Math.round(opacity * 256);
  for (let row = 0; row < height; row += 1) {
    let at = (y + row - rect.y - byY) * rect.width + x - rect.x - byX;
    const end = row * width + width;
    for (let pixel = row * width; pixel < end; pixel += 1, at += 1) {
      const four = from[at]!;
      if (four === 0) continue;
      if (isStraight) {
        to[pixel] = (four & 0xffffff) | (((((four >>> 24) * share) >>> 8) & 255) << 24);
        continue;
      }
      const even = (Math.imul(four & PAIR, share) >>> 8) & PAIR;
      const odd = Math.imul((four >>> 8) & PAIR, share) & ~PAIR;
      to[pixel] = even | odd;
    }
  }
  return { rect: { x, y, width, height }, rgba: new Uint8Array(to.buffer) };
}
