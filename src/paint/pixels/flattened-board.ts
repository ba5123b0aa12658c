import type { Dim } from '../../plan/frame/frame-at.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { PaintedPicture, Painting } from '../../plan/model/painter.ts';

/**
 * A board's parts as one picture, without the rest of the frame. `over` is the area of the picture: the whole canvas,
 * which is dimmed, or only the board, whose visible part is dimmed.
 */
export function flattenedBoard(
  { still, moving, front }: Painting,
  over: Rect | 'board',
  dim: Dim | null = null,
): PaintedPicture {
  const rect = over === 'board' ? still.rect : over;
  const rgba = new Uint8Array(rect.width * rect.height * 4);
  const picture = { rect, rgba };
  put(picture, still, (under, from) => under.set(from));
  if (moving !== null) put(picture, moving, (under, from) => under.set(from));
  if (dim !== null) {
    const { color, alpha } = dim;
    for (let at = 0; at < rgba.length; at += 4) {
      const seen = over === 'board' ? rgba[at + 3]! / 255 : 1;
      for (let channel = 0; channel < 3; channel += 1) {
        rgba[at + channel] = Math.round(rgba[at + channel]! * (1 - alpha) + color[channel]! * alpha * seen);
      }
      rgba[at + 3] = Math.round(rgba[at + 3]! * (1 - alpha) + 255 * alpha * seen);
    }
  }
  if (front !== null) put(picture, front, blendRow);
  return picture;
}

/** Combines a painted picture's rows with those below them; the part outside the picture is left out. */
function put(
  { rect, rgba }: PaintedPicture,
  part: PaintedPicture,
  row: (under: Uint8Array, from: Uint8Array) => void,
): void {
  const left = Math.max(rect.x, part.rect.x);
  const right = Math.min(rect.x + rect.width, part.rect.x + part.rect.width);
  const top = Math.max(rect.y, part.rect.y);
  const bottom = Math.min(rect.y + rect.height, part.rect.y + part.rect.height);
  if (right <= left) return;
  for (let y = top; y < bottom; y += 1) {
    const to = ((y - rect.y) * rect.width + left - rect.x) * 4;
    const from = ((y - part.rect.y) * part.rect.width + left - part.rect.x) * 4;
    const bytes = (right - left) * 4;
    row(rgba.subarray(to, to + bytes), part.rgba.subarray(from, from + bytes));
  }
}

function blendRow(under: Uint8Array, over: Uint8Array): void {
  for (let at = 0; at < under.length; at += 4) {
    const through = 1 - over[at + 3]! / 255;
    for (let channel = at; channel < at + 4; channel += 1) {
      under[channel] = Math.round(over[channel]! + under[channel]! * through);
    }
  }
}
