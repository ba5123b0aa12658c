import type { Frame } from 'node-av/lib';
import type { Rect } from '../../plan/model/canvas.ts';
import type { ClipLook } from '../../plan/model/clip-layer.ts';

/** A picture's outline as an alpha plane: how much of each pixel is inside, row by row. (C48) */
export function clipMask({ rect, radiusPx }: ClipLook, part: Rect): Uint8Array {
  const mask = new Uint8Array(part.width * part.height).fill(255);
  const [left, top] = [rect.x + radiusPx, rect.y + radiusPx];
  const [right, bottom] = [rect.x + rect.width - radiusPx, rect.y + rect.height - radiusPx];
  for (let row = 0; row < part.height; row += 1) {
    const y = part.y + row + 0.5;
    const down = y < top ? top - y : y > bottom ? y - bottom : 0;
    if (down === 0) continue;
    for (let column = 0; column < part.width; column += 1) {
      const x = part.x + column + 0.5;
      const across = x < left ? left - x : x > right ? x - right : 0;
      if (across === 0) continue;
      // A pixel on the line is covered by as much as its middle is inside, in pixels.
      const inside = radiusPx - Math.sqrt(across * across + down * down) + 0.5;
      mask[row * part.width + column] = Math.round(255 * Math.min(1, Math.max(0, inside)));
    }
  }
  return mask;
}

/** Cuts a yuva420p frame, which must not be shared, along a mask of its size. */
export function cutOut(frame: Frame, mask: Uint8Array, isOpaque: boolean): void {
  const bytes = frame.data![3]!;
  const alpha = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { width, height } = frame;
  const stride = frame.linesize[3]!;
  for (let row = 0; row < height; row += 1) {
    const part = mask.subarray(row * width, (row + 1) * width);
    if (isOpaque) {
      alpha.set(part, row * stride);
      continue;
    }
    for (let column = 0; column < width; column += 1) {
      const at = row * stride + column;
      alpha[at] = Math.round((alpha[at]! * part[column]!) / 255);
    }
  }
}
