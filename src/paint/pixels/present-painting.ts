import type { Presence } from '../../plan/frame/picture-envelope.ts';
import type { Canvas } from '../../plan/model/canvas.ts';
import type { PaintedPicture, Painting } from '../../plan/model/painter.ts';

/** A painting during its entrance or exit: shifted and faded; null if no part of it is on the canvas. (R20) */
export function presentPainting(
  painting: Painting,
  presence: Presence,
  canvas: Pick<Canvas, 'width' | 'height'>,
  isStraight: boolean,
): Painting | null {
  const present = (picture: PaintedPicture) => presentPicture(picture, presence, canvas, isStraight);
  const still = present(joined(painting));
  if (still === null) return null;
  const { front } = painting;
  return { still, isInPlace: false, moving: null, front: front && present(front) };
}

/** The layer as one picture, without the part in front of it. */
function joined({ still, moving }: Painting): PaintedPicture {
  if (moving === null) return still;
  const rgba = new Uint8Array(still.rgba);
  for (let row = 0; row < moving.rect.height; row += 1) {
    const from = row * moving.rect.width * 4;
    const to = ((moving.rect.y + row - still.rect.y) * still.rect.width + moving.rect.x - still.rect.x) * 4;
    rgba.set(moving.rgba.subarray(from, from + moving.rect.width * 4), to);
  }
  return { rect: still.rect, rgba };
}

/** Two channels at once: no product reaches beyond its half of the word. */
const PAIR = 0x00ff00ff;

/**
 * A picture during its entrance or exit: shifted and faded; null if no part of it is on the canvas. (R20)
 *
 * @param isStraight whether its colours are not multiplied by their alpha.
 */
function presentPicture(
  { rect, rgba }: PaintedPicture,
  { opacity, x: byX, y: byY, shown = 1 }: Presence,
  canvas: Pick<Canvas, 'width' | 'height'>,
  isStraight = false,
): PaintedPicture | null {
  const x = Math.max(0, rect.x + byX);
  const y = Math.max(0, rect.y + byY);
  const seen = 2 * Math.round((shown * rect.width) / 2);
  const width = Math.min(canvas.width, rect.x + byX + seen) - x;
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
